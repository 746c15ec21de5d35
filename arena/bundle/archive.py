"""The archive: named parts in a fixed order, with a manifest of their SHA-256 at the end.

A tar file (USTAR) in one bzip2 stream, or the same unpacked in a folder. The bytes follow from the
parts alone: times, owners and modes of members are fixed.
"""

import bz2
import hashlib
import io
import json
import re
import tarfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from arena.engine.errors import GinArenaError

FORMAT: Final = "ginarena-bundle/1"
LEAGUE: Final = "league.json"
LICENCE: Final = "LICENCE.txt"
CITATION: Final = "CITATION.cff"
RATINGS: Final = "ratings.json"
MANIFEST: Final = "manifest.json"
MATCH: Final = "match.json"
RECORD: Final = "record.jsonl"
TIMES: Final = "times.jsonl"
_HEAD: Final = (LEAGUE, LICENCE, CITATION, RATINGS)
_OF_MATCH: Final = re.compile(r"matches/([0-9]{7,18})/(match\.json|record\.jsonl|times\.jsonl)")
_LARGEST: Final = 1 << 28
"""The largest part that is read, bytes."""
_FOLDER: Final = "ginarena-league"
"""The folder that the members are in."""
_MODE: Final = 0o644

Part = tuple[str, bytes]
"""Name and content of a part."""


class BundleError(GinArenaError):
    """A bundle that cannot be read, or does not hold; the text says where and why."""


def match_part(number: int, name: str) -> str:
    """Return the name of a part of a match."""
    return f"matches/{number:07d}/{name}"


def split_part(name: str) -> tuple[int, str] | None:
    """Return the match's number and the name within the match; None for a part of the league."""
    found = _OF_MATCH.fullmatch(name)
    return (int(found[1]), found[2]) if found else None


def write_archive(stream: IO[bytes], parts: Iterable[Part]) -> None:
    """Write parts, which come in their order, and their manifest.

    Args:
        stream: where to write; it need not be seekable.
        parts: all parts but the manifest.
    """
    with _tar_into(stream) as tar:
        for name, content in with_manifest(parts):
            _add(tar, name, content)


@contextmanager
def _tar_into(stream: object) -> Iterator[tarfile.TarFile]:
    with (
        bz2.BZ2File(stream, "wb") as packed,  # type: ignore[call-overload]
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.USTAR_FORMAT) as tar,
    ):
        yield tar


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(f"{_FOLDER}/{name}")
    member.size, member.mode = len(content), _MODE
    tar.addfile(member, io.BytesIO(content))


def with_manifest(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield the parts, then the manifest of them."""
    listed = []
    for name, content in parts:
        listed.append(list_part(name, content))
        yield name, content
    yield MANIFEST, write_manifest(listed)


def list_part(name: str, content: bytes) -> tuple[str, int, str]:
    """Return the line of a part in the manifest: name, size in bytes, SHA-256."""
    return name, len(content), hashlib.sha256(content).hexdigest()


def write_manifest(listed: Iterable[tuple[str, int, str]]) -> bytes:
    """Write the manifest of some parts, a line each."""
    lines = ",\n".join(json.dumps(line) for line in listed)
    return f'{{"format": "{FORMAT}", "parts": [\n{lines}\n]}}\n'.encode()


def read_manifest(content: bytes) -> dict[str, tuple[int, str]]:
    """Return size and SHA-256 of each part that a manifest lists.

    Raises:
        BundleError: it is not such a manifest.
    """
    try:
        values = json.loads(content)
        listed = [(str(name), int(size), str(digest)) for name, size, digest in values["parts"]]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise BundleError(f"{MANIFEST}: is no manifest of {FORMAT}") from None
    if values.get("format") != FORMAT:
        raise BundleError(f"{MANIFEST}: format is {values.get('format')!r}; it should be {FORMAT}")
    return {name: (size, digest) for name, size, digest in listed}


def is_bundle(path: Path) -> bool:
    """Whether a path is a folder or a bzip2 file, so that it is read as a bundle."""
    if path.is_dir():
        return True
    with path.open("rb") as file:
        return file.read(3) == b"BZh"


def read_parts(path: Path) -> Iterator[Part]:
    """Yield the parts of an archive, or of its unpacked folder, in their order, the manifest last.

    Raises:
        BundleError: it cannot be read; a part that does not belong there, or out of order.
        OSError: the file or folder is not there.
    """
    last = (-1, 0, "")
    for name, content in _read_folder(path) if path.is_dir() else _read_archive(path):
        place = _order(name)
        if place <= last:
            raise BundleError(f"{name}: out of its order")
        last = place
        yield name, content


def _order(name: str) -> tuple[int, int, str]:
    if name in _HEAD:
        return _HEAD.index(name), 0, ""
    if name == MANIFEST:
        return len(_HEAD) + 1, 0, ""
    found = split_part(name)
    if found is None or match_part(*found) != name:
        raise BundleError(f"{name!r} is no part of a bundle")
    return len(_HEAD), *found


def _read_folder(path: Path) -> Iterator[Part]:
    found = [file for file in path.rglob("*") if file.is_symlink() or not file.is_dir()]
    names = {file.relative_to(path).as_posix(): file for file in found}
    for name in sorted(names, key=_order):
        if names[name].is_symlink() or not names[name].is_file():
            raise BundleError(f"{name}: is not a plain file")
        with names[name].open("rb") as file:
            yield name, _read_whole(name, file)


def _read_archive(path: Path) -> Iterator[Part]:
    """Yield the members; at the end, check that the archive's bytes are those that they give."""
    written = _Hashing()
    try:
        with path.open("rb") as file:
            yield from _read_members(file, written)
            file.seek(0)
            found = hashlib.file_digest(file, "sha256")
    except BundleError:
        raise
    except (tarfile.TarError, EOFError, ValueError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise BundleError(f"the archive cannot be read: {error}") from error
    if found.digest() != written.digest.digest():
        raise BundleError("the archive's bytes are not those that its parts give")


class _Hashing:
    """A file that keeps only the hash of what is written."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()

    def write(self, data: bytes) -> int:
        self.digest.update(data)
        return len(data)


def _read_members(file: IO[bytes], written: _Hashing) -> Iterator[Part]:
    with (
        _tar_into(written) as again,
        bz2.BZ2File(file) as packed,
        tarfile.open(fileobj=packed, mode="r|") as tar,
    ):
        for member in tar:
            folder, _, name = member.name.partition("/")
            opened = tar.extractfile(member) if member.isreg() else None
            if folder != _FOLDER or opened is None:
                raise BundleError(f"{member.name!r} is no part of a bundle")
            content = _read_whole(name, opened)
            _add(again, name, content)
            yield name, content


def _read_whole(name: str, file: IO[bytes]) -> bytes:
    content = file.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise BundleError(f"{name}: larger than {_LARGEST} bytes")
    return content
