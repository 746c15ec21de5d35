"""R9.5: of a match that still plays, no hand, record, evidence or seed is shown, to anybody."""

import pytest
from flask.testing import FlaskClient

from arena.store.models import Checkpoint, Game, League
from tests.unit.dashboard.conftest import Arena, json_of
from tests.unit.dashboard.markup import Page


@pytest.fixture
def playing(arena: Arena) -> str:
    """The id of a match with two finished games and two to come."""
    return arena.one(arena.running, "running").id


def secrets_of(arena: Arena) -> list[str]:
    """What the store knows of the running match and league and must not tell."""
    with arena.store.reading() as session:
        records = [row.record for row in session.query(Checkpoint) if row.record]
        league = session.query(League).filter_by(public_id=arena.running).one()
        evidence = [game.faults[0]["evidence"] for game in session.query(Game) if game.faults]
    assert records
    assert evidence
    hidden = [line for text in records for line in text.splitlines() if '"actions"' in line]
    return [
        *[line.split('"actions":"')[1].split('"')[0] for line in hidden],
        evidence[0]["asked"],
        league.organiser_seed.hex(),
        (league.master_seed or b"").hex(),
    ]


@pytest.mark.parametrize(
    "address",
    [
        "/matches/{match}/games/1/rounds/1",
        "/matches/{match}/games/2/rounds/1",
        "/api/v1/matches/{match}/record",
    ],
)
def test_rounds_and_records_are_refused(client: FlaskClient, playing: str, address: str) -> None:
    answer = client.get(address.format(match=playing))
    assert answer.status_code == 403
    assert "still plays" in answer.get_data(as_text=True)


@pytest.mark.parametrize(
    "address",
    [
        "/matches/{match}",
        "/api/v1/matches/{match}",
        "/leagues/{league}",
        "/api/v1/leagues/{league}",
        "/api/v1/leagues/{league}/matches",
    ],
)
def test_pages_of_a_running_match_tell_nothing_of_its_boards(
    client: FlaskClient, arena: Arena, playing: str, address: str
) -> None:
    answer = client.get(address.format(match=playing, league=arena.running))
    assert answer.status_code == 200
    text = answer.get_data(as_text=True)
    assert [secret for secret in secrets_of(arena) if secret in text] == []


def test_match_page_says_why_rounds_are_not_shown(client: FlaskClient, playing: str) -> None:
    page = Page(client.get(f"/matches/{playing}").get_data(as_text=True))
    assert "shown when the match has ended" in page.words
    assert not [link for link in page.links if "/rounds/" in link]


def test_the_same_is_shown_when_the_match_has_ended(client: FlaskClient, arena: Arena) -> None:
    match = arena.one(arena.running, "done").id
    assert client.get(f"/matches/{match}/games/1/rounds/1").status_code == 200
    assert client.get(f"/api/v1/matches/{match}/record").status_code == 200


def test_seed_of_a_finished_league_is_public(client: FlaskClient, arena: Arena) -> None:
    assert json_of(client, f"/api/v1/leagues/{arena.finished}")["organiser_seed"] == "00" * 32
    assert json_of(client, f"/api/v1/leagues/{arena.running}")["organiser_seed"] is None
