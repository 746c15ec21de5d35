"""Results that come at once, in any order, over a clock that jumps: one truth (P2, W15, W18)."""

import random
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple
from typing import Any

import pytest

from arena.notation.record import GameRecord, Header
from arena.notation.verify import verify_record
from arena.ratings.intervals import FORFEIT_MARGIN
from arena.store import leases, organiser, queries
from arena.store.database import Store
from arena.store.leases import Lease, LeaseLostError
from arena.store.models import Checkpoint, MatchState
from arena.store.views import BotName
from tests.leagues import claim_next, make_league, play_claimed, play_forfeits

NAMES = ("simple", "greedy", "random", "patient", "fifth")
HOUR_US = 3_600_000_000


def claim_all(store: Store) -> list[Lease]:
    """Queue and claim every match."""
    found: list[Lease] = []
    while lease := claim_next(store):
        found.append(lease)
    return found


def nameless(value: Any) -> Any:
    """Return a value of a query with every public id left out, floats by their bits."""
    if isinstance(value, BotName):
        return (value.name, value.version)
    if isinstance(value, float):
        return value.hex()
    if isinstance(value, tuple):
        return tuple(map(nameless, value))
    return value


def published(store: Store, league: str) -> tuple[Any, ...]:
    """Return all figures of a league: standings, cross table, progress."""
    with store.reading() as session:
        standings = queries.standings(session, league)
        cells = queries.cross_table(session, league)
        progress = queries.progress(session, league)
    assert standings is not None
    assert progress is not None
    names = {row.bot.entry_id: row.bot.name for row in standings.rows}
    return (
        [[nameless(getattr(row, name)) for name in row.__slots__] for row in standings.rows],
        sorted(
            (names[cell.entry_id], names[cell.opponent_id], *map(nameless, astuple(cell)[2:]))
            for cell in cells
        ),
        (progress.state, progress.ended, progress.games_done, progress.rounds_done),
        (standings.games, standings.flags),
    )


def test_results_posted_at_once_are_those_of_a_serial_replay(store: Store) -> None:
    """Eight threads end the matches of a league in a random order, while others read."""
    serial = make_league(store, NAMES, games=2)
    for lease in claim_all(store):
        play_claimed(store, lease)
    together = make_league(store, NAMES, games=2)
    waiting = claim_all(store)
    random.Random(1).shuffle(waiting)
    begin = threading.Barrier(8)

    def work(number: int) -> int:
        begin.wait()
        for lease in waiting[number::8]:
            play_claimed(store, lease, at_us=number + 2)
        published(store, together)
        return len(waiting[number::8])

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(work, range(8))) == len(waiting) == 10
    assert published(store, together) == published(store, serial)


def test_one_match_is_finished_once_whoever_tries(store: Store) -> None:
    league = make_league(store, NAMES[:2], games=2)
    (lease,) = claim_all(store)
    begin = threading.Barrier(4)

    def work(_number: int) -> bool:
        begin.wait()
        try:
            play_claimed(store, lease)
        except LeaseLostError:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(work, range(4))) == [False, False, False, True]
    figures, _, progress, (games, _) = published(store, league)
    assert (progress, games) == (("finished", 1, 2, progress[3]), 2)
    assert len(figures) == 2


def tally(header: Header, games: tuple[GameRecord, ...], sums: dict[str, Counter[str]]) -> None:
    """Add the games of a log to what each bot has, by the rules and not by the store's code."""
    for game in games:
        for player, (name, _) in enumerate(header.players):
            mine = sums.setdefault(name, Counter())
            seat = game.seating.index(player)
            lost = game.forfeit is not None and game.forfeit.player == player
            mine["games"] += 1
            mine["wins"] += game.winner == player
            mine["losses"] += game.winner not in (player, None)
            mine["forfeits"] += lost
            mine["rounds"] += len(game.rounds)
            for done in game.rounds:
                if done.ending is None:
                    mine["margin"] += -FORFEIT_MARGIN if lost else FORFEIT_MARGIN
                elif done.winner is not None:
                    mine["margin"] += done.points if done.winner == seat else -done.points


def test_the_sum_over_the_stored_logs_is_the_standings(store: Store) -> None:
    """R10.2, R10.4: whatever was voided, forfeited or never played."""
    league = make_league(store, NAMES, games=2)
    play_forfeits(store)
    for lease in claim_all(store)[:-3]:
        play_claimed(store, lease, strong=None)
    with store.reading() as session:
        done = queries.matches(session, league_id=league, state="done").rows
    with store.writing() as session:
        organiser.void_match(session, done[3].id, why="a power cut")
    sums: dict[str, Counter[str]] = {}
    with store.reading() as session:
        rated = queries.matches(session, league_id=league, state="done").rows
        standings = queries.standings(session, league)
        for row in rated:
            record = verify_record(queries.match_record(session, row.id) or "")
            tally(record.header, record.games, sums)
    assert len(rated) == len(done) - 1 == 6
    assert standings is not None
    for line in standings.rows:
        mine = sums.pop(line.bot.name)
        shown = (line.games, line.wins, line.losses, line.forfeits, line.rounds)
        assert shown == tuple(
            mine[name] for name in ("games", "wins", "losses", "forfeits", "rounds")
        )
        assert line.points_per_round * line.rounds == pytest.approx(mine["margin"])
        assert line.forfeits <= line.losses <= line.games
    assert sums == {}


@pytest.mark.parametrize("jump", [-HOUR_US, HOUR_US])
def test_a_clock_that_jumps_takes_no_result_and_gives_no_second_one(
    store: Store, jump: int
) -> None:
    """W15: the machine's time steps by an hour while a match is held."""
    make_league(store, NAMES[:2], games=2)
    at = 10 * HOUR_US
    with store.writing() as session:
        (key,) = leases.queue_matches(session, limit=1, at_us=at)
        until = at + 60_000_000
        first = leases.claim(session, key, owner="a", at_us=at, until_us=until, attempts=3)
    assert first is not None
    at += jump
    with store.writing() as session:
        leases.reap(session, at_us=at, attempts=3)
    with store.writing() as session:
        leases.queue_matches(session, limit=1, at_us=at)
        second = leases.claim(session, key, owner="b", at_us=at, until_us=at + 1, attempts=3)
    assert (second is not None) == (jump > 0)
    winner, loser = (second, first) if second else (first, None)
    play_claimed(store, winner, at_us=at)
    if loser:
        with pytest.raises(LeaseLostError):
            play_claimed(store, loser, at_us=at + jump)
    with store.reading() as session:
        (row,) = queries.matches(session).rows
        detail = queries.match(session, row.id)
        lost = session.get(Checkpoint, (key, 0))
    assert detail is not None
    assert (row.state, len(detail.games), lost) == (MatchState.DONE, 2, None)
    assert not any(game.cause for game in detail.games)
