"""The data folder: one arena at a time owns it."""

import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Self

from arena.embedded.errors import StartError


class DataFolder:
    """A folder that this process holds a lock on; made where it is missing.

    The kernel gives the lock back when the process ends, however it ends.

    Raises:
        StartError: the folder cannot be written, or another arena holds it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._lock = (path / "arena.lock").open("a+")
        except OSError as error:
            raise StartError(
                f"cannot write the data folder {path} ({error.strerror}); "
                "choose another one with --data"
            ) from error
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
