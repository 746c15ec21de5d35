"""The joint fit: published numbers, a second implementation, covariance, flags, order."""

import json
import math
import random
from pathlib import Path

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.ratings.bradley_terry import PROVISIONAL_BOARDS, Fit, GameFact, fit
from arena.ratings.elo import SCALE, expected_score
from tests.unit.ratings.leagues import PLACES, from_wins, mirrored_league

GOLDEN = Path(__file__).parents[2] / "golden" / "ratings"
ELO = (0.0, 60.0, -120.0, 200.0, 15.0)


def elos(result: Fit) -> dict[str, float]:
    return {rating.entry: rating.elo for rating in result.ratings}


def identical(first: Fit, second: Fit) -> bool:
    return first.ratings == second.ratings and np.array_equal(first.covariance, second.covariance)


def test_published_strengths_are_reproduced() -> None:
    golden = json.loads((GOLDEN / "bradley_terry.json").read_text())
    result = fit(from_wins(golden["wins"]))
    strengths = [math.exp((rating.elo - 1500) / SCALE) for rating in result.ratings]
    assert strengths == pytest.approx(golden["strengths"], abs=5e-4)
    assert math.prod(strengths) == pytest.approx(1)


@pytest.mark.parametrize("seed", range(5))
def test_choix_finds_the_same_ratings(seed: int) -> None:
    facts = [fact for fact in mirrored_league(ELO, boards=15, seed=seed) if fact.places != (1, 1)]
    pairs = []
    for fact in facts:
        first, second = (int(entry[1:]) for entry in fact.entries)
        pairs.append((first, second) if fact.places[0] == 1 else (second, first))
    theirs = choix.opt_pairwise(len(ELO), pairs, tol=1e-10)
    ours = [(rating.elo - 1500) / SCALE for rating in fit(facts).ratings]
    assert ours == pytest.approx(list(theirs - theirs.mean()), abs=1e-5)


def test_two_entries_have_the_elo_of_their_score() -> None:
    facts = [GameFact(("a", "b"), PLACES[float(i < 7)], (0, i)) for i in range(10)]
    value, low, high = fit(facts).difference("a", "b")
    assert value == pytest.approx(400 * math.log10(0.7 / 0.3))
    assert low < value < high


def test_a_draw_is_half_a_win_for_each() -> None:
    drawn = [GameFact(("a", "b"), (1, 1), (0, i)) for i in range(4)]
    shared = [GameFact(("a", "b"), PLACES[float(i % 2)], (0, i)) for i in range(4)]
    assert elos(fit(drawn)) == pytest.approx(elos(fit(shared)))


def test_design_7_the_anchor_has_1500_else_the_mean_has() -> None:
    facts = mirrored_league(ELO, boards=10, seed=1)
    free, anchored = fit(facts), fit(facts, anchor="e3")
    assert np.mean(list(elos(free).values())) == pytest.approx(1500)
    assert not free.anchored
    assert elos(anchored)["e3"] == 1500
    assert anchored.anchored
    assert anchored.difference("e0", "e1") == pytest.approx(free.difference("e0", "e1"))
    assert not fit(facts, anchor="absent").anchored


@pytest.mark.parametrize("anchor", [None, "e2"])
def test_p2_equal_facts_in_any_order_give_equal_bits(anchor: str | None) -> None:
    facts = mirrored_league(ELO, boards=8, seed=2)
    reference = fit(facts, anchor=anchor)
    for seed in range(20):
        rng = random.Random(seed)
        shuffled = [
            fact if rng.random() < 0.5 else GameFact(
                fact.entries[::-1], fact.places[::-1], fact.cluster
            )
            for fact in rng.sample(facts, len(facts))
        ]  # fmt: skip
        assert identical(fit(shuffled, anchor=anchor), reference)


def test_p2_the_same_bits_in_a_second_run() -> None:
    facts = mirrored_league([25.0 * i for i in range(12)], boards=4, seed=3)
    assert identical(fit(facts), fit(facts))


def test_without_clusters_the_sandwich_is_near_the_inverse_curvature() -> None:
    facts = [
        GameFact(fact.entries, fact.places, (place,))
        for place, fact in enumerate(mirrored_league(ELO, boards=400, seed=4))
    ]
    result = fit(facts)
    theta = np.array([rating.elo for rating in result.ratings]) / SCALE
    chances = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
    curvature = -800 * chances * (1 - chances)
    np.fill_diagonal(curvature, 0)
    np.fill_diagonal(curvature, -curvature.sum(axis=1))
    inverse = np.linalg.pinv(curvature) * SCALE**2
    assert np.diag(result.covariance) == pytest.approx(np.diag(inverse), rel=0.1)


def test_seating_sets_narrow_the_bars_where_luck_is_shared() -> None:
    facts = mirrored_league(ELO, boards=200, seed=5, luck=300)
    singly = [GameFact(fact.entries, fact.places, (i,)) for i, fact in enumerate(facts)]
    clustered, naive = fit(facts), fit(singly)
    assert elos(clustered) == pytest.approx(elos(naive))
    for place in range(len(ELO)):
        ratio = naive.covariance[place, place] / clustered.covariance[place, place]
        assert ratio > 1.3


def test_the_covariance_agrees_with_a_bootstrap_over_boards() -> None:
    facts = mirrored_league((0.0, 50.0, -80.0), boards=60, seed=6, luck=200)
    by_cluster: dict[tuple[int, ...], list[GameFact]] = {}
    for fact in facts:
        by_cluster.setdefault(fact.cluster, []).append(fact)
    clusters = list(by_cluster.values())
    rng = random.Random(7)
    drawn = []
    for _ in range(300):
        chosen = rng.choices(clusters, k=len(clusters))
        again = [
            GameFact(fact.entries, fact.places, (place,))
            for place, games in enumerate(chosen)
            for fact in games
        ]
        drawn.append([rating.elo for rating in fit(again).ratings])
    spread = np.std(np.array(drawn), axis=0)
    assert np.sqrt(np.diag(fit(facts).covariance)) == pytest.approx(spread, rel=0.1)


def test_the_interval_uses_students_t_over_the_boards_of_the_entry() -> None:
    facts = mirrored_league((0.0, 40.0), boards=5, seed=11)
    result = fit(facts)
    rating = result.ratings[0]
    assert rating.boards == 5
    half = 2.7764451 * math.sqrt(result.covariance[0, 0])
    assert rating.high - rating.elo == pytest.approx(half)
    assert rating.elo - rating.low == pytest.approx(half)


def test_fewer_than_twelve_boards_are_provisional_and_one_board_has_no_bar() -> None:
    for boards in (1, PROVISIONAL_BOARDS - 1, PROVISIONAL_BOARDS):
        for rating in fit(mirrored_league((0.0, 0.0), boards=boards, seed=8)).ratings:
            assert rating.boards == boards
            assert rating.provisional == (boards < PROVISIONAL_BOARDS)
            assert math.isinf(rating.low) == (boards == 1)


def test_counts_are_those_of_the_games() -> None:
    facts = from_wins([[0, 3], [1, 0]])
    first, second = fit(facts).ratings
    assert (first.games, first.score, second.games, second.score) == (4, 3.0, 4, 1.0)


def test_who_won_everything_is_tied_by_the_prior_and_flagged() -> None:
    facts = from_wins([[0, 3, 0], [2, 0, 0], [9, 9, 0]])
    result = fit(facts, anchor="e0")
    assert [rating.prior for rating in result.ratings] == [False, False, True]
    assert elos(result)["e2"] > 1500 + 200
    assert math.isfinite(result.ratings[2].high)


def test_the_prior_is_one_drawn_game_against_the_anchor() -> None:
    won = [GameFact(("a", "b"), (2, 1), (0, i)) for i in range(9)]
    drawn = GameFact(("a", "b"), (1, 1), (1, 0))
    assert elos(fit(won, anchor="a")) == pytest.approx(elos(fit([*won, drawn], anchor="a")))
    assert elos(fit(won, anchor="a"))["b"] == pytest.approx(1500 + 400 * math.log10(9.5 / 0.5))


def test_a_league_in_two_parts_is_tied_by_the_prior_and_flagged() -> None:
    parts = from_wins([[0, 2, 0, 0], [1, 0, 0, 0], [0, 0, 0, 5], [0, 0, 3, 0]])
    ratings = fit(parts, anchor="e2").ratings
    assert [rating.prior for rating in ratings] == [True, True, False, False]
    alone = {rating.entry: rating.elo for rating in fit(parts[3:], anchor="e2").ratings}
    assert ratings[2].elo == alone["e2"] == 1500


def test_without_an_anchor_the_largest_group_holds() -> None:
    facts = from_wins([[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 4, 0]])
    assert [rating.prior for rating in fit(facts).ratings] == [False, False, False, True]


def test_very_unequal_entries_are_rated() -> None:
    facts = from_wins([[0, 3000, 3000], [1, 0, 3000], [0, 1, 0]])
    first, second, third = fit(facts).ratings
    assert first.elo - second.elo == pytest.approx(400 * math.log10(3000), abs=30)
    assert first.elo > second.elo + 1000 > third.elo + 2000


def test_no_games_have_no_ratings() -> None:
    assert fit([], anchor="a").ratings == ()


@pytest.mark.parametrize(
    ("entries", "places"),
    [
        (("a",), (1,)),
        (("a", "a"), (1, 2)),
        (("a", "b", "c", "d"), (1, 2, 3, 4)),
        (("a", "b", "a"), (1, 2, 3)),
        (("a", "b"), (1, 3)),
        (("a", "b"), (0, 1)),
        (("a", "b"), (2, 2)),
        (("a", "b"), (1,)),
        (("a", "b", "c"), (1, 2)),
        (("a", "b", "c"), (1, 1, 2)),
        (("a", "b", "c"), (2, 3, 3)),
    ],
)
def test_facts_that_cannot_be_are_refused(
    entries: tuple[str, ...], places: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match=r"entries|places"):
        fit([GameFact(entries, places, (0,))])


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 2), st.integers(0, 4)),
        max_size=25,
    )
)
def test_any_games_have_finite_ratings_where_scores_are_met(
    games: list[tuple[int, int, int, int]],
) -> None:
    facts = [
        GameFact((f"e{i}", f"e{j}"), PLACES[halves / 2], (board,))
        for i, j, halves, board in games
        if i != j
    ]
    result = fit(facts)
    ratings = {rating.entry: rating for rating in result.ratings}
    assert all(math.isfinite(rating.elo) for rating in ratings.values())
    if any(rating.prior for rating in ratings.values()):
        return
    for entry, rating in ratings.items():
        met = [other for f in facts if entry in f.entries for other in f.entries if other != entry]
        expected = sum(expected_score(rating.elo - ratings[other].elo) for other in met)
        assert expected == pytest.approx(rating.score, abs=1e-6)
