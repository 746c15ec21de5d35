"""The Celery worker: `python -m celery --app worker.app worker --pool prefork`.

The main process shows that it is alive and opens neither a gRPC channel nor a lasting database
connection: its children are forks of it.
"""

import logging
import os
import socket
import uuid
from functools import cache
from typing import Any, Final

from celery import signals
from sqlalchemy.exc import SQLAlchemyError

from arena.embedded.leash import die_with_parent
from arena.queue.app import PLAY_MATCH, make_celery
from arena.settings import load_settings
from arena.store import schema
from arena.store.database import Store, StoreError
from worker.play import Attempt, show_worker

log = logging.getLogger(__name__)

BEAT_SECONDS: Final = 5.0
"""How often a worker shows that it is alive."""
NAME: Final = f"{socket.gethostname()[:64]}-{uuid.uuid4().hex}"
"""This worker, its children included; another start has another name."""

settings = load_settings()
app = make_celery(settings)


@cache
def _store() -> Store:
    """Return the store of this child process."""
    return Store(settings.database_url)


@app.task(name=PLAY_MATCH)
def play_match(match_key: int) -> None:
    """Play a match if it is still to be played."""
    Attempt(_store(), settings, owner=f"{NAME}:{os.getpid()}").play(match_key)


@signals.worker_init.connect
def _check_schema(**_: Any) -> None:
    try:
        schema.check(Store(settings.database_url, pooled=False))
    except StoreError as error:
        raise SystemExit(str(error)) from None


@signals.worker_process_init.connect
def _tie_to_parent(**_: Any) -> None:
    die_with_parent()


@signals.worker_ready.connect
def _show_often(sender: Any, **_: Any) -> None:
    """Show this worker now and by the main loop's timer: no thread that a fork would break."""
    processes = sender.controller.concurrency
    _show(processes)
    sender.timer.call_repeatedly(BEAT_SECONDS, _show, (processes,))


def _show(processes: int) -> None:
    try:
        show_worker(
            Store(settings.database_url, pooled=False),
            NAME,
            processes=processes,
            attempts=settings.attempts,
        )
    except SQLAlchemyError as error:
        log.warning("the database does not answer: %s", error)
