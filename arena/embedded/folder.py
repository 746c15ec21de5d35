"""The data folder: one arena at a time owns it, and no other user may read it.

It holds the seeds and boards of leagues that still play (R9.3, R9.5).
"""

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from arena.embedded.errors import StartError

_OWN: Final = ("arena.*", "logs", "logs/*", "redis", "redis/*", "redis/appendonlydir/*")
"""What the arena itself keeps in the folder; nothing else there is touched."""


def make_private(path: Path) -> None:
    """Make the data folder, for this user alone; tighten one that is there, and its files.

    Raises:
        StartError: it cannot be made or changed, or all users share it.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.stat().st_mode & stat.S_ISVTX:
            raise StartError(
                f"the folder {path} is shared by all users; choose one for the arena alone "
                "with --data or GIN_ARENA_DATA"
            )
        for kept in (path, *(found for name in _OWN for found in path.glob(name))):
            if not kept.is_symlink():
                kept.chmod(0o700 if kept.is_dir() else 0o600)
    except OSError as error:
        raise StartError(
            f"cannot write the data folder {path} ({error.strerror}); choose another one with "
            "--data or GIN_ARENA_DATA"
        ) from error


@contextmanager
def owner_only() -> Iterator[None]:
    """Hide from other users what this process, and those it starts, write meanwhile."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


class DataFolder:
    """A private folder that this process holds a lock on; made where it is missing.

    The kernel gives the lock back when the process ends, however it ends.

    Raises:
        StartError: the folder cannot be written, or another arena holds it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        make_private(path)
        self._lock = (path / "arena.lock").open("a+")
        self._take()

    def _take(self) -> None:
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.seek(0)
            holder = self._lock.read().strip() or "unknown"
            self._lock.close()
            raise StartError(
                f"the data folder {self.path} is in use by another arena (process {holder}); "
                "stop that one, or choose another folder with --data"
            ) from None
        self._lock.truncate(0)
        self._lock.write(f"{os.getpid()}\n")
        self._lock.flush()

    def close(self) -> None:
        """Give the folder back."""
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
