"""What one match of two says, with 95 % intervals; plain Python.

Games are grouped into clusters that are independent of each other: a board in `private`, a
seating set in `mirrored` (the games of one board). Scores and margins are ratios of sums over
clusters, with the linearised variance G / (G - 1) * sum(residual^2) / denominator^2 and the
quantile of Student's t with G - 1 degrees of freedom.

Source: W. G. Cochran, Sampling Techniques (3rd ed. 1977), 6.4 (ratio estimate) and 9A (clusters).
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from arena.ratings.elo import elo_of_score
from arena.ratings.student import t_quantile

LEVEL: Final = 0.95
FORFEIT_MARGIN: Final = 35
"""Points by which the open round of a forfeited game counts as lost (R10.2)."""


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """One game of a match of two, as the first player had it."""

    cluster: int
    """The board's number."""
    score: float
    """1 won, 0.5 drawn, 0 lost; a forfeit is a loss (R10.4)."""
    margin: int
    """Own points less the opponent's over the rounds, bonuses of the end apart."""
    rounds: int
    """Rounds that count."""

    @classmethod
    def of(
        cls, cluster: int, score: float, *, margins: Iterable[int], open_round: int = 0
    ) -> "GameOutcome":
        """Return the outcome of a game by its finished rounds.

        Args:
            cluster: the board's number.
            score: 1, 0.5 or 0.
            margins: own points less the opponent's of each finished round.
            open_round: who lost the round a forfeit left open: -1 the first player, 1 the
                opponent, 0 there is none (R10.2).
        """
        finished = list(margins)
        return cls(
            cluster,
            score,
            sum(finished) + FORFEIT_MARGIN * open_round,
            len(finished) + abs(open_round),
        )


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its uncertainty."""

    value: float
    low: float
    """Lower end of the 95 % interval; -inf where the clusters are too few to say."""
    high: float
    """Upper end; inf where the clusters are too few to say."""
    se: float
    """Standard error, before the quantile; NaN with one cluster or none."""
    clusters: int
    """Boards or seating sets behind it."""


def mean_score(outcomes: Iterable[GameOutcome]) -> Estimate:
    """Return the mean score a game, 0 to 1, of the first player."""
    return _ratio([(game.cluster, game.score, 1) for game in outcomes])


def points_per_round(outcomes: Iterable[GameOutcome]) -> Estimate:
    """Return the margin a round, points: the sum of margins by the sum of rounds.

    A mean of the games' own means would overstate it: long games are close ones.
    """
    return _ratio([(game.cluster, game.margin, game.rounds) for game in outcomes])


def elo_difference(outcomes: Iterable[GameOutcome]) -> Estimate:
    """Return the Elo difference of the first player to the second; `se` by the delta method.

    The ends are those of the mean score. Where all games have one result it has no spread; the
    end towards the middle is then the exact binomial one over clusters, 0.025^(1/G).
    """
    score = mean_score(outcomes)
    low, high = score.low, score.high
    if score.clusters and score.value in (0.0, 1.0):
        bound = ((1 - LEVEL) / 2) ** (1 / score.clusters)
        low, high = (bound, 1.0) if score.value else (0.0, 1 - bound)
    value = elo_of_score(score.value)
    slope = math.inf if math.isinf(value) else _slope(score.value)
    return Estimate(value, elo_of_score(low), elo_of_score(high), score.se * slope, score.clusters)


def _slope(score: float) -> float:
    return 400 / (math.log(10) * score * (1 - score))


def _ratio(terms: Iterable[tuple[int, float, int]]) -> Estimate:
    """Return the ratio of sums of (cluster, numerator, denominator)."""
    sums: dict[int, tuple[float, int]] = {}
    for cluster, above, below in terms:
        old = sums.get(cluster, (0.0, 0))
        sums[cluster] = (old[0] + above, old[1] + below)
    clusters = len(sums)
    total = sum(below for _, below in sums.values())
    if not total:
        return Estimate(math.nan, -math.inf, math.inf, math.nan, clusters)
    value = math.fsum(above for above, _ in sums.values()) / total
    if clusters < 2:
        return Estimate(value, -math.inf, math.inf, math.nan, clusters)
    squares = math.fsum((above - value * below) ** 2 for above, below in sums.values())
    se = math.sqrt(squares * clusters / (clusters - 1)) / total
    half = t_quantile(LEVEL, clusters - 1) * se
    return Estimate(value, value - half, value + half, se, clusters)
