"""Records and times as compressed bytes for the store."""

import bz2
import re
from typing import Final

from arena.engine.errors import InvalidNotationError
from arena.notation.chain import relink, unlink
from arena.notation.coding import Decoder, encode, fold

_PLAIN: Final = b"\x01"
"""Version 1, still read: the lines without their links, as one bzip2 stream."""
_CODED: Final = b"\x02"
"""Version 2: the last link, the same without the actions of the rounds, these coded."""
_LINK_BYTES: Final = 8
_LINK_AT: Final = len('0123456789abcdef"}\n')
_ACTIONS: Final = re.compile(r'"actions":"([^"\\]*)"')
_PLACE: Final = '"actions":~'
"""Stands for coded actions, before their declarations; no JSON has a tilde there."""
_CODED_ACTIONS: Final = re.compile(_PLACE + r"((?:\[[^\]]*\])*)")


def pack(text: str) -> bytes:
    """Compress a record or its times; the first byte is the version of the packing.

    The links are checked and left out, but for the last, which vouches for all.

    Raises:
        RecordError: the text is not chained.
    """
    plain = unlink(text)
    link = bytes.fromhex(text[-_LINK_AT:-3])
    rounds = []

    def take(match: re.Match[str]) -> str:
        coded = encode(match[1])
        if coded is None:
            return match[0]
        rounds.append(coded[0])
        return _PLACE + coded[1]

    lines = _ACTIONS.sub(take, plain)
    return _CODED + link + bz2.compress(lines.encode()) + fold(rounds)


def unpack(data: bytes) -> str:
    """Return the text that was packed, to the byte.

    Raises:
        InvalidNotationError: a version that is not known, or bytes that are damaged.
    """
    version, link = data[:1], data[1 : 1 + _LINK_BYTES]
    if version not in (_PLAIN, _CODED):
        raise InvalidNotationError(
            f"packed text begins with {version!r}; known are {_PLAIN!r} and {_CODED!r}"
        )
    try:
        if version == _PLAIN:
            return relink(bz2.decompress(data[1:]).decode())
        text = relink(_read_coded(data[1 + _LINK_BYTES :]))
    except (EOFError, OSError, ValueError) as error:
        raise InvalidNotationError(f"packed text does not decompress: {error}") from error
    if not text.endswith(f'"{link.hex()}"}}\n'):
        raise InvalidNotationError("packed text is damaged: it does not lead to its last link")
    return text


def _read_coded(data: bytes) -> str:
    stream = bz2.BZ2Decompressor()
    lines = stream.decompress(data).decode()
    if not stream.eof:
        raise InvalidNotationError("it is cut")
    rounds = Decoder(stream.unused_data)
    return _CODED_ACTIONS.sub(lambda match: f'"actions":"{rounds.decode(match[1])}"', lines)
