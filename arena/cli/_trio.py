"""What `play` says of a match of three: places, scores, advice (R7)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from arena.notation.advice import FAULTS, Counsel, count_advice
from arena.notation.record import GameRecord
from arena.ratings.intervals import (
    Estimate,
    GameOutcome,
    elo_difference,
    mean_score,
    points_per_round,
)

_TRIO = range(3)


@dataclass(frozen=True, slots=True)
class Standing:
    """How one of three players came out of a match."""

    places: tuple[int, int, int]
    """Games in which it was first, second and third; shared places count as the better one."""
    score: Estimate
    """Mean share of the opponents who came out behind, half of those level with it: 0 to 1."""
    points_per_round: Estimate
    """Over the rounds that it played, won less lost."""


def duel(record: GameRecord, player: int, opponent: int) -> float:
    """Return the score of one player against another by places: 1, 0.5 or 0."""
    own, other = record.places[player], record.places[opponent]
    return 0.5 if own == other else float(own < other)


def standing(records: Sequence[GameRecord], player: int) -> Standing:
    """Return how a player came out."""
    first, second, third = [[r.places[player] for r in records].count(n) for n in (1, 2, 3)]
    outcomes = [
        GameOutcome.of(
            record.board,
            sum(duel(record, player, other) for other in _TRIO if other != player) / 2,
            margins=record.margins(player),
            open_round=record.open_round(player),
        )
        for record in records
    ]
    return Standing((first, second, third), mean_score(outcomes), points_per_round(outcomes))


def elo_differences(records: Sequence[GameRecord]) -> dict[tuple[int, int], Estimate]:
    """Return the Elo difference of each two players by their places alone."""
    return {
        pair: elo_difference(
            GameOutcome.of(record.board, duel(record, *pair), margins=()) for record in records
        )
        for pair in combinations(_TRIO, 2)
    }


def advice_lines(records: Sequence[GameRecord], names: Sequence[str]) -> Iterator[str]:
    """Yield what became of each player's advice to each other one, where any was asked."""
    for (adviser, captain), count in sorted(advice_counts(records).items()):
        followed, given = count[Counsel.FOLLOWED], count[Counsel.FOLLOWED] + count[Counsel.DIFFERED]
        faults = [f"{count[kind]} {kind.name.lower()}" for kind in FAULTS if count[kind]]
        said = ", ".join([f"followed {followed} of {given}", *faults])
        yield f"advice of {names[adviser]} to {names[captain]}: {said}"


def advice_counts(records: Sequence[GameRecord]) -> dict[tuple[int, int], Counter[Counsel]]:
    """Add up what became of advice over games, by adviser and captain."""
    sums: dict[tuple[int, int], Counter[Counsel]] = {}
    for record in records:
        for pair, count in count_advice(record).items():
            sums.setdefault(pair, Counter()).update(count)
    return sums
