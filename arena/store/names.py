"""Names of bots, versions and leagues: what may be one, and when two are one to a reader."""

import unicodedata
from typing import Final

from arena.store.database import StoreError

MAX_NAME: Final = 64
"""Most characters of a name, as given and as compared."""
_BLANK: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
    + "".join(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)
"""Characters that Unicode counts as printable, and that show nothing."""


def canonical(name: str) -> str:
    """Return the form in which two names are compared: NFKC, no case, single spaces."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def check_name(what: str, name: str) -> None:
    """Check that a name can be read and told from others.

    Raises:
        StoreError: it is empty or too long, begins or ends with a space, or holds characters that
            cannot be seen.
    """
    seen = name.isprintable() and _BLANK.isdisjoint(name) and name.strip() == name
    if not (seen and 1 <= len(name) <= MAX_NAME and 1 <= len(canonical(name)) <= MAX_NAME):
        raise StoreError(f"{what} name {name!r}; it is 1 to {MAX_NAME} printable characters")
