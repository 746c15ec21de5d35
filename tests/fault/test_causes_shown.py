"""Five kinds of fault are five causes, the same in the API, in the log and on the pages (R10.6)."""

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from arena.notation.times import read_times
from arena.notation.verify import verify_record
from arena.referee.verdict import Cause
from arena.store import queries, results
from arena.store.database import Store
from arena.store.views import MatchRow
from dashboard.app import create_app
from dashboard.words import CAUSES
from tests.leagues import claim_next, make_league
from tests.unit.dashboard.conftest import json_of
from tests.unit.dashboard.markup import Page
from tests.unit.referee.matches import play
from tests.unit.referee.scripted import (
    ScriptedPlayer,
    Step,
    illegal,
    silent,
    stream_ends,
    unreadable,
)

STEPS: Mapping[str, Step] = {
    "TIMEOUT": silent,
    "ILLEGAL_ACTION": illegal,
    "PROTOCOL_ERROR": unreadable,
    "DISCONNECT": stream_ends(),
    "CRASH": stream_ends(Cause.CRASH),
}
SILENCE_MS = 15_000


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[Store]:
    """A league of five matches: in each one bot shows one fault from its third decision on."""
    path = tmp_path_factory.mktemp("causes") / "arena.sqlite3"
    shutil.copyfile(sqlite_template, path)
    opened = Store(f"sqlite:///{path}")
    make_league(opened, ("faulty", "sound"), games=1, legs=len(STEPS))
    for step in STEPS.values():
        play_next(opened, step)
    yield opened
    opened.close()


def play_next(store: Store, step: Step) -> None:
    """Referee the next match, its bot `faulty` at fault from its third decision on."""
    lease = claim_next(store)
    assert lease is not None
    with store.reading() as session:
        task = results.read_assignment(session, lease)
    players = [
        ScriptedPlayer(dict.fromkeys(range(2, 6), step) if bot.name == "faulty" else None)
        for bot in task.players
    ]
    outcome = play(players[0], players[1], task.plan)
    with store.writing() as session:
        results.finish_match(session, lease, task.header, outcome.games, at_us=1)


@pytest.fixture(scope="module")
def client(store: Store) -> FlaskClient:
    return create_app(store).test_client()


def rows(store: Store) -> list[MatchRow]:
    with store.reading() as session:
        return sorted(queries.matches(session).rows, key=lambda row: row.number)


def faulty(row: MatchRow) -> int:
    return [player.name for player in row.players].index("faulty")


def test_each_kind_has_its_own_cause_in_the_log(store: Store) -> None:
    causes = []
    for row in rows(store):
        with store.reading() as session:
            text = queries.match_record(session, row.id) or ""
            times = queries.match_times(session, row.id) or ""
        record = verify_record(text)
        (game,), ((fault,),) = record.games, [t.faults for t in read_times(times, text, record)]
        assert game.forfeit is not None
        assert (game.forfeit.player, game.winner) == (faulty(row), 1 - faulty(row))
        assert (fault.player, fault.cause) == (game.forfeit.player, game.forfeit.cause)
        assert (fault.received_us is None) == (fault.cause in ("TIMEOUT", "DISCONNECT", "CRASH"))
        causes.append(game.forfeit.cause)
    assert causes == list(STEPS)


def test_the_api_tells_the_causes_of_the_log_with_their_evidence(
    store: Store, client: FlaskClient
) -> None:
    for row, cause in zip(rows(store), STEPS, strict=True):
        (game,) = json_of(client, f"/api/v1/matches/{row.id}")["games"]
        assert (game["cause"], game["forfeiter"]) == (cause, faulty(row))
        evidence = game["evidence"]
        assert evidence["asked"].startswith("round 1")
        assert evidence["answered"]
        if cause == "TIMEOUT":
            assert evidence["charged_us"] == evidence["elapsed_us"] == 1_000 * SILENCE_MS


def test_the_pages_tell_the_causes_of_the_log(store: Store, client: FlaskClient) -> None:
    assert len({CAUSES[cause] for cause in STEPS}) == len(STEPS)
    for row, cause in zip(rows(store), STEPS, strict=True):
        match = Page(client.get(f"/matches/{row.id}").text).words
        replay = Page(client.get(f"/matches/{row.id}/games/1/rounds/1").text).words
        for other in STEPS:
            assert (other in match.split()) == (other == cause)
            assert (CAUSES[other] in match) == (other == cause)
            assert (CAUSES[other] in replay) == (other == cause)


def test_a_forfeit_is_counted_once_for_the_one_and_never_for_the_other(store: Store) -> None:
    with store.reading() as session:
        found = queries.standings(session, rows(store)[0].league_id)
    assert found is not None
    counted = {row.bot.name: (row.games, row.losses, row.forfeits) for row in found.rows}
    assert counted == {"sound": (5, 0, 0), "faulty": (5, 5, 5)}
