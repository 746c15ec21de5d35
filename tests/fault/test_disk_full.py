"""W12: a full disk loses what could not be written, and nothing else."""

import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from arena.notation.verify import verify_record
from arena.referee.outcome import FinishedGame
from arena.store import leases, queries, results
from arena.store.database import Store
from arena.store.leases import Lease
from arena.store.models import MatchState
from arena.store.results import Assignment
from tests.leagues import LONG, claim_next, make_league, play_game


@pytest.fixture
def full_store(tmp_path: Path, sqlite_template: Path) -> Iterator[Store]:
    path = tmp_path / "arena.sqlite3"
    path.write_bytes(sqlite_template.read_bytes())
    store = Store(f"sqlite:///{path}")
    yield store
    store.close()


@contextmanager
def little_room(folder: Path, *, left: int) -> Iterator[None]:
    """Let every write fail that would make SQLite's log of writes larger by so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    now = (folder / "arena.sqlite3-wal").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (now + left, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def assignment(store: Store, lease: Lease) -> Assignment:
    with store.reading() as session:
        return results.read_assignment(session, lease)


def save(store: Store, task: Assignment, game: FinishedGame) -> None:
    plan = task.plan.games[game.record.index]
    with store.writing() as session:
        results.begin_game(session, task.lease, plan, until_us=LONG)
    with store.writing() as session:
        results.save_game(session, task.lease, task.header, game, until_us=LONG)


def test_a_match_goes_on_from_its_last_game_when_there_is_room_again(
    full_store: Store, tmp_path: Path
) -> None:
    make_league(full_store, ["a", "b"], games=20)
    lease = claim_next(full_store)
    assert lease is not None
    task = assignment(full_store, lease)
    games = [play_game(task.plan, plan, strong=None) for plan in task.plan.games]
    saved = 0
    with little_room(tmp_path, left=200_000), pytest.raises(OperationalError, match=r"disk|full"):  # noqa: PT012
        for game in games:
            save(full_store, task, game)
            saved += 1
    assert 0 < saved < 20

    with full_store.reading() as session:
        (row,) = queries.matches(session).rows
    assert (row.state, row.games_done) == (MatchState.RUNNING, saved)
    with full_store.writing() as session:
        assert leases.reap(session, at_us=LONG + 1, attempts=3) == 1
    heir = claim_next(full_store, owner="heir")
    assert heir is not None
    assert heir.attempt == 2
    again = assignment(full_store, heir)
    assert [game.record for game in again.finished] == [game.record for game in games[:saved]]
    assert set(again.begun) <= {saved}

    with full_store.writing() as session:
        results.finish_match(session, heir, again.header, games, at_us=2)
    with full_store.reading() as session:
        (row,) = queries.matches(session).rows
        record = verify_record(queries.match_record(session, row.id) or "")
    assert (row.state, row.games_done, row.cause) == (MatchState.DONE, 20, "")
    assert [game.forfeit for game in record.games] == [None] * 20


def test_a_result_that_finds_no_room_is_not_there_by_half(
    full_store: Store, tmp_path: Path
) -> None:
    league = make_league(full_store, ["a", "b"], games=20)
    lease = claim_next(full_store)
    assert lease is not None
    task = assignment(full_store, lease)
    games = [play_game(task.plan, plan, strong=None) for plan in task.plan.games]

    def finish() -> None:
        with full_store.writing() as session:
            results.finish_match(session, lease, task.header, games, at_us=2)

    with little_room(tmp_path, left=20_000), pytest.raises(OperationalError, match=r"disk|full"):
        finish()
    with full_store.reading() as session:
        (row,) = queries.matches(session).rows
        standings = queries.standings(session, league)
    assert (row.state, row.games_done, row.points) == (MatchState.RUNNING, 0, (0, 0))
    assert standings is not None
    assert standings.games == 0
    finish()
    with full_store.reading() as session:
        standings = queries.standings(session, league)
    assert standings is not None
    assert standings.games == 20
    with closing(sqlite3.connect(tmp_path / "arena.sqlite3")) as plain:
        assert plain.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
