"""The joint fit of games of three: a second implementation, shared places, bars, order."""

import math
import random
from itertools import pairwise, permutations

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.ratings.bradley_terry import Fit, GameFact, fit, score
from arena.ratings.elo import SCALE
from tests.unit.ratings.leagues import PLACES, league_of_three

ELO = (0.0, 70.0, -110.0, 180.0, 20.0)


def thetas(result: Fit) -> list[float]:
    return [(rating.elo - 1500) / SCALE for rating in result.ratings]


def rankings(fact: GameFact) -> list[tuple[int, ...]]:
    """Six rankings that stand for a game: each order that agrees with its places, as often."""
    numbers = [int(entry[1:]) for entry in fact.entries]
    orders = [
        tuple(numbers[player] for player in order)
        for order in permutations(range(3))
        if all(fact.places[a] <= fact.places[b] for a, b in pairwise(order))
    ]
    return orders * (6 // len(orders))


@pytest.mark.parametrize("seed", range(2))
def test_choix_finds_the_same_ratings(seed: int) -> None:
    facts = league_of_three(ELO[:4], boards=8, seed=seed, shared=0.5)
    shapes = {tuple(sorted(fact.places)) for fact in facts}
    assert shapes == {(1, 2, 3), (1, 1, 1), (1, 1, 3), (1, 2, 2)}
    data = [ranking for fact in facts for ranking in rankings(fact)]
    theirs = choix.opt_rankings(4, data, method="BFGS", tol=1e-9)
    assert thetas(fit(facts)) == pytest.approx(list(theirs - theirs.mean()), abs=1e-5)


def test_a_game_of_three_by_hand() -> None:
    """c is first twice and last twice; a and b are alike."""
    facts = [
        GameFact(("a", "b", "c"), places, (0, board))
        for board, places in enumerate([(1, 2, 3), (2, 1, 3), (2, 3, 1), (3, 2, 1)])
    ]
    first, second, third = thetas(fit(facts))
    assert first == pytest.approx(second)
    # c is chosen in two of four first choices, and in neither of two second ones.
    w = math.exp(third - first)
    assert 2 - 4 * w / (w + 2) - 2 * w / (w + 1) == pytest.approx(0, abs=1e-9)


def test_two_who_always_share_their_place_are_alike() -> None:
    facts = [
        GameFact(("a", "b", "c"), places, (0, board))
        for board, places in enumerate([(1, 1, 3), (2, 2, 1), (1, 1, 1), (1, 1, 3)])
    ]
    first, second, third = thetas(fit(facts))
    assert first == pytest.approx(second)
    assert third < first


def test_strengths_are_found_again_by_simulation() -> None:
    result = fit(league_of_three(ELO, boards=1500, seed=3, shared=0.0), anchor="e0")
    for rating, true in zip(result.ratings, ELO, strict=True):
        assert rating.elo == pytest.approx(1500 + true, abs=12)
    value, low, high = result.difference("e3", "e2")
    assert low < 290 < high
    assert high - low < 25
    assert value == pytest.approx(290, abs=12)


def test_games_of_two_within_three_have_the_same_scale() -> None:
    """Plackett and Luce: any two of a game meet as if the third were not there."""
    of_three = league_of_three((0.0, 100.0, -50.0), boards=4000, seed=5, shared=0.0)
    of_two = [
        GameFact(fact.entries[:2], PLACES[float(fact.places[0] < fact.places[1])], fact.cluster)
        for fact in of_three
    ]
    wide, narrow = fit(of_two).difference("e1", "e0")[0], fit(of_three).difference("e1", "e0")[0]
    assert wide == pytest.approx(narrow, abs=12)


def test_bars_hold_the_truth_about_as_often_as_they_say() -> None:
    held = [
        low < ELO[3] - ELO[1] < high
        for seed in range(150)
        for low, high in [
            fit(league_of_three(ELO[:4], boards=40, seed=seed, shared=0.0)).difference("e3", "e1")[
                1:
            ]
        ]
    ]
    assert 0.90 <= sum(held) / len(held) <= 0.99


def test_the_covariance_of_seating_sets_agrees_with_a_bootstrap_over_boards() -> None:
    facts = league_of_three((0.0, 50.0, -80.0), boards=80, seed=6, games=6)
    by_board: dict[tuple[int, ...], list[GameFact]] = {}
    for fact in facts:
        by_board.setdefault(fact.cluster, []).append(fact)
    boards = list(by_board.values())
    assert [len(games) for games in boards] == [6] * 80
    rng = random.Random(7)
    drawn = []
    for _ in range(300):
        again = [
            GameFact(fact.entries, fact.places, (place,))
            for place, games in enumerate(rng.choices(boards, k=len(boards)))
            for fact in games
        ]
        drawn.append([rating.elo for rating in fit(again).ratings])
    spread = np.std(np.array(drawn), axis=0)
    bars = np.sqrt(np.diag(fit(facts).covariance))
    assert bars == pytest.approx(spread, rel=0.1)
    singly = [GameFact(fact.entries, fact.places, (i,)) for i, fact in enumerate(facts)]
    assert (np.sqrt(np.diag(fit(singly).covariance)) < 0.85 * bars).all()


@pytest.mark.parametrize("anchor", [None, "e2"])
def test_equal_facts_in_any_order_give_equal_bits(anchor: str | None) -> None:
    facts = league_of_three(ELO, boards=4, seed=2, shared=0.3)
    reference = fit(facts, anchor=anchor)
    for seed in range(12):
        rng = random.Random(seed)
        turned = []
        for fact in rng.sample(facts, len(facts)):
            turn = rng.sample(range(3), 3)
            turned.append(
                GameFact(
                    tuple(fact.entries[i] for i in turn),
                    tuple(fact.places[i] for i in turn),
                    fact.cluster,
                )
            )
        again = fit(turned, anchor=anchor)
        assert again.ratings == reference.ratings
        assert np.array_equal(again.covariance, reference.covariance)


def test_who_is_always_last_is_tied_by_the_prior_and_flagged() -> None:
    facts = [
        GameFact(("a", "b", "c"), places, (0, board))
        for board, places in enumerate([(1, 2, 3), (2, 1, 3), (1, 2, 3), (1, 1, 3)])
    ]
    ratings = fit(facts, anchor="a").ratings
    assert [rating.prior for rating in ratings] == [False, False, True]
    assert all(math.isfinite(rating.elo) and math.isfinite(rating.low) for rating in ratings)
    assert ratings[2].elo < 1300


def test_counts_and_scores_are_those_of_the_games() -> None:
    facts = [
        GameFact(("a", "b", "c"), places, (0, board))
        for board, places in enumerate([(1, 2, 3), (3, 1, 1), (1, 1, 1)])
    ]
    ratings = fit(facts).ratings
    assert [(rating.games, rating.boards) for rating in ratings] == [(3, 3)] * 3
    assert [rating.score for rating in ratings] == [1.5, 0.5 + 0.75 + 0.5, 0.0 + 0.75 + 0.5]


@pytest.mark.parametrize(
    ("places", "scores"),
    [
        ((1, 2), [1, 0]),
        ((1, 1), [0.5, 0.5]),
        ((3, 1, 2), [0, 1, 0.5]),
        ((1, 1, 3), [0.75, 0.75, 0]),
        ((2, 1, 2), [0.25, 1, 0.25]),
        ((1, 1, 1), [0.5, 0.5, 0.5]),
    ],
)
def test_a_score_is_the_share_of_the_others_behind(
    places: tuple[int, ...], scores: list[float]
) -> None:
    assert [score(places, player) for player in range(len(places))] == scores


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(
            st.permutations(range(5)),
            st.sampled_from([(1, 2, 3), (1, 1, 3), (1, 2, 2), (1, 1, 1)]),
            st.integers(0, 4),
        ),
        max_size=15,
    )
)
def test_any_games_have_finite_ratings(
    games: list[tuple[list[int], tuple[int, ...], int]],
) -> None:
    facts = [GameFact(tuple(f"e{i}" for i in who[:3]), at, (board,)) for who, at, board in games]
    assert all(math.isfinite(rating.elo) for rating in fit(facts).ratings)
