"""What an organiser decides, and that counters and standings follow."""

import pytest
from sqlalchemy import select

from arena.notation.record import Void as VoidRecord
from arena.referee.outcome import VoidedGame
from arena.store import leases, organiser, queries, repository, results
from arena.store.database import Store, StoreError
from arena.store.models import Entry, League, Match, MatchState, Pairing
from tests.leagues import LONG, claim_next, make_league, play_claimed, play_league

NAMES = ["simple", "greedy", "random"]


def _states(store: Store) -> list[str]:
    with store.reading() as session:
        return list(session.scalars(select(Match.state).order_by(Match.number)))


def _league(store: Store) -> League:
    with store.reading() as session:
        return session.scalars(select(League)).one()


def _games(store: Store, league: str) -> dict[str, int]:
    with store.reading() as session:
        found = queries.standings(session, league)
    assert found is not None
    return {row.bot.name: row.games for row in found.rows}


def _quarantine(store: Store) -> str:
    """Take the next match, void a game of it three times and quarantine it."""
    lease = claim_next(store)
    assert lease is not None
    with store.writing() as session:
        for event in (1, 2, 3):
            voided = VoidedGame(0, VoidRecord(event, "WORKER_LOST"), (), event=event)
            results.void_game(session, lease, voided, until_us=LONG)
        leases.end_match(session, lease, MatchState.QUARANTINED, at_us=5, cause="three voids")
        return session.get_one(Match, lease.match_key).public_id


def test_a_withdrawn_entrys_results_stay_and_its_matches_are_not_played(store: Store) -> None:
    league = make_league(store, NAMES, games=2)
    lease = claim_next(store)
    assert lease is not None
    play_claimed(store, lease)
    before = _games(store, league)
    with store.writing() as session:
        organiser.withdraw_entry(session, league, "greedy", at_us=7)
        with pytest.raises(StoreError, match="withdrawn from Test already"):
            organiser.withdraw_entry(session, league, "greedy", version="1", at_us=8)
    withdrawn = []
    while lease := claim_next(store):
        with store.reading() as session:
            task = results.read_assignment(session, lease)
        names = {player.name for player in task.players}
        assert task.withdrawn == ("greedy" in names)
        withdrawn.append(task.withdrawn)
    assert len(withdrawn) == 2
    assert any(withdrawn)
    assert _games(store, league) == before


def test_whom_to_withdraw_must_be_clear(store: Store) -> None:
    league = make_league(store, NAMES)
    with store.writing() as session:
        with pytest.raises(StoreError, match="no version of nobody"):
            organiser.withdraw_entry(session, league, "nobody", at_us=1)
        open_league = repository.create_league(session, repository.LeagueSpec(name="Two"))
        for version in ("1", "2"):
            entered = repository.submit_bot(session, "a", version=version, host="::1", port=1)
            repository.enter(session, open_league, version_id=entered)
        with pytest.raises(StoreError, match="2 versions; name one"):
            organiser.withdraw_entry(session, open_league, "a", at_us=1)
        organiser.withdraw_entry(session, open_league, "a", version="2", at_us=1)
        gone = session.scalars(select(Entry.number).where(Entry.withdrawn_us.is_not(None))).all()
    assert gone == [1]


def test_a_closed_league_finishes_with_the_matches_being_played(store: Store) -> None:
    league = make_league(store, NAMES, games=2)
    running = claim_next(store)
    assert running is not None
    with store.writing() as session:
        leases.queue_matches(session, limit=1, at_us=1)
        assert organiser.close_league(session, league, at_us=3) == 2
    assert _states(store).count("lapsed") == 2
    assert _league(store).state == "running"
    play_claimed(store, running, at_us=9)
    assert (_league(store).state, _league(store).finished_us) == ("finished", 9)
    with store.writing() as session, pytest.raises(StoreError, match="is finished"):
        organiser.close_league(session, league, at_us=10)


def test_closing_a_league_that_rests_finishes_it_at_once(store: Store) -> None:
    names = [f"bot{number}" for number in range(40)]
    league = make_league(store, names)
    with store.writing() as session:
        assert organiser.close_league(session, league, at_us=3) == 40 * 39 // 2
    found = _league(store)
    assert (found.state, found.finished_us) == ("finished", 3)
    assert found.matches_total == found.matches_ended == repository.CHUNK


@pytest.mark.parametrize("preset", ["classic", "captain"])
def test_a_voided_match_leaves_no_trace_in_counters_and_standings(
    store: Store, preset: str
) -> None:
    league = make_league(store, [*NAMES, "odd"], games=6, preset=preset)
    play_league(store)
    with store.writing() as session:
        (first, *_) = queries.matches(session, state="done").rows
        organiser.void_match(session, first.id, why="power cut")
    games = _games(store, league)
    with store.reading() as session:
        (row,) = queries.matches(session, state="lapsed").rows
        sums = {entry.public_id: entry.games for entry in session.scalars(select(Entry))}
        found = queries.standings(session, league)
        assert found is not None
        assert {r.bot.entry_id: r.games for r in found.rows} == sums
        gone = {player.entry_id for player in row.players}
        keys = {entry.id for entry in session.scalars(select(Entry)) if entry.public_id in gone}
        if preset == "classic":
            pairs = session.scalars(select(Pairing).where(Pairing.entry_id.in_(keys)))
            assert {pair.games for pair in pairs if pair.opponent_id in keys} == {0}
        assert queries.match_record(session, row.id)
        summary = queries.league(session, league)
    assert row.cause == "voided by an organiser: power cut"
    assert summary is not None
    played = len(_states(store)) - 1
    assert summary.summary.games_done == 6 * played
    assert sum(games.values()) == len(row.players) * 6 * played


def test_a_quarantined_match_is_played_on_from_new_boards(store: Store) -> None:
    """R10.3: an organiser decides; voids before count no more, their boards stay used up."""
    league = make_league(store, NAMES, games=2)
    match = _quarantine(store)
    with store.writing() as session:
        organiser.requeue_match(session, match)
    assert _states(store).count("waiting") == 3
    lease = claim_next(store)
    assert lease is not None
    with store.reading() as session:
        task = results.read_assignment(session, lease)
    assert lease.attempt == 1
    assert [(void.event, void.void.board) for void in task.voided] == [(0, 1), (0, 2), (0, 3)]
    play_claimed(store, lease)
    play_league(store)
    assert (_league(store).state, sum(_games(store, league).values())) == ("finished", 12)


def test_a_quarantined_match_may_be_given_up(store: Store) -> None:
    league = make_league(store, NAMES, games=2)
    match = _quarantine(store)
    with store.writing() as session:
        organiser.void_match(session, match, why="the bot is broken")
        with pytest.raises(StoreError, match="is lapsed; only one that is done"):
            organiser.void_match(session, match, why="again")
    play_league(store)
    assert (_league(store).state, sum(_games(store, league).values())) == ("finished", 8)


def test_what_cannot_be_requeued_says_why(store: Store) -> None:
    make_league(store, NAMES[:2], games=2)
    with store.writing() as session:
        (row,) = queries.matches(session).rows
        with pytest.raises(StoreError, match="is waiting; only a quarantined"):
            organiser.requeue_match(session, row.id)
        with pytest.raises(StoreError, match="is waiting; only one that is done"):
            organiser.void_match(session, row.id, why="x")
        with pytest.raises(StoreError, match="no match nothing"):
            organiser.requeue_match(session, "nothing")
        with pytest.raises(StoreError, match="no league nothing"):
            organiser.close_league(session, "nothing", at_us=1)


def test_a_league_with_a_quarantined_match_keeps_its_seed_and_says_so(store: Store) -> None:
    """R10.3, R9.3: its reserve boards may still be played."""
    league = make_league(store, NAMES[:2], games=2)
    match = _quarantine(store)
    shown = []
    for decide in (True, False):
        with store.reading() as session:
            detail, table = queries.league(session, league), queries.standings(session, league)
        assert detail is not None
        assert table is not None
        shown.append((detail.summary.state, detail.undecided, detail.organiser_seed))
        assert any("quarantined" in flag for flag in table.flags) == decide
        if decide:
            with store.writing() as session:
                organiser.requeue_match(session, match)
            assert _league(store).state == "running"
            play_league(store)
    assert shown == [("finished", 1, None), ("finished", 0, bytes(32).hex())]
