"""The Celery application: how tasks travel. They carry keys only; the database is the truth.

A task is acknowledged when it has ended, and comes again when its process dies. A message that
Redis loses, or brings twice, does no harm: matches are taken by compare-and-set and queued again
from the database.
"""

from datetime import timedelta
from typing import Any, Final

from celery import Celery

from arena.engine.errors import GinArenaError
from arena.settings import Settings

PLAY_MATCH: Final = "gin_arena.play_match"
"""The one task: `play_match(match_key)`."""
QUEUE: Final = "gin_arena.matches"

_SOFT_GRACE: Final = timedelta(seconds=15)
"""From the limit, at which a match puts itself back, to the signal that ends its task."""
_HARD_GRACE: Final = timedelta(seconds=30)
"""From the limit to the kill of the process."""
_RETURN_GRACE: Final = timedelta(seconds=120)
"""From the limit to the moment when Redis gives an unfinished task to another worker."""


class QueueError(GinArenaError):
    """The queue is set up so that it would do harm; the text says what would be right."""


def make_celery(settings: Settings) -> Celery:
    """Return the Celery application of an arena.

    Raises:
        QueueError: see `check_limits`.
    """
    limit = settings.match_limit
    app = Celery("gin_arena", broker=settings.broker_url, set_as_current=False)
    app.conf.update(
        task_default_queue=QUEUE,
        task_serializer="json",
        accept_content=["json"],
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        task_soft_time_limit=(limit + _SOFT_GRACE).total_seconds(),
        task_time_limit=(limit + _HARD_GRACE).total_seconds(),
        worker_soft_shutdown_timeout=30,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        worker_hijack_root_logger=True,
        worker_send_task_events=False,
        broker_connection_retry_on_startup=True,
        broker_transport_options=_transport(limit + _RETURN_GRACE),
    )
    check_limits(app)
    return app


def _transport(visibility: timedelta) -> dict[str, Any]:
    """Return the options of the Redis transport; its defaults bring a lost task back too late."""
    return {
        "visibility_timeout": visibility.total_seconds(),
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "socket_timeout": 10,
        "socket_connect_timeout": 5,
        "socket_keepalive": True,
        "health_check_interval": 15,
    }


def check_limits(app: Celery) -> None:
    """Check that no task can outlive the time after which Redis gives it to another worker.

    Raises:
        QueueError: the visibility timeout is not above the hard limit of tasks.
    """
    visible = app.conf.broker_transport_options["visibility_timeout"]
    limit = app.conf.task_time_limit
    if limit is None or visible <= limit:
        raise QueueError(
            f"visibility_timeout is {visible} s and task_time_limit {limit} s: a task would be "
            "played twice at once; the timeout must be above the limit"
        )


def send_match(app: Celery, match_key: int) -> None:
    """Send the task of a match.

    Raises:
        OperationalError: of kombu; the broker cannot be reached.
    """
    app.send_task(PLAY_MATCH, args=(match_key,), queue=QUEUE, retry=False)


def queue_length(app: Celery) -> int:
    """Return how many tasks wait in the broker, those not counted that a worker has taken.

    Raises:
        OperationalError: of kombu, or RedisError: the broker cannot be reached.
    """
    with app.connection_for_read() as connection:
        channel: Any = connection.default_channel
        return int(channel.client.llen(QUEUE))
