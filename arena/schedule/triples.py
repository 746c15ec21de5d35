"""Who plays whom in leagues of three: every trio, or a balanced design of trios.

A cycle seats every player at one table at most (R7.7); ``players // 3`` tables, and the one or two
left over stand aside. A leg gives every player every seat equally often, or but for one. Up to 6
and with 8 players it holds every trio once, with 7 twice; from 9 to 50 any two players meet equally
often in a leg, or but for one; from 51 nearly so. `balance` says what is reached over any number of
legs. Every cycle follows from its number alone, so that a league of any length needs no memory.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import gcd
from typing import Final

from arena.schedule.designs import ALPHABET, CYCLIC, LISTED

Trio = tuple[int, int, int]
"""Three players in the order of their seats."""
EVERY_TRIO: Final = {3: 1, 4: 1, 5: 1, 6: 1, 7: 2, 8: 1}
"""Numbers of players of which a leg holds every trio, to how often it does."""
_SWAPS: Final = 30_000
"""Swaps tried for a starter of more than 50 players: about half a second at any number."""


@dataclass(frozen=True, slots=True)
class Balance:
    """How equal a schedule of trios is, over whole legs."""

    meetings: tuple[int, int]
    """The fewest and the most matches that any two players share."""
    seats: tuple[int, int]
    """The fewest and the most matches that any player begins on any one seat."""

    @property
    def exact(self) -> bool:
        """Whether any two players meet equally often, and all seats are held equally often."""
        return len(set(self.meetings)) == 1 and len(set(self.seats)) == 1


@dataclass(frozen=True, slots=True)
class _Design:
    starters: tuple[tuple[Trio, ...], ...]
    turns: int
    """Cycles a starter stands for: the number of players, or 1."""
    units: tuple[int, ...]
    """Factors by leg: they keep a design what it is and move the pairs that meet most."""


def cycle_count(players: int) -> int:
    """Return the cycles of one leg.

    Raises:
        ValueError: fewer than three players.
    """
    if players < 3:
        raise ValueError(f"a schedule of trios of {players} players; it needs at least 3")
    design = _design(players)
    return len(design.starters) * design.turns


def cycle(players: int, number: int) -> list[Trio]:
    """Return the tables of one cycle, from 0; the first of a trio sits first in its first game.

    Legs differ: seats move on by one, and other pairs are those that meet once more or less.

    Raises:
        ValueError: fewer than three players, or a negative number.
    """
    count = cycle_count(players)
    if number < 0:
        raise ValueError(f"cycle {number}; cycles are counted from 0")
    design = _design(players)
    leg, place = divmod(number, count)
    starter, turn = divmod(place, design.turns)
    unit = design.units[leg % len(design.units)]
    tables = []
    for trio in design.starters[starter]:
        a, b, c = [(player * unit + turn) % players for player in trio]
        tables.append(((a, b, c), (b, c, a), (c, a, b))[leg % 3])
    return tables


def triples(players: int, *, legs: int = 1) -> Iterator[Trio]:
    """Yield all trios, cycle by cycle.

    Raises:
        ValueError: fewer than three players.
    """
    for number in range(legs * cycle_count(players)):
        yield from cycle(players, number)


def balance(players: int, *, legs: int = 1) -> Balance:
    """Return how equal a schedule of so many legs is.

    Raises:
        ValueError: fewer than three players, or no leg.
    """
    cycle_count(players)
    if legs < 1:
        raise ValueError(f"a schedule of {legs} legs; it has at least 1")
    design = _design(players)
    if design.turns == 1:
        return _counted(players, triples(players, legs=legs))
    meetings = [0] * (players // 2 + 1)
    for leg in range(legs):
        unit = design.units[leg % len(design.units)]
        for a, b in _pairs(trio for starter in design.starters for trio in starter):
            distance = _distance(players, (a - b) * unit)
            meetings[distance] += _weight(players, distance)
    seats = legs * sum(map(len, design.starters))
    return Balance((min(meetings[1:]), max(meetings[1:])), (seats, seats))


def _counted(players: int, trios: Iterator[Trio]) -> Balance:
    played = list(trios)
    meetings = Counter(frozenset(pair) for pair in _pairs(played))
    seats = Counter((player, seat) for trio in played for seat, player in enumerate(trio))
    met = [meetings[frozenset(pair)] for pair in combinations(range(players), 2)]
    sat = [seats[player, seat] for player in range(players) for seat in range(3)]
    return Balance((min(met), max(met)), (min(sat), max(sat)))


def _pairs(trios: Iterable[Trio]) -> Iterator[tuple[int, int]]:
    for trio in trios:
        yield from combinations(trio, 2)


def _weight(players: int, distance: int) -> int:
    """Return how often the turns of a starter bring two of a distance together."""
    return 2 if 2 * distance == players else 1


def _distance(players: int, difference: int) -> int:
    around = difference % players
    return min(around, players - around)


@lru_cache(maxsize=16)
def _design(players: int) -> _Design:
    if players in LISTED:
        return _Design(tuple(map(_read, LISTED[players])), 1, (1,))
    units = tuple(unit for unit in range(1, players // 2 + 1) if gcd(unit, players) == 1)
    if players in CYCLIC:
        return _Design(tuple(map(_read, CYCLIC[players])), players, units)
    return _Design((_search(players),), players, units)


def _read(line: str) -> tuple[Trio, ...]:
    tables = [[ALPHABET.index(letter) for letter in table] for table in line.split()]
    return tuple((a, b, c) for a, b, c in tables)


def _search(players: int) -> tuple[Trio, ...]:
    """Return a starter whose differences come up twice each, or nearly: descent by swaps."""
    size = players // 3 * 3
    order = list(range(players))
    excess = [-2] * (players // 2 + 1)
    weight = [_weight(players, distance) for distance in range(players // 2 + 1)]

    def change(place: int, by: int) -> int:
        """Add or remove a table's differences; return what that adds to the sum of squares."""
        if place >= size:
            return 0
        first = place - place % 3
        moved = 0
        for a, b in combinations(order[first : first + 3], 2):
            distance = _distance(players, a - b)
            step = by * weight[distance]
            moved += step * (step + 2 * excess[distance])
            excess[distance] += step
        return moved

    for place in range(0, size, 3):
        change(place, 1)
    numbers = _numbers()
    for _ in range(_SWAPS):
        one, other = next(numbers) % size, next(numbers) % players
        if one // 3 == other // 3:
            continue
        moved = change(one, -1) + change(other, -1)
        order[one], order[other] = order[other], order[one]
        if moved + change(one, 1) + change(other, 1) > 0:
            _ = change(one, -1), change(other, -1)
            order[one], order[other] = order[other], order[one]
            _ = change(one, 1), change(other, 1)
    return tuple((order[i], order[i + 1], order[i + 2]) for i in range(0, size, 3))


def _numbers() -> Iterator[int]:
    """Yield numbers without pattern, always the same: D. Knuth's MMIX generator, upper bits."""
    state = 1
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield state >> 33
