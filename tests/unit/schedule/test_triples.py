"""Leagues of three: tables, meetings and seats, for every number of players up to 50."""

from collections import Counter
from itertools import combinations, islice

import pytest

from arena.schedule.triples import EVERY_TRIO, Balance, balance, cycle, cycle_count, triples

SIZES = range(3, 51)
WIDER: dict[int, set[int]] = {1: set(), 2: {12}, 3: {12, 20, 24}}
"""Legs to the numbers of players whose pairs then differ by more than one."""


def meetings(players: int, *, legs: int = 1) -> list[int]:
    counts = Counter(
        frozenset(pair) for trio in triples(players, legs=legs) for pair in combinations(trio, 2)
    )
    return [counts[frozenset(pair)] for pair in combinations(range(players), 2)]


def seats(players: int, *, legs: int = 1) -> list[int]:
    counts = Counter(
        (player, seat) for trio in triples(players, legs=legs) for seat, player in enumerate(trio)
    )
    return [counts[player, seat] for player in range(players) for seat in range(3)]


@pytest.mark.parametrize("players", SIZES)
def test_in_a_cycle_everybody_sits_at_one_table_at_most_r7_7(players: int) -> None:
    for number in range(2 * cycle_count(players)):
        tables = cycle(players, number)
        seated = [player for trio in tables for player in trio]
        assert len(tables) == players // 3
        assert len(set(seated)) == len(seated)
        assert set(seated) <= set(range(players))


@pytest.mark.parametrize("players", SIZES)
def test_any_two_meet_equally_often_or_but_for_one(players: int) -> None:
    for legs in (1, 2, 3):
        counts = meetings(players, legs=legs)
        assert min(counts) >= legs
        assert max(counts) - min(counts) <= (legs if players in WIDER[legs] else 1)


@pytest.mark.parametrize("players", SIZES)
def test_every_seat_is_held_equally_often_or_but_for_one(players: int) -> None:
    for legs in (1, 2):
        counts = seats(players, legs=legs)
        assert max(counts) - min(counts) <= 1
    assert len(set(seats(players, legs=3))) == 1


@pytest.mark.parametrize("players", SIZES)
def test_few_players_meet_in_every_trio(players: int) -> None:
    counts = Counter(frozenset(trio) for trio in triples(players))
    every = {counts[frozenset(trio)] for trio in combinations(range(players), 3)}
    assert every == {EVERY_TRIO[players]} if players in EVERY_TRIO else 0 in every


@pytest.mark.parametrize("players", SIZES)
def test_the_balance_told_is_the_balance_counted(players: int) -> None:
    for legs in (1, 2, 5):
        met, sat = meetings(players, legs=legs), seats(players, legs=legs)
        told = balance(players, legs=legs)
        assert told == Balance((min(met), max(met)), (min(sat), max(sat)))
        assert told.exact == (len(set(met)) == 1 and len(set(sat)) == 1)


@pytest.mark.parametrize("players", [51, 52, 64, 100])
def test_more_players_meet_nearly_equally_often_and_it_is_told(players: int) -> None:
    met, sat = meetings(players), seats(players)
    assert balance(players) == Balance((min(met), max(met)), (min(sat), max(sat)))
    assert 1 <= min(met) <= max(met) <= 4
    assert set(sat) == {players // 3}


def test_a_thousand_players_need_no_list_of_trios() -> None:
    assert cycle_count(1000) == 1000
    tables = cycle(1000, 999_999)
    assert len({player for trio in tables for player in trio}) == 999
    assert list(islice(triples(1000), 333)) == cycle(1000, 0)
    told = balance(1000)
    assert told.seats == (333, 333)
    assert 1 <= told.meetings[0] <= told.meetings[1] <= 4


def test_legs_differ() -> None:
    count = cycle_count(33)
    assert cycle(33, 0) != cycle(33, count)
    assert cycle(3, 0) != cycle(3, 1)


@pytest.mark.parametrize(("players", "number"), [(2, 0), (0, 0), (4, -1)])
def test_impossible_cycles_are_refused(players: int, number: int) -> None:
    with pytest.raises(ValueError, match=r"schedule of trios of|counted from 0"):
        cycle(players, number)


def test_a_schedule_without_legs_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        balance(9, legs=0)
