"""Every page on a store of real games: what it says, and what it must not contain."""

import re
from collections import deque
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

import dashboard
from arena.schedule.plan import BoardMode
from arena.store import queries
from arena.store.database import Store
from dashboard.app import create_app
from dashboard.security import POLICY
from tests.leagues import make_league
from tests.unit.dashboard.conftest import HOSTILE, Arena
from tests.unit.dashboard.markup import Page

TEMPLATES = sorted((Path(dashboard.__file__).parent / "templates").glob("*.html"))


def page_of(client: FlaskClient, address: str, status: int = 200) -> Page:
    answer = client.get(address, headers={"Accept": "text/html"}, buffered=True)
    assert answer.status_code == status, f"{address}: {answer.status_code}"
    return Page(answer.get_data(as_text=True))


def all_pages(client: FlaskClient, most: int = 80) -> dict[str, Page]:
    """Follow links from the first page and return every page found, by address."""
    found: dict[str, Page] = {}
    waiting = deque(["/"])
    while waiting and len(found) < most:
        address = waiting.popleft()
        if address in found or re.match(r"/(static|api/v1/.+)", address):
            continue
        found[address] = page_of(client, address)
        waiting.extend(link.split("#")[0] for link in found[address].links if link[0] == "/")
    return found


def test_every_page_reached_by_links_is_clean(client: FlaskClient) -> None:
    pages = all_pages(client)
    kinds = {re.sub(r"[a-z0-9]{16}|\d+", "*", address.split("?")[0]) for address in pages}
    assert kinds >= {
        "/", "/leagues", "/leagues/*", "/bots", "/bots/*", "/matches/*",
        "/matches/*/games/*/rounds/*", "/api/v*",
    }  # fmt: skip
    faults = {address: page.faults for address, page in pages.items() if page.faults}
    assert not faults
    doubled = {a: p.ids for a, p in pages.items() if len(set(p.ids)) < len(p.ids)}
    assert not doubled


def test_links_lead_to_answers(client: FlaskClient) -> None:
    addresses = {
        link.split("#")[0] for page in all_pages(client, 20).values() for link in page.links
    }
    for address in sorted(addresses - {""}):
        assert client.get(address, buffered=True).status_code == 200, address


def test_home_shows_what_runs_who_leads_and_what_was_played(
    client: FlaskClient, arena: Arena
) -> None:
    words = page_of(client, "/").words
    assert "Playing now" in words
    assert "2 of 6 matches" in words
    assert "Latest results" in words
    assert "Top bots" in words
    assert "95 % interval" in words


def test_home_of_an_empty_arena_says_what_to_do_next(empty_store: Store) -> None:
    client = create_app(empty_store).test_client()
    assert "No league yet" in page_of(client, "/").words
    assert "./gin-arena demo" in page_of(client, "/").words
    assert "gin-arena league create" in page_of(client, "/leagues").words
    assert "No bot yet" in page_of(client, "/bots").words


def test_a_league_on_mirrored_boards_says_what_bots_could_remember(empty_store: Store) -> None:
    mirrored = make_league(empty_store, ["a", "b"], boards=BoardMode.MIRRORED)
    private = make_league(empty_store, ["c", "d"])
    client = create_app(empty_store).test_client()
    told = "A bot keeps its process between seatings"
    assert told in page_of(client, f"/leagues/{mirrored}").words
    assert told not in page_of(client, f"/leagues/{private}").words


def test_standings_have_an_interval_and_a_bar_for_every_rank(
    client: FlaskClient, arena: Arena
) -> None:
    html = client.get(f"/leagues/{arena.finished}").get_data(as_text=True)
    with arena.store.reading() as session:
        standings = queries.standings(session, arena.finished)
    assert standings is not None
    words = Page(html).words
    for row in standings.rows:
        assert f"{row.elo_low:.0f} to {row.elo_high:.0f}" in words
    assert html.count('class="interval"') == len(standings.rows)
    assert "anchor" in words


def test_league_page_tells_rules_format_and_commitment(client: FlaskClient, arena: Arena) -> None:
    with arena.store.reading() as session:
        league = queries.league(session, arena.finished)
    assert league is not None
    words = page_of(client, f"/leagues/{arena.finished}").words
    assert "A seat may knock with 10 points of deadwood or fewer." in words
    assert league.commitment in words
    assert "knock_limit" in words
    assert "Every pair meets once" in words


def test_cross_table_is_a_table_with_shares_of_games(client: FlaskClient, arena: Arena) -> None:
    html = client.get(f"/leagues/{arena.finished}").get_data(as_text=True)
    table = html.partition('<table class="cross">')[2].partition("</table>")[0]
    assert table.count("<tr>") == 5
    assert table.count('class="share"') == 12
    assert "100 %" in table


def test_open_league_has_no_standings_and_says_why(client: FlaskClient, arena: Arena) -> None:
    words = page_of(client, f"/leagues/{arena.open}").words
    assert "waits for its start" in words
    assert "first upcard sets the knock limit" in words


def test_bot_page_shows_its_rating_versions_and_matches(client: FlaskClient, arena: Arena) -> None:
    bot = arena.matches(arena.finished)[0].players[0]
    words = page_of(client, f"/bots/{bot.bot_id}").words
    assert "First light" in words
    assert "of 4" in words
    assert "Versions" in words
    assert words.count("Played") >= 3


def test_match_page_lists_games_rounds_and_margins(client: FlaskClient, arena: Arena) -> None:
    match = arena.one(arena.finished, "done")
    html = client.get(f"/matches/{match.id}").get_data(as_text=True)
    page = Page(html)
    rounds = [link for link in page.links if "/rounds/" in link]
    assert len(rounds) == match.rounds
    assert html.count("<polyline") == match.games_done == 4
    assert "Download the record" in page.words


def test_forfeit_is_marked_with_cause_and_evidence(client: FlaskClient, arena: Arena) -> None:
    match = arena.one(arena.hostile, "done")
    page = page_of(client, f"/matches/{match.id}")
    assert "forfeit-1" in page.ids
    assert "Ran out of time." in page.words
    assert "nothing for 15 s" in page.words
    assert "TIMEOUT" in page.words


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_text_on_every_page(name: str, client: FlaskClient, arena: Arena) -> None:
    match = next(
        row for row in arena.matches(arena.hostile) if name in [p.name for p in row.players]
    )
    bot = next(player for player in match.players if player.name == name)
    addresses = [
        f"/leagues/{arena.hostile}", f"/bots/{bot.bot_id}", "/bots", f"/matches/{match.id}",
        f"/matches/{match.id}/games/2/rounds/1",
    ]  # fmt: skip
    for address in addresses:
        page = page_of(client, address)
        assert not page.faults, address
        assert " ".join(name.split()) in page.words, address


def test_templates_quote_every_attribute() -> None:
    unquoted = re.compile(r"\s[a-z-]+=\{\{")
    for path in TEMPLATES:
        assert not unquoted.search(path.read_text()), path.name
        assert "|safe" not in path.read_text().replace(" ", ""), path.name


@pytest.mark.parametrize("address", ["/", "/nope", "/api/v1/leagues", "/static/site.css"])
def test_every_answer_carries_the_security_headers(client: FlaskClient, address: str) -> None:
    headers = client.get(address, buffered=True).headers
    assert headers["Content-Security-Policy"] == POLICY
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "Strict-Transport-Security" not in headers
    assert "Set-Cookie" not in headers


def test_hsts_is_sent_under_https_only(client: FlaskClient) -> None:
    assert "Strict-Transport-Security" in client.get("/", base_url="https://localhost").headers


def test_policy_allows_nothing_but_our_own() -> None:
    assert "default-src 'none'" in POLICY
    assert "unsafe" not in POLICY
    assert "http" not in POLICY


@pytest.mark.parametrize(
    "address",
    ["/nope", "/leagues/aaaaaaaaaaaaaaaa", "/bots/x", "/matches/..", "/leagues?after=10000000000"],
)
def test_unknown_address_gets_a_page_that_helps(client: FlaskClient, address: str) -> None:
    page = page_of(client, address, 404)
    assert "Not Found" in page.words
    assert "/leagues" in page.links
    assert not page.faults


def test_unknown_resource_is_a_problem_document(client: FlaskClient) -> None:
    answer = client.get("/api/v1/leagues/aaaaaaaaaaaaaaaa")
    assert answer.status_code == 404
    assert answer.mimetype == "application/problem+json"
    assert {"title": "Not Found", "status": 404}.items() <= (answer.get_json() or {}).items()


@pytest.mark.parametrize("address", ["/", "/leagues", "/api/v1/leagues"])
def test_pages_only_read(client: FlaskClient, address: str) -> None:
    assert client.post(address, data={"a": "b"}).status_code == 405


def test_a_fault_of_ours_is_a_500_page_without_a_trace(empty_store: Store) -> None:
    app: Flask = create_app(empty_store)
    with empty_store.engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE match_player")
    answer = app.test_client().get("/")
    assert answer.status_code == 500
    words = Page(answer.get_data(as_text=True)).words
    assert "fault is the arena's own" in words
    assert "match_player" not in words


def test_health_answers_while_the_store_does(client: FlaskClient) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.text) == (200, "ok\n")


def test_requests_for_foreign_hosts_are_refused_where_hosts_are_named(arena: Arena) -> None:
    client = create_app(arena.store, trusted_hosts=["arena.example"]).test_client()
    assert client.get("/", base_url="http://arena.example").status_code == 200
    assert client.get("/", base_url="http://evil.example").status_code == 400


def test_static_files_are_named_by_content_and_kept(client: FlaskClient) -> None:
    page = page_of(client, "/")
    sheet = next(link for link in page.links if "site.css" in link)
    assert re.search(r"\?v=[0-9a-f]{10}$", sheet)
    assert "max-age=31536000" in client.get(sheet, buffered=True).headers["Cache-Control"]


def test_first_page_is_light(client: FlaskClient) -> None:
    page = page_of(client, "/")
    files = {link.split("#")[0] for link in page.links if link.startswith("/static/")}
    sizes = [len(client.get(name, buffered=True).data) for name in {"/", *files}]
    assert len(sizes) >= 5
    assert sum(sizes) < 200_000
