"""A league proved over the API of an arena that serves it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import select
from werkzeug.serving import WSGIRequestHandler, make_server

from arena.bundle.archive import BundleError
from arena.bundle.proof import Proof
from arena.bundle.remote import verify_remote
from arena.notation.chain import mend
from arena.notation.pack import pack, unpack
from arena.store.database import Store
from arena.store.models import Entry, League, MatchLog
from dashboard.app import create_app
from tests.leagues import make_league
from tests.unit.bundle.conftest import open_copy, play_eventful_league


class _Quiet(WSGIRequestHandler):
    def log(self, type: str, message: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def _serving(store: Store) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, create_app(store), request_handler=_Quiet)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def here(sqlite_template: Path, tmp_path: Path) -> Iterator[Store]:
    """A store on SQLite."""
    opened = open_copy(sqlite_template, tmp_path / "arena.sqlite3")
    yield opened
    opened.close()


def _verify(store: Store, league: str, path: str = "/leagues/") -> Proof:
    with _serving(store) as root:
        return verify_remote(f"{root}{path}{league}")


def test_a_league_holds_by_its_page_and_by_its_resource(here: Store) -> None:
    league = play_eventful_league(here)
    for path in ("/leagues/", "/api/v1/leagues/"):
        proof = _verify(here, league, path)
        assert (proof.problems, proof.matches, proof.games, proof.unplayed) == ([], 2, 4, 1)


def test_a_seed_that_does_not_fit_its_commitment_is_found(here: Store) -> None:
    league = play_eventful_league(here)
    with here.writing() as session:
        session.scalars(select(League)).one().organiser_seed = bytes([1] * 32)
    proof = _verify(here, league)
    assert proof.problems[0].startswith("commitment: the revealed seed has SHA-256 ")
    assert "its deals come from seed" in proof.problems[1]


def test_another_nonce_is_found(here: Store) -> None:
    league = play_eventful_league(here)
    with here.writing() as session:
        session.scalars(select(Entry).where(Entry.number == 0)).one().nonce = bytes([9] * 32)
    assert any("its deals come from seed" in problem for problem in _verify(here, league).problems)


def test_a_deal_of_another_seed_is_named(here: Store) -> None:
    league = play_eventful_league(here)
    with here.writing() as session:
        log = session.scalars(select(MatchLog).order_by(MatchLog.match_id.desc())).first()
        assert log is not None
        lines = unpack(log.record).split("\n")
        lines[1] = (
            lines[1].replace('"seed":"', '"seed":"00', 1).replace('","seating"', '","seating"')
        )
        start = lines[1].index('"seed":"') + 8
        lines[1] = lines[1][: start + 64] + lines[1][start + 66 :]
        log.record = pack(mend("\n".join(lines)))
    problems = _verify(here, league).problems
    assert any("game 0: its deals come from seed 00" in problem for problem in problems), problems


def test_a_running_league_is_refused(here: Store) -> None:
    league = make_league(here, ["simple", "greedy"])
    with pytest.raises(BundleError, match="has not finished; its seed is public when it has"):
        _verify(here, league)


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:1/bots/aaaaaaaaaaaaaaaa",
        "file:///leagues/aaaaaaaaaaaaaaaa",
        "ftp://127.0.0.1/leagues/aaaaaaaaaaaaaaaa",
        "http:///leagues/aaaaaaaaaaaaaaaa",
    ],
)
def test_only_addresses_of_leagues_are_asked(address: str) -> None:
    with pytest.raises(BundleError, match="is no league's address"):
        verify_remote(address)


def test_an_arena_that_is_away_or_knows_no_such_league_is_told(here: Store) -> None:
    with pytest.raises(BundleError, match="does not answer"):
        verify_remote("http://127.0.0.1:1/leagues/aaaaaaaaaaaaaaaa")
    with pytest.raises(BundleError, match="is not there"):
        _verify(here, "aaaaaaaaaaaaaaaa")
