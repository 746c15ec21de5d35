"""One match of two: Elo difference and points per round with clustered bars."""

import math
import random

import numpy as np
import pytest
from scipy import stats

from arena.ratings.bradley_terry import GameFact, fit
from arena.ratings.elo import elo_of_score, expected_score
from arena.ratings.intervals import (
    FORFEIT_MARGIN,
    GameOutcome,
    elo_difference,
    mean_score,
    points_per_round,
)
from arena.ratings.student import t_quantile
from tests.unit.ratings.leagues import PLACES

SETS = [(0.0, 0.0), (0.0, 0.5), (0.0, 1.0), (1.0, 0.5), (1.0, 1.0)]
"""The five results of a seating set of two games: 0, 1/2, 1, 3/2, 2 points."""


def pentanomial(counts: list[int]) -> list[GameOutcome]:
    """Outcomes of seating sets by result, as many of each as `counts` says."""
    results = [
        scores for count, scores in zip(counts, SETS, strict=True) for scores in [scores] * count
    ]
    return [
        GameOutcome(cluster, score, 0, 1)
        for cluster, scores in enumerate(results)
        for score in scores
    ]


@pytest.mark.parametrize(
    ("counts", "elo", "error", "superiority"),
    [
        ([34, 54, 63, 64, 75], 55.58, 27.65, 0.99997),
        ([332, 433, 498, 333, 334], -8.64, 10.33, 0.0505),
    ],
)
def test_published_pentanomial_results(
    counts: list[int], elo: float, error: float, superiority: float
) -> None:
    outcomes = pentanomial(counts)
    score = mean_score(outcomes)
    # The published bars have the normal quantile and divide by G, not by G - 1.
    se = score.se * math.sqrt((score.clusters - 1) / score.clusters)
    ends = [elo_of_score(score.value + sign * stats.norm.ppf(0.975) * se) for sign in (-1, 1)]
    assert elo_difference(outcomes).value == pytest.approx(elo, abs=0.005)
    assert (ends[1] - ends[0]) / 2 == pytest.approx(error, abs=0.005)
    assert stats.norm.cdf((score.value - 0.5) / se) == pytest.approx(superiority, abs=5e-5)


def random_match(seed: int, *, boards: int = 40) -> list[GameOutcome]:
    rng = random.Random(seed)
    return [
        GameOutcome.of(
            board,
            rng.choice((0.0, 0.5, 1.0)),
            margins=[rng.randrange(-40, 45) for _ in range(rng.randrange(1, 9))],
        )
        for board in range(boards)
        for _ in range(2)
    ]


@pytest.mark.parametrize("seed", range(5))
def test_the_joint_fit_says_the_same_of_two(seed: int) -> None:
    outcomes = random_match(seed)
    facts = [GameFact(("a", "b"), PLACES[o.score], (o.cluster,)) for o in outcomes]
    result = fit(facts)
    ours = elo_difference(outcomes)
    value, low, high = result.difference("a", "b")
    assert ours.value == pytest.approx(value)
    assert ours.se * t_quantile(0.95, ours.clusters - 1) == pytest.approx((high - low) / 2)


@pytest.mark.parametrize("seed", range(5))
def test_points_per_round_are_a_ratio_of_sums_with_bars_by_board(seed: int) -> None:
    outcomes = random_match(seed)
    estimate = points_per_round(outcomes)
    margins, rounds = np.zeros(40), np.zeros(40)
    for outcome in outcomes:
        margins[outcome.cluster] += outcome.margin
        rounds[outcome.cluster] += outcome.rounds
    ratio = margins.sum() / rounds.sum()
    residuals = margins - ratio * rounds
    se = math.sqrt(40 * np.var(residuals, ddof=1)) / rounds.sum()
    assert estimate.value == pytest.approx(ratio)
    assert estimate.se == pytest.approx(se)
    assert estimate.high - estimate.value == pytest.approx(stats.t.ppf(0.975, 39) * se)


def test_order_of_the_games_does_not_matter() -> None:
    outcomes = random_match(9)
    shuffled = random.Random(1).sample(outcomes, len(outcomes))
    assert points_per_round(shuffled) == points_per_round(outcomes)
    assert elo_difference(shuffled) == elo_difference(outcomes)


def test_r10_2_the_open_round_of_a_forfeit_counts_as_lost_by_35_points() -> None:
    assert FORFEIT_MARGIN == 35
    lost = GameOutcome.of(0, 0.0, margins=[20, -5], open_round=-1)
    won = GameOutcome.of(0, 1.0, margins=[-20, 5], open_round=1)
    assert (lost.margin, lost.rounds) == (20 - 5 - 35, 3)
    assert (won.margin, won.rounds) == (-20 + 5 + 35, 3)
    unbegun = GameOutcome.of(0, 0.0, margins=[])
    assert (unbegun.margin, unbegun.rounds) == (0, 0)


def test_a_bot_mirrored_against_itself_is_exactly_even() -> None:
    outcomes = [
        GameOutcome.of(board, float(seat), margins=[(2 * seat - 1) * (board + 3)])
        for board in range(10)
        for seat in (0, 1)
    ]
    for estimate in (elo_difference(outcomes), points_per_round(outcomes)):
        assert (estimate.value, estimate.low, estimate.high) == (0, 0, 0)


@pytest.mark.parametrize(("boards", "least"), [(1, 0.025), (10, 0.025**0.1)])
def test_all_games_won_have_an_exact_lower_end(boards: int, least: float) -> None:
    won = elo_difference([GameOutcome(board, 1.0, 10, 1) for board in range(boards)])
    assert (won.value, won.high) == (math.inf, math.inf)
    assert won.low == pytest.approx(elo_of_score(least))
    lost = elo_difference([GameOutcome(board, 0.0, 10, 1) for board in range(boards)])
    assert lost.low == -math.inf
    assert lost.high == pytest.approx(-won.low)


def test_one_board_says_nothing_of_spread_and_no_board_nothing_at_all() -> None:
    one = points_per_round([GameOutcome(3, 1.0, 12, 4)])
    assert (one.value, one.low, one.high, one.clusters) == (3, -math.inf, math.inf, 1)
    none = elo_difference([])
    assert math.isnan(none.value)
    assert (none.low, none.high, none.clusters) == (-math.inf, math.inf, 0)


def test_the_elo_curve_and_its_inverse() -> None:
    assert expected_score(400) == pytest.approx(10 / 11)
    assert expected_score(0) == 0.5
    for difference in (-800.0, -3.5, 0.0, 61.0, 420.0):
        assert elo_of_score(expected_score(difference)) == pytest.approx(difference)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 5, 11, 30, 199, 200, 1000, 60_000])
def test_the_quantile_of_students_t(level: float, degrees: int) -> None:
    expected = stats.t.ppf((1 + level) / 2, degrees)
    assert t_quantile(level, degrees) == pytest.approx(expected, rel=1e-9)


def test_students_t_without_degrees_is_infinite_and_levels_are_checked() -> None:
    assert t_quantile(0.95, 0) == math.inf
    with pytest.raises(ValueError, match="between 0 and 1"):
        t_quantile(1.0, 5)
