"""Leagues, bots and entries; the rows of a league's matches."""

import hashlib
from collections import Counter
from dataclasses import fields
from typing import Any

import pytest
from sqlalchemy import select

from arena.engine.deal import master_seed
from arena.engine.errors import InvalidRulesError
from arena.engine.rules import Rules
from arena.schedule.plan import BoardMode
from arena.store import leases, queries, repository
from arena.store.database import Store, StoreError
from arena.store.models import BotVersion, League, Match, MatchPlayer
from arena.store.repository import CHUNK, LeagueSpec
from tests.leagues import make_league


def _pairs(store: Store) -> Counter[tuple[int, ...]]:
    pairs: dict[int, list[int]] = {}
    with store.reading() as session:
        for row in session.scalars(select(MatchPlayer).order_by(MatchPlayer.player)):
            pairs.setdefault(row.match_id, []).append(row.entry_id)
    return Counter(tuple(sorted(pair)) for pair in pairs.values())


def test_a_league_pairs_all_entries_as_often_as_it_has_legs(store: Store) -> None:
    make_league(store, ["simple", "greedy", "random", "patient", "odd"], legs=2)
    pairs = _pairs(store)
    assert len(pairs) == 10
    assert set(pairs.values()) == {2}


def test_rows_of_matches_are_written_in_chunks_ahead_of_the_workers(store: Store) -> None:
    league = make_league(store, [f"bot{number}" for number in range(40)])
    total = 40 * 39 // 2
    with store.reading() as session:
        progress = queries.progress(session, league)
        assert progress is not None
        assert (progress.total, progress.by_state["waiting"]) == (total, total)
        assert len(session.scalars(select(Match.id)).all()) == CHUNK
    with store.writing() as session:
        assert leases.write_ahead(session) == 0
        leases.queue_matches(session, limit=1, at_us=1)
        assert leases.write_ahead(session) == total - CHUNK
    pairs = _pairs(store)
    assert len(pairs) == total
    assert set(pairs.values()) == {1}


def test_the_organisers_seed_is_committed_and_shown_only_at_the_end(store: Store) -> None:
    """R9.3."""
    seed = bytes(range(32))
    with store.writing() as session:
        league = repository.create_league(session, LeagueSpec(name="L", organiser_seed=seed))
    with store.reading() as session:
        detail = queries.league(session, league)
    assert detail is not None
    assert detail.commitment == hashlib.sha256(seed).hexdigest()
    assert detail.organiser_seed is None


def test_the_master_seed_is_of_the_organisers_seed_and_all_nonces_in_order(store: Store) -> None:
    """R9.3."""
    league = make_league(store, ["simple", "greedy"], organiser_seed=bytes(range(32)))
    nonces = [number.to_bytes(32, "big") for number in range(2)]
    with store.reading() as session:
        stored = session.scalars(select(League)).one()
        detail = queries.league(session, league)
    assert stored.master_seed == master_seed(bytes(range(32)), nonces)
    assert detail is not None
    assert [entry.nonce for entry in detail.entries] == [nonce.hex() for nonce in nonces]


def test_nonces_are_hidden_until_the_league_starts(store: Store) -> None:
    """R9.3."""
    with store.writing() as session:
        league = repository.create_league(session, LeagueSpec(name="L"))
        version = repository.submit_bot(session, "a", version="1", host="127.0.0.1", port=1)
        repository.enter(session, league, version_id=version)
    with store.reading() as session:
        detail = queries.league(session, league)
    assert detail is not None
    assert [entry.nonce for entry in detail.entries] == [None]


def test_a_league_of_the_same_slug_is_the_same_league(store: Store) -> None:
    spec = LeagueSpec(name="L", slug="demo")
    with store.writing() as session:
        first = repository.create_league(session, spec)
        assert repository.create_league(session, spec) == first
        assert repository.create_league(session, LeagueSpec(name="L")) != first


def test_a_version_known_already_takes_the_new_address(store: Store) -> None:
    with store.writing() as session:
        first = repository.submit_bot(session, "a", version="1", host="127.0.0.1", port=1)
        again = repository.submit_bot(session, "a", version="1", host="127.0.0.2", port=2)
        other = repository.submit_bot(session, "a", version="2", host="127.0.0.1", port=1)
        stored = session.scalars(select(BotVersion).where(BotVersion.public_id == first)).one()
        assert (first, stored.host, stored.port) == (again, "127.0.0.2", 2)
        assert other != first
    with store.reading() as session:
        assert [bot.versions for bot in queries.bots(session)] == [2]


def test_entries_join_once_and_only_while_the_league_is_open(store: Store) -> None:
    league = make_league(store, ["simple", "greedy"])
    with store.writing() as session:
        version = repository.submit_bot(session, "simple", version="1", host="::1", port=1)
        repository.enter(session, league, version_id=version)
        late = repository.submit_bot(session, "late", version="1", host="::1", port=1)
        with pytest.raises(StoreError, match="entries join while it is open"):
            repository.enter(session, league, version_id=late)
    with store.reading() as session:
        detail = queries.league(session, league)
    assert detail is not None
    assert detail.summary.entries == 2


def test_a_league_needs_two_entries_and_starts_once(store: Store) -> None:
    with store.writing() as session:
        league = repository.create_league(session, LeagueSpec(name="L"))
        with pytest.raises(StoreError, match="needs at least 2"):
            repository.start_league(session, league)
    league = make_league(store, ["simple", "greedy"])
    with store.writing() as session:
        repository.start_league(session, league)
    assert sum(_pairs(store).values()) == 1


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"name": ""}, "league name"),
        ({"name": "a\x00b"}, "league name"),
        ({"name": "L", "games": 0}, "at least 1"),
        ({"name": "L", "legs": 0}, "at least 1"),
        ({"name": "L", "games": 3, "boards": BoardMode.MIRRORED}, "2 to a board"),
        ({"name": "L", "preset": "captain", "games": 20}, "every seating"),
        ({"name": "L", "preset": "captain", "games": 0}, "at least 1"),
        ({"name": "L", "organiser_seed": b"short"}, "32"),
    ],
)
def test_a_league_that_cannot_be_is_refused(
    store: Store, values: dict[str, Any], error: str
) -> None:
    with store.writing() as session, pytest.raises(StoreError, match=error):
        repository.create_league(session, LeagueSpec(**values))


def test_a_league_of_unknown_rules_is_refused(store: Store) -> None:
    with store.writing() as session, pytest.raises(InvalidRulesError, match="no preset"):
        repository.create_league(session, LeagueSpec(name="L", preset="poker"))


def test_single_options_stand_in_the_stored_rules(store: Store) -> None:
    league = make_league(store, ["a", "b"], preset="oklahoma", options={"target": 50})
    with store.reading() as session:
        detail = queries.league(session, league)
    assert detail is not None
    assert (detail.rules.target, detail.rules.as_dict()["knock_limit"]) == (50, "upcard")


def test_a_bot_enters_only_leagues_whose_rules_it_plays(store: Store) -> None:
    with store.writing() as session:
        version = repository.submit_bot(
            session, "a", version="1", host="::1", port=1, info={"rule_sets": ["classic", "eaai"]}
        )
        classic = repository.create_league(session, LeagueSpec(name="L", options={"target": 50}))
        repository.enter(session, classic, version_id=version)
        captain = repository.create_league(session, LeagueSpec(name="L", preset="captain"))
        with pytest.raises(StoreError, match="it plays classic, eaai; not captain"):
            repository.enter(session, captain, version_id=version)


OTHER_VALUES: dict[str, Any] = {
    "knock_limit": "7", "oklahoma_ace": "one", "gin_bonus": "33", "undercut_bonus": "0",
    "big_gin_bonus": "50", "undercut_on_tie": "false", "layoff_on_gin": "true",
    "return_taken_card": "true", "first_dealer": "seeded", "next_dealer": "loser",
    "stock_end": "last_discard", "target": "250", "box_bonus": "10", "game_bonus": "0",
    "shutout": "double_total", "winner_by": "total", "box_when": "at_once", "columns": "3",
    "spade_double": "true", "max_turns": "40", "max_dead_rounds": "2", "players": "3",
}  # fmt: skip
"""A value other than the default for every option of R8, as text."""
NEEDED = {
    "oklahoma_ace": {"knock_limit": "upcard"},
    "spade_double": {"knock_limit": "upcard"},
    "players": {"next_dealer": "box"},
}
"""What else such a value asks for."""


@pytest.mark.parametrize("option", [field.name for field in fields(Rules)])
def test_every_option_of_r8_is_set_for_a_league(store: Store, option: str) -> None:
    options = {option: OTHER_VALUES[option], **NEEDED.get(option, {})}
    with store.writing() as session:
        league = repository.create_league(session, LeagueSpec(name="L", options=options))
    with store.reading() as session:
        found = queries.league(session, league)
    assert found is not None
    assert str(found.rules.as_dict()[option]).lower() == OTHER_VALUES[option]
    assert getattr(found.rules, option) != getattr(Rules(), option)


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"name": " a", "version": "1", "port": 1}, "bot name"),
        ({"name": "a", "version": "", "port": 1}, "version name"),
        ({"name": "a", "version": "1", "port": 0}, "port 0"),
        ({"name": "a" * 65, "version": "1", "port": 1}, "bot name"),
        ({"name": "a", "version": "1", "port": 1, "host": "192.0.2.1"}, "192.0.2.1 is not .* key"),
        ({"name": "a", "version": "1", "port": 1, "host": "bots.example"}, "there is no key"),
        ({"name": "a", "version": "1", "port": 1, "host": "2001:db8::1"}, "there is no key"),
    ],
)
def test_a_bot_that_cannot_be_is_refused(store: Store, values: dict[str, Any], error: str) -> None:
    with store.writing() as session, pytest.raises(StoreError, match=error):
        repository.submit_bot(session, **{"host": "127.0.0.1", **values})


@pytest.mark.parametrize(
    ("host", "key"),
    [("localhost", b""), ("::1", b""), ("127.0.0.9", b""), ("bots.example", b"secret")],
)
def test_a_bot_on_loopback_or_with_a_key_is_registered(store: Store, host: str, key: bytes) -> None:
    with store.writing() as session:
        assert repository.submit_bot(session, "a", version="1", host=host, port=1, key=key)


def test_unknown_leagues_and_versions_are_named(store: Store) -> None:
    with store.writing() as session:
        with pytest.raises(StoreError, match="no league nowhere"):
            repository.start_league(session, "nowhere")
        league = repository.create_league(session, LeagueSpec(name="L"))
        with pytest.raises(StoreError, match="no bot version nobody"):
            repository.enter(session, league, version_id="nobody")
