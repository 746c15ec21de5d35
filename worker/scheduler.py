"""The scheduler: `python -m worker.scheduler` keeps the queue filled and takes back lost matches.

Everything it decides is read from the database in the transaction that changes it, so that two of
them at once do no harm, and one that starts after a crash goes on where the other stopped.
"""

import logging
import signal
import threading
from collections.abc import Callable
from typing import Final

from celery import Celery
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from arena.queue.app import make_celery, queue_length, send_match
from arena.settings import Settings, load_settings
from arena.store import leases, schema
from arena.store.database import Store, StoreError, now_us

log = logging.getLogger(__name__)

LOST_US: Final = 10_000_000
"""Matches are sent again when for so long more were queued than tasks waited in the broker."""
_ALIVE_US: Final = 15_000_000
"""A worker that has not shown itself for longer than this, three beats, is lost: it gets no more
tasks, and the matches that it held are given to others."""


class Scheduler:
    """Moves matches from the database to the broker.

    Args:
        store: the database.
        app: the broker's Celery application.
        settings: how much to queue, how often to try a match.
        clock: the time, microseconds UTC.
    """

    def __init__(
        self,
        store: Store,
        app: Celery,
        settings: Settings,
        *,
        clock: Callable[[], int] = now_us,
    ) -> None:
        self._store = store
        self._app = app
        self._settings = settings
        self._clock = clock
        self._short_since: int | None = None

    def tick(self) -> int:
        """Do what is to be done now, and return how many tasks were sent."""
        at = self._clock()
        with self._store.writing() as session:
            attempts = self._settings.attempts
            reaped = leases.reap(session, at_us=at, attempts=attempts)
            reaped += leases.reap_lost(
                session, before_us=at - _ALIVE_US, at_us=at, attempts=attempts
            )
            leases.write_ahead(session)
            processes = leases.worker_processes(session, since_us=at - _ALIVE_US)
            room = processes * self._settings.queued_per_process - leases.queued(session)
            chosen = leases.queue_matches(session, limit=max(room, 0), at_us=at)
        if reaped:
            log.warning("%d matches taken back from lost workers", reaped)
        for key in (*chosen, *self._lost(at)):
            send_match(self._app, key)
        return len(chosen)

    def _lost(self, at: int) -> tuple[int, ...]:
        """Return matches whose tasks the broker has lost: for long it held fewer than are queued.

        For a moment that is so whenever a worker has a task and has not claimed its match.
        """
        waiting = queue_length(self._app)
        with self._store.reading() as session:
            short = leases.queued(session) > waiting
        if not short or self._short_since is None:
            self._short_since = at if short else None
        if self._short_since is None or at - self._short_since < LOST_US:
            return ()
        self._short_since = None
        with self._store.writing() as session:
            again = leases.queue_again(session, before_us=at - LOST_US, at_us=at)
        log.warning("%d tasks were lost by the broker and are sent again", len(again))
        return again


def main() -> int:
    """Run until SIGTERM or SIGINT; a database or broker that is away is waited for."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    settings = load_settings()
    store = Store(settings.database_url)
    try:
        schema.check(store)
    except StoreError as error:
        log.error("%s", error)
        return 1
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    scheduler = Scheduler(store, make_celery(settings), settings)
    while not stop.is_set():
        try:
            scheduler.tick()
        except (SQLAlchemyError, OperationalError, RedisError) as error:
            log.warning("waiting for the database or the broker: %s", error)
        stop.wait(settings.dispatch_interval.total_seconds())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
