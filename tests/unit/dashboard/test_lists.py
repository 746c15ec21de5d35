"""Long lists go on by keys, at any depth; nonsense keys are refused (H7)."""

import re

import pytest
from flask.testing import FlaskClient

from arena.store.database import Store
from dashboard.app import create_app
from tests.leagues import make_league
from tests.unit.dashboard.conftest import json_of


@pytest.fixture
def crowd(empty_store: Store) -> tuple[FlaskClient, str]:
    """A league of 13 bots with 78 matches to come."""
    league = make_league(empty_store, [f"bot-{n:02}" for n in range(13)], name="Crowd")
    return create_app(empty_store).test_client(), league


def test_pages_of_matches_show_each_match_once(crowd: tuple[FlaskClient, str]) -> None:
    client, league = crowd
    address: str | None = f"/leagues/{league}"
    seen: list[int] = []
    pages = 0
    while address:
        html = client.get(address).get_data(as_text=True)
        seen += [int(n) for n in re.findall(r">#(\d+)</a>", html)]
        more = re.search(r'rel="next" href="([^"#]+)', html)
        address = more.group(1) if more else None
        pages += 1
    assert seen == list(range(78, 0, -1))
    assert pages == 4


def test_api_lists_go_on_with_next(crowd: tuple[FlaskClient, str]) -> None:
    client, league = crowd
    first = json_of(client, f"/api/v1/leagues/{league}/matches")
    second = json_of(client, f"/api/v1/leagues/{league}/matches?after={first['next']}")
    numbers = [row["number"] for row in first["matches"] + second["matches"]]
    assert numbers == list(range(77, -1, -1))
    assert second["next"] is None


@pytest.mark.parametrize("key", ["1000000000", "' OR 1=1 --", "a" * 17, "é" * 16, "-1", ""])
def test_keys_that_cannot_be_are_refused(crowd: tuple[FlaskClient, str], key: str) -> None:
    client, league = crowd
    for address in ("/leagues", f"/leagues/{league}", "/bots", f"/api/v1/leagues/{league}/matches"):
        assert client.get(address, query_string={"after": key}).status_code == 404, address


def test_a_key_of_nothing_ends_the_list_and_leads_back(crowd: tuple[FlaskClient, str]) -> None:
    client, league = crowd
    text = client.get(f"/leagues/{league}?after={'z' * 16}").get_data(as_text=True)
    assert "Nothing further back" in text
    assert "#matches" in text


@pytest.mark.parametrize("after", ["99999", "10000000000", "-1", "x"])
def test_games_after_the_last_are_refused(crowd: tuple[FlaskClient, str], after: str) -> None:
    client, league = crowd
    match = json_of(client, f"/api/v1/leagues/{league}/matches")["matches"][0]["id"]
    assert client.get(f"/matches/{match}?after={after}").status_code == 404
