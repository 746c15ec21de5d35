"""Real workers, a real scheduler, real bots, as processes of a test."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import select

from arena.embedded import parts
from arena.embedded.ports import free_port, listens
from arena.embedded.processes import Command, Process, Supervisor, wait_until
from arena.embedded.redis import RedisServer
from arena.queue.app import make_celery, send_match
from arena.schedule.plan import TimeControl
from arena.settings import Settings
from arena.store import repository
from arena.store.database import Store
from arena.store.models import Match
from arena.store.repository import LeagueSpec

PATIENT = 150.0
"""Seconds until a test gives up; nothing takes so long on an idle machine."""
QUICK = TimeControl("test", silence_us=5_000_000, connect_us=3_000_000, reopen_us=3_000_000)
"""A clock with short waits, so that leases are short too."""
SLOW_BOT = '''
"""A bot that takes its time."""

import time

from arena.sdk import Bot
from arena.sdk.bots.simple import Simple


class Slow(Simple):
    name = "slow"

    def act(self, observation):
        time.sleep(0.003)
        return super().act(observation)
'''


@dataclass(frozen=True)
class Arena:
    """The processes of a test and the way to them."""

    store: Store
    settings: Settings
    redis: RedisServer
    processes: Supervisor
    folder: Path

    def start_worker(self, name: str = "worker") -> Process:
        """Start a worker."""
        return self._start(name, parts.worker(self.settings))

    def start_scheduler(self, name: str = "scheduler") -> Process:
        """Start a scheduler."""
        return self._start(name, parts.scheduler())

    def start_bot(self, spec: str) -> int:
        """Serve a bot and return its port."""
        port = free_port()
        process = self._start(f"bot-{port}", parts.bot(spec, host="127.0.0.1", port=port))
        wait_until(lambda: listens(port), process, seconds=PATIENT, what=spec)
        return port

    def start_slow_bot(self) -> int:
        """Serve the slow bot and return its port."""
        path = self.folder / "slow.py"
        path.write_text(SLOW_BOT)
        return self.start_bot(f"{path}")

    def open_league(self, bots: Sequence[tuple[str, int]], **values: Any) -> str:
        """Start a league of bots by name and port."""
        given = {"name": "Test", "games": 4, "time_control": QUICK, **values}
        with self.store.writing() as session:
            league = repository.create_league(session, LeagueSpec(**given))
            for name, port in bots:
                version = repository.submit_bot(
                    session, name, version="1", host="127.0.0.1", port=port
                )
                repository.enter(session, league, version_id=version)
            repository.start_league(session, league)
        return league

    def send(self, match_key: int, *, times: int = 1) -> None:
        """Send the task of a match, many times if need be."""
        app = make_celery(self.settings)
        for _ in range(times):
            send_match(app, match_key)

    def matches(self) -> list[Match]:
        """Return all matches as they are stored now."""
        with self.store.reading() as session:
            return list(session.scalars(select(Match).order_by(Match.number)))

    def wait(self, ready: Callable[[], bool], what: str) -> None:
        """Wait until something is so."""
        deadline = time.monotonic() + PATIENT
        while not ready():
            assert time.monotonic() < deadline, f"{what}: {self._logs()}"
            time.sleep(0.1)

    def wait_for_end(self) -> None:
        """Wait until every match has ended."""
        self.wait(lambda: all(match.finished_us for match in self.matches()), "matches end")

    def _start(self, name: str, arguments: Sequence[str]) -> Process:
        environment = self.settings.environment()
        return self.processes.start(
            Command(name=name, arguments=arguments, environment=environment)
        )

    def _logs(self) -> str:
        logs = sorted(self.processes.logs.glob("*.log"))
        return "\n".join(f"== {log.name}\n{log.read_text()[-3000:]}" for log in logs)


@contextmanager
def run_arena(store: Store, url: str, folder: Path, **values: Any) -> Iterator[Arena]:
    """Start Redis and whatever the test asks for; stop it all at the end."""
    with RedisServer(folder / "redis") as redis, Supervisor(folder / "logs") as processes:
        given = {
            "lease": timedelta(seconds=1),
            "dispatch_interval": timedelta(seconds=0.2),
            "worker_processes": 2,
            **values,
        }
        settings = Settings(data=folder, database_url=url, redis_url=redis.url, **given)
        yield Arena(store, settings, redis, processes, folder)
