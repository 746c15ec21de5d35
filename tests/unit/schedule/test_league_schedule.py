"""The schedule of a league by match number, two players and three."""

from collections import Counter

import pytest

from arena.schedule.league import Schedule
from arena.schedule.round_robin import round_robin
from arena.schedule.triples import triples


@pytest.mark.parametrize(
    ("players", "entries", "legs"),
    [(2, 2, 1), (2, 7, 2), (2, 8, 1), (3, 3, 2), (3, 7, 1), (3, 10, 2)],
)
def test_matches_by_number_are_those_of_the_schedule(players: int, entries: int, legs: int) -> None:
    schedule = Schedule(players, entries, legs)
    whole = round_robin(entries, legs=legs) if players == 2 else triples(entries, legs=legs)
    tables = list(schedule.tables(range(schedule.matches)))
    assert [table for _, table in tables] == [tuple(table) for table in whole]
    for first in range(0, schedule.matches, 5):
        part = range(first, min(first + 5, schedule.matches))
        assert list(schedule.tables(part)) == tables[part.start : part.stop]
    for cycle in {cycle for cycle, _ in tables}:
        seated = Counter(entry for at, table in tables if at == cycle for entry in table)
        assert set(seated.values()) == {1}


@pytest.mark.parametrize(
    ("players", "entries", "legs", "says"),
    [
        (2, 5, 1, "Every pair meets once."),
        (2, 5, 3, "Every pair meets 3 times."),
        (3, 4, 1, "Every trio meets once. Any two are in 2 matches together"),
        (3, 7, 1, "Every trio meets twice. Any two are in 10 matches together"),
        (3, 7, 2, "Every trio meets 4 times. Any two are in 20 matches together"),
        (3, 9, 7, "Any two are in 7 matches together"),
        (3, 9, 1, "Any two are in 1 match together"),
        (
            3,
            20,
            1,
            "Any two are in 1 or 2 matches together, every bot begins 6 matches on each seat",
        ),
    ],
)
def test_the_balance_is_said(players: int, entries: int, legs: int, says: str) -> None:
    assert Schedule(players, entries, legs).balance.startswith(says)


def test_a_schedule_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="between 3"):
        Schedule(3, 2)
    with pytest.raises(ValueError, match="at least 1"):
        Schedule(2, 2, 0)
