"""A supervisor of the arena's own processes: start, log, watch, restart, stop in order."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from arena.embedded.errors import StartError
from arena.embedded.leash import leashed

_RESTARTS: Final = 3
"""A process that has ended this often, and ends again, stops the arena."""
_LOG_BYTES: Final = 10_000_000
"""A log larger than this is begun anew at the next start, the old one kept beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A process to run: its name, its command line, how it is asked to stop."""

    name: str
    arguments: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables beside those of this process."""
    stop_signal: signal.Signals = signal.SIGTERM
    patience: float = 5.0
    """Seconds from the stop signal to the kill."""


class Process:
    """One running command with its log; it dies with this process."""

    def __init__(self, command: Command, log: Path) -> None:
        self.command = command
        self.log = log
        self.restarts = 0
        self._running = self._start()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._running.pid

    @property
    def status(self) -> int | None:
        """The exit status, negative for a signal; None while it runs."""
        return self._running.poll()

    def restart(self) -> None:
        """Start the command again after its end."""
        self.restarts += 1
        self._running = self._start()

    def stop(self) -> None:
        """Ask it to stop, kill it when its patience is over, and then whatever it left behind."""
        if self.status is None:
            self._running.send_signal(self.command.stop_signal)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._running.wait(self.command.patience)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self._running.wait()

    def last_line(self) -> str:
        """Return the last line of the log that is not empty."""
        lines = self.log.read_text(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "(empty)")

    def _start(self) -> subprocess.Popen[bytes]:
        with _open_log(self.log) as log:
            return subprocess.Popen(  # noqa: S603 - the arena's own commands
                leashed(self.command.arguments),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONUNBUFFERED": "1", **self.command.environment},
                start_new_session=True,
            )


class Supervisor:
    """Runs commands until it is left; the latest started is stopped first.

    Start from the main thread only: the kernel ties a child to the thread that made it.
    """

    def __init__(self, logs: Path) -> None:
        self.logs = logs
        self.processes: list[Process] = []

    def start(self, command: Command) -> Process:
        """Start a command; its output goes to `NAME.log` in the folder of logs."""
        process = Process(command, self.logs / f"{command.name}.log")
        self.processes.append(process)
        return process

    def check(self) -> None:
        """Start again what has ended.

        Raises:
            StartError: a process ended too often.
        """
        for process in self.processes:
            if process.status is None:
                continue
            if process.restarts == _RESTARTS:
                raise StartError(
                    f"{process.command.name} ended with status {process.status}: "
                    f"{process.last_line()} (log: {process.log})"
                )
            process.restart()

    def stop(self) -> None:
        """Stop every process, the latest started first, and wait for its end."""
        while self.processes:
            self.processes.pop().stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def wait_until(ready: Callable[[], bool], process: Process, *, seconds: float, what: str) -> None:
    """Wait until `ready()` is true.

    Raises:
        StartError: the process ended, or the time is over.
    """
    deadline = time.monotonic() + seconds
    while not ready():
        if process.status is not None:
            raise StartError(f"{what} did not start: {process.last_line()} (log: {process.log})")
        if time.monotonic() > deadline:
            raise StartError(f"{what} did not answer within {seconds:g} s (log: {process.log})")
        time.sleep(0.02)


def _open_log(path: Path) -> IO[bytes]:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and path.stat().st_size > _LOG_BYTES:
        path.replace(path.with_suffix(".old.log"))
    return path.open("ab")
