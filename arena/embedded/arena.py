"""The whole arena on this machine: every part a process of its own, one supervisor over all."""

import asyncio
import signal
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Final, Self

from arena.embedded import parts
from arena.embedded.errors import StartError
from arena.embedded.folder import DataFolder, owner_only
from arena.embedded.ports import address, claim_port, free_port, listens, serves_pages
from arena.embedded.processes import Command, Process, Supervisor, wait_until
from arena.embedded.redis import RedisServer, check_url
from arena.referee.player import BotInfo
from arena.referee.verdict import PlayerError
from arena.rpc.client import GrpcPlayer
from arena.settings import Settings, database_in
from arena.store.database import Store
from arena.store.leases import release_leases
from arena.store.schema import upgrade

_START_SECONDS: Final = 60.0
"""Longest time for a part to answer; a busy machine takes some seconds to import Python code."""
_WORKER_PATIENCE: Final = 2.0
"""Seconds that running matches get at the stop; the next start plays what was not finished."""


@dataclass(frozen=True, slots=True)
class RunningBot:
    """A bot process that answers."""

    info: BotInfo
    port: int
    """On 127.0.0.1."""


class EmbeddedArena:
    """Starts everything when entered, stops everything when left: worker first, then bots, Redis.

    Args:
        settings: where data, database, Redis and dashboard are; a `redis_url` of None starts a
            server of its own.
        bots: specs of the bots to serve, as for `gin-arena bot serve`.

    Raises:
        StartError: a part cannot start; nothing is left running.
        StoreError: the database cannot be used.
    """

    def __init__(self, settings: Settings, *, bots: Sequence[str]) -> None:
        self.settings = settings
        self._specs = bots
        self._stack = ExitStack()
        self._redis: RedisServer | None = None

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._start(stack)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    @property
    def address(self) -> str:
        """The dashboard's address for a browser on this machine."""
        return address(self.settings.host, self.settings.port)

    @property
    def parts(self) -> tuple[str, ...]:
        """What runs, in words."""
        redis = self._redis.program.name if self._redis else "the server of REDIS_URL"
        bots = ", ".join(f"{bot.info.name} {bot.info.version}" for bot in self.bots)
        return (redis, "worker", "scheduler", "dashboard", f"bots ({bots})")

    def check(self) -> None:
        """Start again what has ended.

        Raises:
            StartError: a part ended too often.
        """
        self._processes.check()
        if self._redis:
            self._redis.check()

    def _start(self, stack: ExitStack) -> None:
        stack.enter_context(owner_only())
        folder = stack.enter_context(DataFolder(self.settings.data)).path
        port = claim_port(self.settings.host, self.settings.port)
        self.settings = replace(self.settings, port=port)
        self._start_redis(stack)
        self._processes = stack.enter_context(Supervisor(folder / "logs"))
        bots = [self._start_bot(spec, free_port()) for spec in self._specs]
        self._open_store(stack)
        dashboard = self._start_part("dashboard", parts.dashboard())
        self._start_part("scheduler", parts.scheduler())
        self._start_worker()
        self.bots = tuple(self._wait_for_bot(process, port) for process, port in bots)
        wait_until(
            lambda: serves_pages(self.settings.host, port),
            dashboard,
            seconds=_START_SECONDS,
            what="the dashboard",
        )

    def _open_store(self, stack: ExitStack) -> None:
        """Open the database; matches that a killed arena left running are free again.

        Only in the folder's own database: another one may have workers elsewhere.
        """
        self.store = Store(self.settings.database_url)
        stack.callback(self.store.close)
        upgrade(self.store)
        if self.settings.database_url == database_in(self.settings.data):
            with self.store.writing() as session:
                release_leases(session)

    def _start_redis(self, stack: ExitStack) -> None:
        if self.settings.redis_url:
            check_url(self.settings.redis_url)
            return
        self._redis = stack.enter_context(RedisServer(self.settings.data / "redis"))
        self.settings = replace(self.settings, redis_url=self._redis.url)

    def _start_part(self, name: str, arguments: Sequence[str]) -> Process:
        environment = self.settings.environment()
        return self._processes.start(
            Command(name=name, arguments=arguments, environment=environment)
        )

    def _start_worker(self) -> Process:
        """Start the worker; asked to stop, it may end its matches, but not for long."""
        command = Command(
            name="worker",
            arguments=parts.worker(self.settings),
            environment=self.settings.environment(),
            stop_signal=signal.SIGQUIT,
            patience=_WORKER_PATIENCE,
        )
        return self._processes.start(command)

    def _start_bot(self, spec: str, port: int) -> tuple[Process, int]:
        arguments = parts.bot(spec, host="127.0.0.1", port=port)
        name = "".join(letter if letter.isalnum() else "-" for letter in spec)
        return self._processes.start(Command(name=f"bot-{name}", arguments=arguments)), port

    def _wait_for_bot(self, process: Process, port: int) -> RunningBot:
        name = process.command.name
        wait_until(lambda: listens(port), process, seconds=_START_SECONDS, what=name)
        try:
            return RunningBot(asyncio.run(_ask_info(port)), port)
        except PlayerError as error:
            raise StartError(f"{name} does not answer: {error} (log: {process.log})") from error


async def _ask_info(port: int) -> BotInfo:
    player = GrpcPlayer("127.0.0.1", port)
    try:
        return await player.connect()
    finally:
        await player.close()
