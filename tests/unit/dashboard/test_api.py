"""The JSON API tells what the pages tell."""

import json
from typing import Any

from flask.testing import FlaskClient

from arena.notation.verify import verify_record
from tests.unit.dashboard.conftest import BOTS, Arena, json_of


def test_leagues_are_listed_newest_first(client: FlaskClient, arena: Arena) -> None:
    leagues = json_of(client, "/api/v1/leagues")["leagues"]
    assert [league["id"] for league in leagues] == [
        arena.open, arena.running, arena.hostile, arena.finished,
    ]  # fmt: skip


def test_league_has_its_full_rules(client: FlaskClient, arena: Arena) -> None:
    league = json_of(client, f"/api/v1/leagues/{arena.open}")
    assert league["rules"]["knock_limit"] == "upcard"
    assert league["summary"]["preset"] == "oklahoma"


def test_standings_are_strict_json(client: FlaskClient, arena: Arena) -> None:
    for league in (arena.finished, arena.running, arena.open):
        text = client.get(f"/api/v1/leagues/{league}/standings").get_data(as_text=True)
        json.loads(text, parse_constant=lambda name: (_ for _ in ()).throw(ValueError(name)))
    rows = json_of(client, f"/api/v1/leagues/{arena.finished}/standings")["rows"]
    assert sorted(row["bot"]["name"] for row in rows) == sorted(BOTS)
    assert all(row["elo_low"] <= row["elo"] <= row["elo_high"] for row in rows)


def test_cross_table_is_symmetric(client: FlaskClient, arena: Arena) -> None:
    cells = json_of(client, f"/api/v1/leagues/{arena.finished}/cross-table")["cells"]
    by_pair = {(cell["entry_id"], cell["opponent_id"]): cell for cell in cells}
    assert len(by_pair) == 12
    for (entry, opponent), cell in by_pair.items():
        assert cell["wins"] == by_pair[opponent, entry]["losses"]


def test_progress_says_how_far_and_is_not_kept(client: FlaskClient, arena: Arena) -> None:
    answer = client.get(f"/api/v1/leagues/{arena.running}/progress")
    assert answer.headers["Cache-Control"] == "no-store"
    progress: Any = answer.get_json()
    assert (progress["ended"], progress["total"]) == (2, 6)
    assert progress["state"] == "running"
    assert progress["words"]
    assert progress["by_state"]["running"] == 1


def test_record_is_whole_and_verifies(client: FlaskClient, arena: Arena) -> None:
    match = arena.one(arena.finished, "done")
    answer = client.get(f"/api/v1/matches/{match.id}/record")
    assert answer.mimetype == "application/jsonl"
    record = verify_record(answer.get_data(as_text=True))
    assert len(record.games) == match.games_done


def test_match_shows_forfeit_with_evidence(client: FlaskClient, arena: Arena) -> None:
    match = arena.one(arena.hostile, "done")
    games = json_of(client, f"/api/v1/matches/{match.id}")["games"]
    assert games[0]["cause"] == "TIMEOUT"
    assert games[0]["evidence"]["answered"] == "nothing for 15 s"
    assert games[1]["evidence"] is None


def test_bot_and_its_matches(client: FlaskClient, arena: Arena) -> None:
    bot = arena.matches(arena.finished)[0].players[0].bot_id
    assert json_of(client, f"/api/v1/bots/{bot}")["summary"]["id"] == bot
    matches = json_of(client, f"/api/v1/bots/{bot}/matches")["matches"]
    assert len(matches) == 6
    assert json_of(client, "/api/v1/bots")["bots"]


def test_index_is_a_page_or_json(client: FlaskClient) -> None:
    page = client.get("/api/v1", headers={"Accept": "text/html"})
    assert "GET /api/v1/leagues" in page.get_data(as_text=True)
    listed = json_of(client, "/api/v1")["resources"]
    rules = {str(rule) for rule in client.application.url_map.iter_rules()}
    for resource in listed:
        known = resource["path"].replace("{league}", "<league_id>").replace("{bot}", "<bot_id>")
        assert known.replace("{match}", "<match_id>") in rules
