"""A finished league with all that can happen in one, and its bundle."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bundle.exporting import export_league
from arena.notation.record import Void
from arena.referee.outcome import VoidedGame
from arena.store import results
from arena.store.database import Store
from arena.store.leases import Lease
from tests.leagues import LONG, claim_next, forfeit_game, make_league, play_claimed, play_game

NAMES = ["simple", "greedy", "random"]


def play_eventful_league(store: Store) -> str:
    """Play a league: a match with a forfeit and a void, one played plainly, one that lapsed."""
    league = make_league(store, NAMES, games=2)
    leases = [lease for _ in range(3) if (lease := claim_next(store))]
    _play_with_faults(store, leases[0])
    play_claimed(store, leases[1], at_us=11)
    with store.writing() as session:
        results.refuse_match(session, leases[2], 0, cause="REFUSED", at_us=12)
    return league


def _play_with_faults(store: Store, lease: Lease) -> None:
    with store.reading() as session:
        task = results.read_assignment(session, lease)
    first, second = task.plan.games
    void = Void(first.board, "the worker was lost")
    again = play_game(task.plan, first.on(*task.plan.reserve(0)))
    games = [
        replace(again, record=replace(again.record, voids=(void,))),
        forfeit_game(task.plan, second, 1),
    ]
    with store.writing() as session:
        results.void_game(session, lease, VoidedGame(0, void, event=1), until_us=LONG)
    with store.writing() as session:
        results.finish_match(session, lease, task.header, games, at_us=10)


def export(store: Store, league: str, path: Path) -> bytes:
    """Write the bundle of a league and return its bytes."""
    with store.reading() as session, path.open("wb") as file:
        export_league(session, league, file)
    return path.read_bytes()


def open_copy(template: Path, path: Path) -> Store:
    """Open an empty SQLite database at a path."""
    shutil.copyfile(template, path)
    return Store(f"sqlite:///{path}")


@pytest.fixture
def other(sqlite_template: Path, tmp_path: Path) -> Iterator[Store]:
    """Another arena, empty."""
    opened = open_copy(sqlite_template, tmp_path / "other.sqlite3")
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def bundle(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundle of an eventful league; not to be changed."""
    folder = tmp_path_factory.mktemp("bundle")
    store = open_copy(sqlite_template, folder / "arena.sqlite3")
    path = folder / "league.tar.bz2"
    export(store, play_eventful_league(store), path)
    store.close()
    return path
