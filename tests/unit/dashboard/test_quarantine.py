"""Matches without a result: the league says how many, the match says why, and hides its boards."""

from dataclasses import dataclass

import pytest
from flask.testing import FlaskClient

from arena.store import leases, queries
from arena.store.database import Store
from arena.store.leases import WORKER_LOST
from arena.store.models import MatchState
from dashboard import words
from dashboard.app import create_app
from tests.leagues import claim_next, make_league
from tests.unit.dashboard.conftest import json_of
from tests.unit.dashboard.markup import Page
from tests.unit.dashboard.played import play_with_bots, save_games


@dataclass(frozen=True)
class Ended:
    """A league of three matches: one played, one quarantined, one lapsed."""

    client: FlaskClient
    league: str
    quarantined: str

    def page(self, address: str) -> str:
        return Page(self.client.get(address, buffered=True).get_data(as_text=True)).words


@pytest.fixture
def ended(empty_store: Store) -> Ended:
    league = make_league(empty_store, ("simple", "greedy", "random"), games=4)
    play_with_bots(empty_store, matches=1)
    for state, cause in (
        (MatchState.QUARANTINED, "ValueError: a broken thing"),
        (MatchState.LAPSED, "an entry was withdrawn"),
    ):
        lease = claim_next(empty_store)
        assert lease is not None
        save_games(empty_store, lease, most=2, forfeit=True)
        with empty_store.writing() as session:
            leases.end_match(session, lease, state, at_us=9, cause=cause)
    with empty_store.reading() as session:
        (row,) = queries.matches(session, state="quarantined").rows
    return Ended(create_app(empty_store).test_client(), league, row.id)


def test_a_league_names_matches_that_have_no_result(ended: Ended) -> None:
    page = ended.page(f"/leagues/{ended.league}")
    assert "1 match is quarantined and not rated" in page
    assert "1 match has lapsed and is not rated" in page
    assert "published when no match of the league is quarantined any more" in page


def test_a_quarantined_match_says_so_and_why(ended: Ended) -> None:
    page = ended.page(f"/matches/{ended.quarantined}")
    assert "This match is quarantined and is not rated" in page
    assert "An error in the arena itself stopped it" in page
    assert "No bot is at fault" in page
    assert "Rounds and replays stay hidden for as long as the match may be played on" in page
    assert "are shown when the match has ended" not in page


def test_evidence_of_a_quarantined_match_stays_hidden(ended: Ended) -> None:
    """R9.5: an organiser may let it be played on."""
    assert "hand AcAd" not in ended.page(f"/matches/{ended.quarantined}")
    match = json_of(ended.client, f"/api/v1/matches/{ended.quarantined}")
    assert match["open"] is False
    assert [game["evidence"] for game in match["games"]] == [None, None]


@pytest.mark.parametrize(
    ("cause", "said"),
    [
        (WORKER_LOST, "The process that played it was lost each time it was begun."),
        (f"{WORKER_LOST}; greedy: TIMEOUT", "The process that played it was lost each time"),
        ("3 voids, the last: the worker was lost", "given up 3 times; the last time, the worker"),
        ("KeyError: 'x'", "An error in the arena itself"),
    ],
)
def test_causes_of_quarantine_are_said_in_words(cause: str, said: str) -> None:
    assert said in words.quarantine(cause)


def test_a_lost_worker_is_explained_where_a_match_waits() -> None:
    assert words.cause_words(WORKER_LOST).startswith("The process that played it was lost")
    assert words.cause_words("TIMEOUT") == words.CAUSES["TIMEOUT"]
    assert words.cause_words("an entry was withdrawn") == ""
