"""Processes beside the one that measures."""

import subprocess
import sys
from types import TracebackType
from typing import Final, Self

_PATIENCE_S: Final = 10.0


class Child:
    """A running `arena.bench.served`; leave it to stop it.

    Args:
        spec: a bot, or `ECHO`.
    """

    def __init__(self, spec: str) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - the project's own module
            [sys.executable, "-m", "arena.bench.served", spec],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.port = int(self._read())
        """Where it listens on 127.0.0.1."""

    def cpu(self) -> float:
        """Return the CPU time it has used, seconds."""
        if self._process.stdin is not None:
            self._process.stdin.write("\n")
            self._process.stdin.flush()
        return float(self._read())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._process as process:
            if process.stdin is not None:
                process.stdin.close()
            try:
                process.wait(_PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()

    def _read(self) -> str:
        line = self._process.stdout.readline() if self._process.stdout else ""
        if not line:
            raise RuntimeError(f"a process of the benchmark ended: {self._process.wait()}")
        return line
