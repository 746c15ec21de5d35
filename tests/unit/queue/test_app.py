"""The Celery application: settings that lose and double nothing."""

from datetime import timedelta
from pathlib import Path

import pytest

from arena.queue.app import QueueError, check_limits, make_celery, queue_length, send_match
from arena.settings import Settings


def _settings(tmp_path: Path, **values: object) -> Settings:
    given = {"data": tmp_path, "database_url": "sqlite://", **values}
    return Settings(**given)  # type: ignore[arg-type]


def test_tasks_are_acknowledged_late_and_come_again_when_their_process_dies(
    tmp_path: Path,
) -> None:
    conf = make_celery(_settings(tmp_path)).conf
    assert conf.task_acks_late
    assert conf.task_reject_on_worker_lost
    assert conf.worker_prefetch_multiplier == 1
    assert conf.task_ignore_result
    assert conf.accept_content == ["json"]
    assert not conf.worker_cancel_long_running_tasks_on_connection_loss


def test_no_task_outlives_the_time_after_which_redis_gives_it_away(tmp_path: Path) -> None:
    """W5."""
    app = make_celery(_settings(tmp_path, match_limit=timedelta(seconds=100)))
    conf = app.conf
    assert 100 < conf.task_soft_time_limit < conf.task_time_limit
    assert conf.task_time_limit < conf.broker_transport_options["visibility_timeout"]
    conf.broker_transport_options = {"visibility_timeout": conf.task_time_limit}
    with pytest.raises(QueueError, match="visibility_timeout"):
        check_limits(app)


def test_tasks_wait_in_redis(tmp_path: Path, redis_url: str) -> None:
    app = make_celery(_settings(tmp_path, redis_url=redis_url))
    before = queue_length(app)
    for key in (1, 2, 3):
        send_match(app, key)
    assert queue_length(app) == before + 3
    app.control.purge()
    assert queue_length(app) == 0
