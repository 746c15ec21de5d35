"""One store with a finished, a running, an open and a hostile league, read by all page tests."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from arena.store import queries
from arena.store.database import Store
from arena.store.repository import LeagueSpec, create_league
from arena.store.schema import upgrade
from arena.store.views import MatchRow
from dashboard.app import create_app
from tests.leagues import claim_next, make_league
from tests.unit.dashboard.played import play_with_bots, save_games

BOTS = ("greedy", "patient", "simple", "random")
HOSTILE = (
    '"><img src=x onerror=alert(1)>',
    "' onmouseover=alert(1) x='",
    "javascript:alert(1)",
    "{{ 7 * 7 }}</script><script>alert(1)</script>",
)


def json_of(client: FlaskClient, address: str) -> Any:
    """Return what the API answers, which must be JSON."""
    answer = client.get(address)
    assert answer.is_json, f"{address}: {answer.mimetype}"
    return answer.get_json()


@dataclass(frozen=True)
class Arena:
    """The store and what is in it."""

    store: Store
    finished: str
    running: str
    open: str
    hostile: str

    def matches(self, league: str) -> tuple[MatchRow, ...]:
        with self.store.reading() as session:
            return queries.matches(session, league_id=league, limit=500).rows

    def one(self, league: str, state: str) -> MatchRow:
        return next(row for row in self.matches(league) if row.state == state)


def fill(store: Store) -> Arena:
    """Fill a store; the running league keeps one match in play and some that wait."""
    finished = make_league(store, BOTS, name="First light", games=4)
    play_with_bots(store)
    hostile = make_league(store, HOSTILE, name="<b>bold</b> & 'quoted\"", games=2)
    play_with_bots(store, forfeit=True)
    running = make_league(store, BOTS, name="Evening", games=4, organiser_seed=b"seed" * 8)
    play_with_bots(store, matches=2)
    lease = claim_next(store)
    assert lease is not None
    save_games(store, lease, most=2, forfeit=True)
    with store.writing() as session:
        still_open = create_league(session, LeagueSpec(name="Next week", preset="oklahoma"))
    return Arena(store, finished, running, still_open, hostile)


@pytest.fixture(scope="session")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """A filled store; tests only read it."""
    store = Store(f"sqlite:///{tmp_path_factory.mktemp('pages') / 'arena.sqlite3'}")
    upgrade(store)
    yield fill(store)
    store.close()


@pytest.fixture
def empty_store(tmp_path: Path) -> Iterator[Store]:
    """A store without anything in it."""
    store = Store(f"sqlite:///{tmp_path / 'arena.sqlite3'}")
    upgrade(store)
    yield store
    store.close()


@pytest.fixture(scope="session")
def client(arena: Arena) -> FlaskClient:
    """A client of the dashboard on the filled store."""
    return create_app(arena.store).test_client()
