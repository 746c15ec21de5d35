"""The JSON API tells what the pages tell."""

import json

from flask.testing import FlaskClient

from arena.notation.verify import verify_record
from tests.unit.dashboard.conftest import BOTS, Arena


def test_leagues_are_listed_newest_first(client: FlaskClient, arena: Arena) -> None:
    leagues = client.get("/api/v1/leagues").json["leagues"]
    assert [league["id"] for league in leagues] == [
        arena.open, arena.running, arena.hostile, arena.finished,
    ]  # fmt: skip


def test_league_has_its_full_rules(client: FlaskClient, arena: Arena) -> None:
    league = client.get(f"/api/v1/leagues/{arena.open}").json
    assert league["rules"]["knock_limit"] == "upcard"
    assert league["summary"]["preset"] == "oklahoma"


def test_standings_are_strict_json(client: FlaskClient, arena: Arena) -> None:
    for league in (arena.finished, arena.running, arena.open):
        text = client.get(f"/api/v1/leagues/{league}/standings").get_data(as_text=True)
        json.loads(text, parse_constant=lambda name: (_ for _ in ()).throw(ValueError(name)))
    rows = client.get(f"/api/v1/leagues/{arena.finished}/standings").json["rows"]
    assert sorted(row["bot"]["name"] for row in rows) == sorted(BOTS)
    assert all(row["elo_low"] <= row["elo"] <= row["elo_high"] for row in rows)


def test_cross_table_is_symmetric(client: FlaskClient, arena: Arena) -> None:
    cells = client.get(f"/api/v1/leagues/{arena.finished}/cross-table").json["cells"]
    by_pair = {(cell["entry_id"], cell["opponent_id"]): cell for cell in cells}
    assert len(by_pair) == 12
    for (entry, opponent), cell in by_pair.items():
        assert cell["wins"] == by_pair[opponent, entry]["losses"]


def test_progress_says_how_far_and_is_not_kept(client: FlaskClient, arena: Arena) -> None:
    answer = client.get(f"/api/v1/leagues/{arena.running}/progress")
    assert answer.headers["Cache-Control"] == "no-store"
    assert (answer.json["ended"], answer.json["total"]) == (2, 6)
    assert answer.json["state"] == "running"
    assert answer.json["words"]
    assert answer.json["by_state"]["running"] == 1


def test_record_is_whole_and_verifies(client: FlaskClient, arena: Arena) -> None:
    match = arena.one(arena.finished, "done")
    answer = client.get(f"/api/v1/matches/{match.id}/record")
    assert answer.mimetype == "application/jsonl"
    record = verify_record(answer.get_data(as_text=True))
    assert len(record.games) == match.games_done


def test_match_shows_forfeit_with_evidence(client: FlaskClient, arena: Arena) -> None:
    match = arena.one(arena.hostile, "done")
    games = client.get(f"/api/v1/matches/{match.id}").json["games"]
    assert games[0]["cause"] == "TIMEOUT"
    assert games[0]["evidence"]["answered"] == "nothing for 15 s"
    assert games[1]["evidence"] is None


def test_bot_and_its_matches(client: FlaskClient, arena: Arena) -> None:
    bot = arena.matches(arena.finished)[0].players[0].bot_id
    assert client.get(f"/api/v1/bots/{bot}").json["summary"]["id"] == bot
    matches = client.get(f"/api/v1/bots/{bot}/matches").json["matches"]
    assert len(matches) == 6
    assert client.get("/api/v1/bots").json["bots"]


def test_index_is_a_page_or_json(client: FlaskClient) -> None:
    page = client.get("/api/v1", headers={"Accept": "text/html"})
    assert "GET /api/v1/leagues" in page.get_data(as_text=True)
    listed = client.get("/api/v1").json["resources"]
    rules = {str(rule) for rule in client.application.url_map.iter_rules()}
    for resource in listed:
        known = resource["path"].replace("{league}", "<league_id>").replace("{bot}", "<bot_id>")
        assert known.replace("{match}", "<match_id>") in rules
