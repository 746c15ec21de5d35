"""Records and times as compressed bytes for the store."""

import bz2
from typing import Final

from arena.engine.errors import InvalidNotationError
from arena.notation.chain import relink, unlink

_VERSION: Final = b"\x01"
"""Version 1: the lines without their links, which follow from them, as one bzip2 stream."""


def pack(text: str) -> bytes:
    """Compress a record or its times; the first byte is the version of the packing.

    Raises:
        RecordError: the text is not chained.
    """
    return _VERSION + bz2.compress(unlink(text).encode())


def unpack(data: bytes) -> str:
    """Return the text that was packed, to the byte.

    Raises:
        InvalidNotationError: a version that is not known, or bytes that do not decompress.
    """
    if data[:1] != _VERSION:
        raise InvalidNotationError(f"packed text begins with {data[:1]!r}; known is {_VERSION!r}")
    try:
        return relink(bz2.decompress(data[1:]).decode())
    except (OSError, ValueError) as error:
        raise InvalidNotationError(f"packed text does not decompress: {error}") from error
