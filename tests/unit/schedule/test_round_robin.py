"""Round-robin by the circle method: everybody once, seats equal."""

from collections import Counter
from itertools import combinations, islice

import pytest

from arena.schedule.round_robin import cycle, cycle_count, round_robin

SIZES = [*range(2, 34), 50, 51]


@pytest.mark.parametrize("players", SIZES)
def test_every_pair_meets_once_a_leg(players: int) -> None:
    pairs = [frozenset(pair) for pair in round_robin(players)]
    assert Counter(pairs) == Counter(map(frozenset, combinations(range(players), 2)))


@pytest.mark.parametrize("players", SIZES)
def test_in_a_cycle_everybody_plays_once_or_stands_aside(players: int) -> None:
    for number in range(cycle_count(players)):
        seated = [player for pair in cycle(players, number) for player in pair]
        assert len(set(seated)) == len(seated) == players - players % 2


@pytest.mark.parametrize("players", SIZES)
def test_seats_differ_by_at_most_one_a_leg_and_by_none_over_two(players: int) -> None:
    one = Counter(first for first, _ in round_robin(players))
    counts = [one[player] for player in range(players)]
    assert max(counts) - min(counts) <= 1 - players % 2
    two = Counter(first for first, _ in round_robin(players, legs=2))
    assert {two[player] for player in range(players)} == {players - 1}


def test_a_thousand_players_need_no_list_of_pairs() -> None:
    assert cycle_count(1000) == 999
    assert len(cycle(1000, 500)) == 500
    assert len(list(islice(round_robin(100_000), 10))) == 10


@pytest.mark.parametrize(("players", "number"), [(1, 0), (0, 0), (4, -1)])
def test_impossible_cycles_are_refused(players: int, number: int) -> None:
    with pytest.raises(ValueError, match=r"round-robin of|counted from 0"):
        cycle(players, number)
