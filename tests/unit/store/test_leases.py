"""Who may play a match (design, "never twice, never lost")."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from arena.store import leases, queries
from arena.store.database import Store
from arena.store.leases import Lease, LeaseLostError
from arena.store.models import Bot, BotVersion, League, Match, MatchState
from tests.leagues import LONG, claim_next, make_league, play_claimed, play_league


def _queue(store: Store, *, limit: int = 100, at_us: int = 1) -> tuple[int, ...]:
    with store.writing() as session:
        return leases.queue_matches(session, limit=limit, at_us=at_us)


def _claim(store: Store, key: int, *, at_us: int = 1, until_us: int = LONG) -> Lease | None:
    with store.writing() as session:
        return leases.claim(session, key, owner="w:1", at_us=at_us, until_us=until_us, attempts=3)


def _state(store: Store, key: int) -> str:
    with store.reading() as session:
        return session.get_one(Match, key).state


def _reap(store: Store, *, at_us: int) -> int:
    with store.writing() as session:
        return leases.reap(session, at_us=at_us, attempts=3)


def test_a_queued_match_is_taken_once(store: Store) -> None:
    make_league(store, ["simple", "greedy"])
    (key,) = _queue(store)
    assert _claim(store, key) == Lease(key, token=1, attempt=1)
    assert _claim(store, key) is None


def test_of_many_at_once_one_takes_the_match(store: Store) -> None:
    """W4, W16: a task delivered many times."""
    make_league(store, ["simple", "greedy"])
    (key,) = _queue(store)
    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(lambda _: _claim(store, key), range(24)))
    assert [lease for lease in taken if lease] == [Lease(key, token=1, attempt=1)]


def test_matches_that_wait_or_have_ended_are_not_taken(store: Store) -> None:
    make_league(store, ["simple", "greedy"])
    with store.reading() as session:
        key = session.scalars(select(Match.id)).one()
    assert _claim(store, key) is None
    play_league(store)
    assert _claim(store, key) is None


def test_an_expired_lease_is_taken_over_and_the_old_one_writes_nothing(store: Store) -> None:
    make_league(store, ["simple", "greedy"])
    (key,) = _queue(store)
    old = _claim(store, key, until_us=100)
    assert old is not None
    assert _claim(store, key, at_us=100) is None
    new = _claim(store, key, at_us=101)
    assert new == Lease(key, token=2, attempt=2)
    with pytest.raises(LeaseLostError), store.writing() as session:
        leases.renew(session, old, until_us=LONG)
    with pytest.raises(LeaseLostError):
        play_claimed(store, old)
    play_claimed(store, new)
    assert _state(store, key) == MatchState.DONE


def test_a_worker_that_was_not_seen_loses_its_matches_at_once(store: Store) -> None:
    make_league(store, ["a", "b", "c"])
    held = {}
    for worker in ("gone", "gone_too", "here"):
        with store.writing() as session:
            (key,) = leases.queue_matches(session, limit=1, at_us=1)
            leases.claim(session, key, owner=f"{worker}:7", at_us=1, until_us=LONG, attempts=3)
            leases.show_worker(session, worker, processes=1, at_us=99 if worker == "here" else 5)
        held[worker] = key
    with store.writing() as session:
        assert leases.owners(session, "gone") == ("gone:7",)
        assert leases.reap_lost(session, before_us=50, at_us=100, attempts=3) == 2
        assert leases.reap_lost(session, before_us=50, at_us=100, attempts=3) == 0
        assert leases.worker_processes(session, since_us=0) == 1
    states = [_state(store, key) for key in held.values()]
    assert states == [MatchState.WAITING, MatchState.WAITING, MatchState.RUNNING]


def test_reaped_matches_wait_again_and_the_last_attempt_quarantines(store: Store) -> None:
    """R10.3."""
    league = make_league(store, ["simple", "greedy"])
    for attempt in (1, 2, 3):
        (key,) = _queue(store)
        lease = _claim(store, key, until_us=100)
        assert lease is not None
        assert lease.attempt == attempt
        assert _reap(store, at_us=100) == 0
        assert _reap(store, at_us=101) == 1
        with pytest.raises(LeaseLostError), store.writing() as session:
            leases.renew(session, lease, until_us=LONG)
    assert _state(store, key) == MatchState.QUARANTINED
    assert _queue(store) == ()
    with store.reading() as session:
        progress = queries.progress(session, league)
        (row,) = queries.matches(session, league_id=league).rows
    assert progress is not None
    assert (progress.state, progress.ended) == ("finished", 1)
    assert (row.state, row.cause) == ("quarantined", leases.WORKER_LOST)


def test_all_matches_of_a_dead_owner_are_taken_back(store: Store) -> None:
    make_league(store, ["simple", "greedy", "random"])
    dead = claim_next(store, owner="w:1")
    alive = claim_next(store, owner="w:2")
    assert dead is not None
    assert alive is not None
    with store.writing() as session:
        assert leases.holder(session, dead.match_key) == "w:1"
        assert leases.reap(session, at_us=2, attempts=3, owner="w:1") == 1
        assert leases.holder(session, dead.match_key) is None
    assert _state(store, alive.match_key) == MatchState.RUNNING


def test_a_postponed_match_waits_for_its_time_and_counts_no_attempt(store: Store) -> None:
    """R10.2, R10.7."""
    make_league(store, ["simple", "greedy"])
    lease = claim_next(store)
    assert lease is not None
    with store.writing() as session:
        leases.postpone(session, lease, cause="later", until_us=500, early_end=1)
    assert _queue(store, at_us=499) == ()
    assert _queue(store, at_us=500) == (lease.match_key,)
    again = _claim(store, lease.match_key)
    assert again is not None
    assert again.attempt == 1
    with store.reading() as session:
        assert session.get_one(Match, again.match_key).early_ends == 1


def test_an_error_of_the_arena_is_kept_for_the_organiser_and_the_third_quarantines(
    store: Store,
) -> None:
    """R10.3."""
    make_league(store, ["simple", "greedy"])
    for state in (MatchState.WAITING, MatchState.WAITING, MatchState.QUARANTINED):
        lease = claim_next(store)
        assert lease is not None
        with store.writing() as session:
            leases.fail(
                session,
                lease,
                cause="E: x",
                trace="Traceback",
                at_us=3,
                again_us=1,
                attempts=3,
            )
            assert leases.queue_matches(session, limit=1, at_us=0) == ()
        assert _state(store, lease.match_key) == state
    with store.reading() as session:
        assert session.scalars(select(Match.trace)).one() == "Traceback"


def test_matches_of_an_absent_bot_wait_and_others_go_on(store: Store) -> None:
    """R10.7."""
    make_league(store, ["simple", "greedy", "away"])
    lease = claim_next(store)
    assert lease is not None
    with store.writing() as session:
        leases.postpone(session, lease, cause="absent", until_us=0)
        version = session.scalars(
            select(BotVersion).join(Bot, Bot.id == BotVersion.bot_id).where(Bot.name == "away")
        ).one()
        session.execute(
            update(BotVersion).where(BotVersion.id == version.id).values(absent_until_us=50)
        )
    (key,) = _queue(store, at_us=49)
    with store.reading() as session:
        (row,) = queries.matches(session, state="queued").rows
    assert {player.name for player in row.players} == {"simple", "greedy"}
    assert len(_queue(store, at_us=50)) == 2
    assert key


def test_the_bot_marked_absent_is_the_player_named(store: Store) -> None:
    make_league(store, ["simple", "greedy"])
    lease = claim_next(store)
    assert lease is not None
    with store.writing() as session:
        leases.mark_absent(session, lease.match_key, 1, until_us=77)
        absent = session.scalars(select(BotVersion.id).where(BotVersion.absent_until_us == 77))
        (version,) = absent
        (row,) = queries.matches(session).rows
        name = session.scalars(
            select(Bot.name)
            .join(BotVersion, BotVersion.bot_id == Bot.id)
            .where(BotVersion.id == version)
        ).one()
    assert name == row.players[1].name


def test_leagues_take_turns(store: Store) -> None:
    """W17: a long league does not hold up a short one."""
    make_league(store, [f"a{number}" for number in range(8)])
    make_league(store, ["b0", "b1", "b2"])
    with store.writing() as session:
        keys = leases.queue_matches(session, limit=6, at_us=1)
        of = [session.get_one(Match, key).league_id for key in keys]
    assert sorted(of.count(league) for league in set(of)) == [3, 3]
    with store.writing() as session:
        rest = leases.queue_matches(session, limit=6, at_us=1)
        assert {session.get_one(Match, key).league_id for key in rest} == {min(of)}


def test_matches_are_queued_in_the_order_of_the_schedule(store: Store) -> None:
    make_league(store, [f"a{number}" for number in range(5)])
    with store.writing() as session:
        numbers = [session.get_one(Match, key).number for key in _first(session, 4)]
    assert numbers == [0, 1, 2, 3]


def _first(session: Session, limit: int) -> tuple[int, ...]:
    return leases.queue_matches(session, limit=limit, at_us=1)


def test_tasks_that_the_broker_lost_are_found_by_their_age(store: Store) -> None:
    """W6."""
    make_league(store, ["simple", "greedy", "random"])
    old = _queue(store, limit=2, at_us=10)
    _queue(store, limit=1, at_us=20)
    with store.writing() as session:
        assert leases.queued(session) == 3
        assert leases.queue_again(session, before_us=15, at_us=30) == old
        assert leases.queue_again(session, before_us=15, at_us=30) == ()


def test_a_new_start_frees_every_running_match(store: Store) -> None:
    make_league(store, ["simple", "greedy"])
    lease = claim_next(store)
    assert lease is not None
    with store.writing() as session:
        assert leases.release_leases(session) == 1
    with pytest.raises(LeaseLostError), store.writing() as session:
        leases.renew(session, lease, until_us=LONG)
    again = claim_next(store)
    assert again is not None
    assert (again.attempt, again.token) == (1, 3)


def test_processes_are_those_of_workers_seen_lately(store: Store) -> None:
    with store.writing() as session:
        leases.show_worker(session, "a", processes=2, at_us=10)
        leases.show_worker(session, "b", processes=4, at_us=20)
        leases.show_worker(session, "a", processes=3, at_us=15)
        assert leases.worker_processes(session, since_us=15) == 7
        assert leases.worker_processes(session, since_us=16) == 4
        assert leases.worker_processes(session, since_us=21) == 0


def test_the_last_match_to_end_ends_the_league(store: Store) -> None:
    make_league(store, ["simple", "greedy", "random"])
    for state in ("running", "running", "finished"):
        lease = claim_next(store)
        assert lease is not None
        with store.writing() as session:
            leases.end_match(session, lease, MatchState.LAPSED, cause="absent", at_us=9)
        with store.reading() as session:
            assert session.scalars(select(League.state)).one() == state
