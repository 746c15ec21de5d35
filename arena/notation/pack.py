"""Records and times as compressed bytes for the store."""

import lzma
from collections.abc import Mapping
from typing import Any, Final

from arena.engine.errors import InvalidNotationError

_VERSION: Final = b"\x01"
_FILTERS: Final[list[Mapping[str, Any]]] = [
    {"id": lzma.FILTER_LZMA2, "preset": 9, "lc": 4, "lp": 0, "pb": 0}
]


def pack(text: str) -> bytes:
    """Compress a text; the first byte says how (1: xz, one byte a literal position)."""
    return _VERSION + lzma.compress(text.encode(), filters=_FILTERS, check=lzma.CHECK_CRC32)


def unpack(data: bytes) -> str:
    """Return the text that was packed.

    Raises:
        InvalidNotationError: a version that is not known, or bytes that do not decompress.
    """
    if data[:1] != _VERSION:
        raise InvalidNotationError(f"packed text begins with {data[:1]!r}; known is {_VERSION!r}")
    try:
        return lzma.decompress(data[1:], format=lzma.FORMAT_XZ).decode()
    except (lzma.LZMAError, UnicodeDecodeError) as error:
        raise InvalidNotationError(f"packed text does not decompress: {error}") from error
