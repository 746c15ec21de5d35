"""Attempts at matches: what a worker makes of an outcome."""

import os
import subprocess
import sys

from arena.notation.replay import derive_game
from arena.referee.outcome import MatchEnd, MatchOutcome
from arena.store import leases, results
from arena.store.database import Store
from tests.leagues import claim_next, forfeit_game, make_league, play_game
from worker.play import show_worker, with_lost_games


def test_a_worker_takes_back_the_matches_of_its_dead_children(store: Store) -> None:
    make_league(store, ["a", "b", "c"])
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        child.wait()
    owners = [f"w:{child.pid}", f"w:{os.getpid()}", f"other:{child.pid}"]
    held = [claim_next(store, owner=owner) for owner in owners]
    assert all(held)
    show_worker(store, "w", processes=2, attempts=3)
    with store.reading() as session:
        holders = [leases.holder(session, lease.match_key) for lease in held if lease]
        assert leases.worker_processes(session, since_us=0) == 2
    assert holders == [None, *owners[1:]]


def test_lost_games_of_three_leave_the_others_level(store: Store) -> None:
    """R10.2: the forfeiter is third, and the others have no order yet."""
    make_league(store, ["simple", "greedy", "random"], preset="captain", games=6)
    lease = claim_next(store)
    assert lease is not None
    with store.reading() as session:
        task = results.read_assignment(session, lease)
    outcome = MatchOutcome(
        header=None,
        end=MatchEnd.ENDED_EARLY,
        games=(),
        voided=(),
        incidents=(0, 0, 3),
        ignored=(0, 0, 0),
        begun={},
        player=2,
        detail="3 incidents",
    )
    games = with_lost_games(task, outcome)
    assert [game.record.places for game in games] == [(1, 1, 3)] * 6
    for game in games:
        assert derive_game(task.plan.rules, game.record) == game.record
    with store.writing() as session:
        results.finish_match(session, lease, task.header, games, at_us=9)


def test_a_match_that_ends_early_again_counts_its_other_games_as_lost(store: Store) -> None:
    """R10.2."""
    make_league(store, ["simple", "greedy"], games=6)
    lease = claim_next(store)
    assert lease is not None
    with store.reading() as session:
        task = results.read_assignment(session, lease)
    plan = task.plan
    played = (play_game(plan, plan.games[0]), forfeit_game(plan, plan.games[2], 1))
    outcome = MatchOutcome(
        header=None,
        end=MatchEnd.ENDED_EARLY,
        games=played,
        voided=(),
        incidents=(0, 3),
        ignored=(0, 0),
        begun={},
        player=1,
        detail="3 incidents",
    )
    games = with_lost_games(task, outcome)
    assert [game.record.index for game in games] == list(range(6))
    assert (games[0], games[2]) == played
    for index in (1, 3, 4, 5):
        record = games[index].record
        assert (record.winner, record.forfeit) == (0, played[1].record.forfeit)
        assert derive_game(plan.rules, record) == record
    with store.writing() as session:
        results.finish_match(session, lease, task.header, games, at_us=9)
