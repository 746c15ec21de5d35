"""Export, verify, rate, import, export again: the same facts, the same figures, the same bytes."""

import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from arena.bundle.archive import BundleError, read_parts
from arena.bundle.importing import import_league
from arena.bundle.proof import verify_bundle
from arena.bundle.rating import rate_bundle
from arena.schedule.plan import BoardMode
from arena.store import queries, repository
from arena.store.database import Store, StoreError
from arena.store.models import Bot, BotKind, BotVersion, League
from arena.store.views import BotDetail, Standings
from tests.leagues import make_league, play_league
from tests.unit.bundle.conftest import export, play_eventful_league


def _standings(store: Store, league: str) -> Standings:
    with store.reading() as session:
        found = queries.standings(session, league)
    assert found is not None
    return found


def test_a_bundle_goes_round_and_comes_back_equal(
    store: Store, other: Store, tmp_path: Path
) -> None:
    league = play_eventful_league(store)
    path = tmp_path / "league.tar.bz2"
    first = export(store, league, path)
    assert export(store, league, tmp_path / "again") == first

    proof = verify_bundle(path)
    assert (proof.problems, proof.matches, proof.games, proof.unplayed) == ([], 2, 4, 1)
    assert proof.deals >= 4
    assert rate_bundle(path).differences == []

    for new in (True, False):
        with other.writing() as session:
            assert import_league(session, path) == (league, new)
        assert export(other, league, tmp_path / "back") == first
    ours, theirs = _standings(store, league), _standings(other, league)
    assert [(row.elo, row.elo_low, row.points_per_round) for row in ours.rows] == [
        (row.elo, row.elo_low, row.points_per_round) for row in theirs.rows
    ]
    assert (ours.games, ours.flags) == (theirs.games, theirs.flags)


@pytest.mark.parametrize(
    "values",
    [
        {"preset": "hollywood", "boards": BoardMode.MIRRORED, "legs": 2},
        {"preset": "captain", "games": 6},
        {"preset": "oklahoma", "options": {"target": 50}, "games": 1},
    ],
    ids=lambda values: str(values["preset"]),
)
def test_leagues_of_all_kinds_go_round(
    store: Store, other: Store, tmp_path: Path, values: dict[str, Any]
) -> None:
    league = make_league(store, ["simple", "greedy", "random"], **values)
    play_league(store)
    path = tmp_path / "league.tar.bz2"
    first = export(store, league, path)
    assert verify_bundle(path).problems == []
    assert rate_bundle(path).differences == []
    with other.writing() as session:
        import_league(session, path)
    assert export(other, league, tmp_path / "back") == first


def test_pages_of_an_imported_league_say_the_same(store: Store, bundle: Path) -> None:
    with store.writing() as session:
        league, _ = import_league(session, bundle)
    with store.reading() as session:
        detail = queries.league(session, league)
        page = queries.matches(session, league_id=league)
        shown = queries.match(session, page.rows[-1].id)
    assert detail is not None
    assert detail.summary.matches_ended == detail.summary.matches_total == 3
    assert [row.state for row in page.rows] == ["lapsed", "done", "done"]
    assert shown is not None
    forfeited = shown.games[1]
    assert (forfeited.forfeiter, forfeited.cause) == (1, "TIMEOUT")
    assert forfeited.evidence is not None
    assert forfeited.evidence.asked == "round 1: draw"
    assert shown.games[0].voids == ((shown.games[0].board & ~0xFFFF, "the worker was lost"),)


def _bots(store: Store) -> dict[str, BotDetail]:
    with store.reading() as session:
        found = [queries.bot(session, bot.id) for bot in queries.bots(session)]
    return {bot.summary.name: bot for bot in found if bot}


def test_imported_bots_are_marked_and_never_play(store: Store, bundle: Path) -> None:
    with store.writing() as session:
        local = repository.submit_bot(session, "greedy", version="1", host="127.0.0.1", port=9)
    with store.writing() as session:
        import_league(session, bundle)
    bots = _bots(store)
    (imported,) = [name for name in bots if name.startswith("greedy (imported ")]
    assert bots["greedy"].summary.games == 0
    assert bots[imported].summary.games > 0
    assert [version.kind for version in bots[imported].versions] == [BotKind.IMPORTED]
    with store.writing() as session:
        league = repository.create_league(session, repository.LeagueSpec(name="New"))
        repository.enter(session, league, version_id=local)
        found = queries.find_version(session, imported)
        assert found is not None
        with pytest.raises(StoreError, match="never plays"):
            repository.enter(session, league, version_id=found)
        with pytest.raises(StoreError, match="was imported"):
            repository.submit_bot(session, imported, version="1", host="127.0.0.1", port=9)


def test_the_anchor_is_the_one_of_this_arena(store: Store, bundle: Path) -> None:
    with store.writing() as session:
        import_league(session, bundle)
        repository.submit_bot(session, "simple", version="1", host="127.0.0.1", port=9)
        ports = session.scalars(
            select(BotVersion.port)
            .join(Bot, Bot.id == BotVersion.bot_id)
            .where(Bot.name == "simple")
        ).all()
    assert ports == [9]


def test_a_bundle_adds_nothing_to_bots_of_this_arena(
    store: Store, other: Store, tmp_path: Path
) -> None:
    league = play_eventful_league(store)
    export(store, league, tmp_path / "league")
    with store.reading() as session:
        taken = session.scalars(select(Bot.public_id).where(Bot.name == "greedy")).one()
    with other.writing() as session:
        session.add(Bot(public_id=taken, name="greedy", created_us=0))
    with (
        pytest.raises(BundleError, match="registered in this arena as greedy"),
        other.writing() as s,
    ):
        import_league(s, tmp_path / "league")
    assert _bots(other).keys() == {"greedy"}


def test_the_same_league_with_other_facts_is_refused(store: Store, bundle: Path) -> None:
    with store.writing() as session:
        league, _ = import_league(session, bundle)
        name = session.scalars(select(League)).one()
        name.licence = "CC0-1.0"
    told = rf"{league} is here already, with another league\.json"
    with pytest.raises(BundleError, match=told), store.writing() as session:
        import_league(session, bundle)


def test_only_finished_leagues_have_a_bundle(store: Store, tmp_path: Path) -> None:
    league = make_league(store, ["simple", "greedy"])
    with pytest.raises(StoreError, match="is running; its bundle can be written when it has"):
        export(store, league, tmp_path / "early")
    with pytest.raises(StoreError, match="no league nowhere"):
        export(store, "nowhere", tmp_path / "none")


def test_a_bundle_holds_no_secret(bundle: Path) -> None:
    secret = re.compile(rb'127\.0\.0\.1|"(host|port|key|lease_\w+|trace|slug)"')
    for name, content in read_parts(bundle):
        assert secret.search(content) is None, name
