"""Export, verify, rate, import, export again: the same facts, the same figures, the same bytes."""

import io
import tarfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from arena.bundle.exporting import export_league
from arena.bundle.importing import import_league
from arena.bundle.proof import verify_bundle
from arena.bundle.rating import rate_bundle
from arena.store import queries
from arena.store.database import Store, StoreError
from arena.store.models import BotKind, BotVersion
from arena.store.views import Standings
from tests.leagues import make_league, play_league

NAMES = ["simple", "greedy", "random"]


@pytest.fixture
def other(sqlite_template: Path, tmp_path: Path) -> Iterator[Store]:
    """Another arena, empty."""
    path = tmp_path / "other.sqlite3"
    path.write_bytes(sqlite_template.read_bytes())
    opened = Store(f"sqlite:///{path}")
    yield opened
    opened.close()


def _export(store: Store, league: str, path: Path) -> bytes:
    with store.reading() as session, path.open("wb") as file:
        export_league(session, league, file)
    return path.read_bytes()


def _finished(store: Store) -> str:
    league = make_league(store, NAMES, games=2)
    play_league(store)
    return league


def _standings(store: Store, league: str) -> Standings:
    with store.reading() as session:
        found = queries.standings(session, league)
    assert found is not None
    return found


def test_a_bundle_goes_round_and_comes_back_equal(
    store: Store, other: Store, tmp_path: Path
) -> None:
    league = _finished(store)
    path = tmp_path / "league.tar.bz2"
    first = _export(store, league, path)
    assert _export(store, league, tmp_path / "again") == first

    proof = verify_bundle(path)
    assert (proof.problems, proof.matches, proof.games) == ([], 3, 6)
    assert proof.deals >= 6
    assert rate_bundle(path).differences == []

    for new in (True, False):
        with other.writing() as session:
            assert import_league(session, path) == (league, new)
    assert _export(other, league, tmp_path / "back") == first

    ours, theirs = _standings(store, league), _standings(other, league)
    assert [(row.elo, row.elo_low, row.points_per_round) for row in ours.rows] == [
        (row.elo, row.elo_low, row.points_per_round) for row in theirs.rows
    ]
    assert ours.flags == theirs.flags
