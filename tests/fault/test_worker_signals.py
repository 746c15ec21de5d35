"""W13: a worker that is asked to go, politely and then not, in the middle of a match."""

import os
import signal
from pathlib import Path

import psutil
import pytest
from sqlalchemy import func, select

from arena.notation.verify import verify_record
from arena.store import queries
from arena.store.database import Store
from arena.store.models import Checkpoint, Game, MatchState
from tests.workers import Arena, run_arena

pytestmark = pytest.mark.slow
GAMES = 12


def games_done(store: Store) -> dict[int, list[int]]:
    """Return the totals of the finished games by number."""
    with store.reading() as session:
        return {game.number: game.totals for game in session.scalars(select(Game))}


def family(pid: int) -> list[psutil.Process]:
    parent = psutil.Process(pid)
    return [parent, *parent.children(recursive=True)]


def start_match(arena: Arena) -> None:
    bots = [("slow", arena.start_slow_bot()), ("simple", arena.start_bot("simple"))]
    arena.open_league(bots, games=GAMES)
    arena.start_scheduler()


def test_a_worker_that_is_stopped_leaves_its_match_to_the_next(
    store: Store, database_url: str, tmp_path: Path
) -> None:
    with run_arena(store, database_url, tmp_path, worker_processes=1) as arena:
        start_match(arena)
        worker = arena.start_worker("first")
        arena.wait(lambda: 1 <= len(games_done(store)) < GAMES, "the first games")
        processes, kept = family(worker.pid), games_done(store)
        for number in (signal.SIGTERM, signal.SIGQUIT):
            os.kill(worker.pid, number)
        arena.start_worker("second")
        arena.wait_for_end()
        arena.wait(lambda: worker.status is not None, "the end of the first worker")
        arena.processes.processes.remove(worker)
        psutil.wait_procs(processes, timeout=30)
        assert not [process for process in processes if process.is_running()]

        (match,) = arena.matches()
        assert match.state == MatchState.DONE
        assert match.attempt <= 2
        with store.reading() as session:
            (row,) = queries.matches(session).rows
            record = verify_record(queries.match_record(session, row.id) or "")
            left = session.scalar(select(func.count()).select_from(Checkpoint))
        assert [game.forfeit for game in record.games] == [None] * GAMES
        assert (row.games_done, left) == (GAMES, 0)
        now = games_done(store)
        assert {number: now[number] for number in kept} == kept
