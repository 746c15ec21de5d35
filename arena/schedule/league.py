"""The schedule of a league: who plays in the match of a number, for two players and for three."""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.schedule import round_robin, triples


@dataclass(frozen=True, slots=True)
class Schedule:
    """A whole league's matches as a pure function of three numbers.

    Raises:
        ValueError: too few entries, or no leg.
    """

    players: int
    """Players of a match, 2 or 3."""
    entries: int
    legs: int = 1

    def __post_init__(self) -> None:
        if self.entries < self.players:
            raise ValueError(f"{self.entries} entries; a match is between {self.players}")
        if self.legs < 1:
            raise ValueError(f"{self.legs} legs; a league has at least 1")

    @property
    def name(self) -> str:
        """The name of the schedule, as leagues keep it."""
        return "triples" if self.players == 3 else "round_robin"

    @property
    def per_cycle(self) -> int:
        """Matches of a cycle, in which each entry plays one at most."""
        return self.entries // self.players

    @property
    def matches(self) -> int:
        """Matches of all legs."""
        count = triples.cycle_count if self.players == 3 else round_robin.cycle_count
        return self.legs * count(self.entries) * self.per_cycle

    def tables(self, numbers: range) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield the cycle and the entries, by player, of the matches of some numbers in order."""
        cycle, tables = -1, []
        for number in numbers:
            turn, place = divmod(number, self.per_cycle)
            if turn != cycle:
                cycle, tables = turn, self._cycle(turn)
            yield cycle, tables[place]

    def _cycle(self, turn: int) -> list[tuple[int, ...]]:
        if self.players == 3:
            return [*triples.cycle(self.entries, turn)]
        return [*round_robin.cycle(self.entries, turn)]

    @property
    def balance(self) -> str:
        """How equal the schedule is, in a sentence."""
        if self.players == 2:
            return f"Every pair meets {_times(self.legs)}."
        reached = triples.balance(self.entries, legs=self.legs)
        trios = self.legs * triples.EVERY_TRIO.get(self.entries, 0)
        every = f"Every trio meets {_times(trios)}. " if trios else ""
        return (
            f"{every}Any two are in {_span(*reached.meetings)} together, every bot begins "
            f"{_span(*reached.seats)} on each seat, and a match plays all six seatings equally "
            "often."
        )


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _span(least: int, most: int) -> str:
    """Write a number of matches, or the least and the most."""
    if least == most:
        return "1 match" if most == 1 else f"{most} matches"
    return f"{least} {'or' if most - least == 1 else 'to'} {most} matches"
