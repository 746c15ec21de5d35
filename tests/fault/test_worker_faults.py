"""Workers that die, tasks that come twice, a broker that forgets (rows W of the fault list)."""

import os
import signal
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import psutil
import pytest
import redis
from sqlalchemy import select

from arena.notation.verify import verify_record
from arena.queue.app import QUEUE, make_celery, queue_length
from arena.settings import Settings
from arena.store import leases, queries
from arena.store.database import Store, now_us
from arena.store.models import Checkpoint, Game, League, MatchState, Void
from tests.leagues import make_league
from tests.workers import Arena, run_arena
from worker.scheduler import LOST_US, Scheduler

pytestmark = pytest.mark.slow


def _games(store: Store) -> dict[int, tuple[int, tuple[int, ...]]]:
    """Return board and points of the finished games, by number."""
    with store.reading() as session:
        return {
            game.number: (game.board, tuple(game.totals)) for game in session.scalars(select(Game))
        }


def _queue_first(arena: Arena) -> int:
    with arena.store.writing() as session:
        (key,) = leases.queue_matches(session, limit=1, at_us=now_us())
    return key


def _start_slow_match(arena: Arena, *, games: int) -> None:
    bots = [("slow", arena.start_slow_bot()), ("simple", arena.start_bot("simple"))]
    arena.open_league(bots, games=games)


def _is_half_done(arena: Arena) -> bool:
    """Whether the one match runs, with games finished and games open."""
    (match,) = arena.matches()
    with arena.store.reading() as session:
        begun = session.scalars(select(Checkpoint.number).where(Checkpoint.record.is_(None))).all()
    return match.state == MatchState.RUNNING and match.games_done >= 1 and bool(begun)


def _check_end(arena: Arena, kept: dict[int, tuple[int, tuple[int, ...]]], *, games: int) -> None:
    """Check one exact result after a second attempt: games kept, voids noted, nobody to blame."""
    (match,) = arena.matches()
    assert (match.state, match.attempt) == (MatchState.DONE, 2)
    now = _games(arena.store)
    assert len(now) == games
    assert {number: now[number] for number in kept} == kept
    with arena.store.reading() as session:
        (row,) = queries.matches(session).rows
        record = verify_record(queries.match_record(session, row.id) or "")
        voids = session.scalars(select(Void)).all()
        assert session.scalars(select(Game.number).where(Game.forfeiter.is_not(None))).all() == []
        assert session.scalars(select(Checkpoint.number)).all() == []
    assert len(record.games) == games
    assert row.cause == ""
    assert voids
    assert {void.event for void in voids} == {1}
    assert {void.number for void in voids}.isdisjoint(kept)
    for void in voids:
        assert now[void.number][0] != void.board


def test_a_killed_workers_match_is_finished_by_another(
    store: Store, database_url: str, tmp_path: Path
) -> None:
    """W2: SIGKILL of a whole worker in the middle of a match, long before its lease ends."""
    values = {"worker_processes": 1, "lease": timedelta(hours=1)}
    with run_arena(store, database_url, tmp_path, **values) as arena:
        _start_slow_match(arena, games=12)
        arena.start_scheduler()
        victim = arena.start_worker("victim")
        arena.wait(lambda: _is_half_done(arena), "half a match")
        os.kill(victim.pid, signal.SIGKILL)
        arena.processes.processes.remove(victim)
        arena.wait(lambda: not psutil.pid_exists(victim.pid) or victim.status is not None, "death")
        kept = _games(store)
        arena.start_worker("heir")
        arena.wait_for_end()
        _check_end(arena, kept, games=12)


def test_a_killed_process_of_a_worker_is_replaced_and_its_match_finished(
    store: Store, database_url: str, tmp_path: Path
) -> None:
    """W1: SIGKILL of a pool child; the message comes again long before the lease ends."""
    with run_arena(store, database_url, tmp_path) as arena:
        _start_slow_match(arena, games=12)
        arena.start_scheduler()
        worker = arena.start_worker()
        arena.wait(lambda: _is_half_done(arena), "half a match")
        (match,) = arena.matches()
        kept = _games(store)
        os.kill(int(match.lease_owner.rpartition(":")[2]), signal.SIGKILL)
        arena.wait_for_end()
        assert worker.status is None
        after = _games(store)
        assert set(kept) <= set(after)
        _check_end(arena, kept, games=12)


def test_a_task_that_comes_five_times_is_played_once(
    store: Store, database_url: str, tmp_path: Path
) -> None:
    """W4."""
    with run_arena(store, database_url, tmp_path) as arena:
        bots = [(name, arena.start_bot(name)) for name in ("simple", "greedy")]
        arena.open_league(bots, games=4)
        key = _queue_first(arena)
        arena.send(key, times=5)
        arena.start_worker()
        arena.wait_for_end()
        arena.wait(lambda: queue_length(make_celery(arena.settings)) == 0, "all five taken")
        (match,) = arena.matches()
        assert (match.state, match.attempt, match.lease_token) == (MatchState.DONE, 1, 1)
        assert len(_games(store)) == 4


def test_tasks_that_the_broker_lost_are_sent_again(
    store: Store, redis_url: str, tmp_path: Path
) -> None:
    """W6: a Redis that forgets everything; the database knows."""
    names = [f"bot{number}" for number in range(5)]
    make_league(store, names)
    settings = Settings(data=tmp_path, database_url=store.url, redis_url=redis_url)
    app = make_celery(settings)
    now = [now_us()]
    scheduler = Scheduler(
        store, app, replace(settings, queued_per_process=10), clock=lambda: now[0]
    )
    with store.writing() as session:
        leases.show_worker(session, "w", processes=1, at_us=now[0] + LOST_US * 9)
    app.control.purge()
    assert scheduler.tick() == 10
    assert queue_length(app) == 10
    with redis.Redis.from_url(redis_url) as client:
        client.delete(QUEUE)
    for wait in (0, LOST_US - 1):
        now[0] += wait
        scheduler.tick()
        assert queue_length(app) == 0
    now[0] += 1
    scheduler.tick()
    assert queue_length(app) == 10
    now[0] += LOST_US * 2
    scheduler.tick()
    assert queue_length(app) == 10
    app.control.purge()


def test_an_error_of_the_arena_is_tried_again_and_then_quarantined(
    store: Store, database_url: str, tmp_path: Path
) -> None:
    """R10.3: never a bot's fault; the league ends without the match."""
    with run_arena(store, database_url, tmp_path, worker_processes=1) as arena:
        arena.open_league([("a", 1), ("b", 2)], games=2)
        with store.writing() as session:
            session.scalars(select(League)).one().time_control = {"no_such_clock": 2}
        arena.start_worker()
        arena.start_scheduler()
        arena.wait_for_end()
        (match,) = arena.matches()
        assert (match.state, match.attempt) == (MatchState.QUARANTINED, 3)
        assert "no_such_clock" in match.trace
        assert match.cause.startswith("TypeError")
