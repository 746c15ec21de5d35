"""Scores of games, Hollywood and captain (R3.7, R5, R6.2, R7)."""

import pytest

from arena.engine.captain import Roles
from arena.engine.cards import parse_cards
from arena.engine.hollywood import HollywoodScore
from arena.engine.places import places
from arena.engine.rules import Rules
from arena.engine.score import Score, largest

CLASSIC = Rules.preset("classic")
HOLLYWOOD = Rules.preset("hollywood")


def folded(rules: Rules, *rounds: tuple[int | None, int]) -> Score:
    score = Score(rules)
    for winner, points in rounds:
        score.add(winner, points)
    return score


def test_a_game_in_progress_has_no_winner_r5_1() -> None:
    score = folded(CLASSIC, (0, 99))
    assert (score.over, score.winner, score.points, score.boxes) == (False, None, (99, 0), (1, 0))


def test_the_target_ends_the_game_and_bonuses_follow_r5_2() -> None:
    result = folded(CLASSIC, (0, 60), (1, 30), (0, 40)).result()
    assert result.winner == result.race_winner == result.total_winner == 0
    assert result.points == (100, 30)
    assert result.totals == (100 + 100 + 40, 30 + 20)
    assert not result.shutout


def test_no_round_follows_the_end() -> None:
    with pytest.raises(ValueError, match="over"):
        folded(CLASSIC, (0, 100), (0, 1))
    hollywood = HollywoodScore(HOLLYWOOD)
    for _ in range(3):
        hollywood.add(1, 150)
    with pytest.raises(ValueError, match="over"):
        hollywood.add(0, 1)


def test_dead_rounds_do_not_spoil_the_shutout_r11() -> None:
    assert folded(CLASSIC, (None, 0), (1, 100)).shutout


def test_a_win_of_no_points_spoils_the_shutout_r5_2() -> None:
    assert not folded(CLASSIC, (0, 0), (1, 100)).shutout


def test_a_drawn_game_has_no_winner_under_either_option_r3_7() -> None:
    for winner_by in ("race", "total"):
        rules = Rules.preset("classic", winner_by=winner_by)
        result = folded(rules, (0, 90), *[(None, 0)] * 5).result()
        assert result.winner is None
        assert result.totals == (110, 0)


def test_the_option_decides_which_winner_counts_r5_3() -> None:
    rounds = [(1, 9)] * 11 + [(0, 101)]
    race = folded(CLASSIC, *rounds).result()
    total = folded(CLASSIC.with_options({"winner_by": "total"}), *rounds).result()
    assert (race.winner, race.race_winner, race.total_winner) == (0, 0, 1)
    assert (total.winner, total.race_winner, total.total_winner) == (1, 0, 1)


def test_largest_is_nobody_where_two_share_it() -> None:
    assert largest((3, 5, 4)) == 1
    assert largest((5, 5, 4)) is None


def test_hollywood_is_decided_by_the_three_totals_r6_2() -> None:
    score = HollywoodScore(HOLLYWOOD)
    for winner, points in ((1, 10), (0, 150), (0, 150), (1, 20), (0, 150)):
        assert not score.over
        score.add(winner, points)
    result = score.result()
    assert score.over
    assert score.sums == ((150, 10), (150, 0), (150, 20))
    assert result.winner == result.total_winner == 0
    assert result.boxes == (3, 2)
    assert result.points == (450, 30)


def test_captain_scores_three_seats_without_bonuses_r7_5() -> None:
    score = folded(Rules.preset("captain"), (2, 50), (0, 60), (2, 50))
    result = score.result()
    assert result.totals == result.points == (60, 0, 100)
    assert result.winner == 2
    assert result.places == (2, 3, 1)


@pytest.mark.parametrize(
    ("points", "boxes", "expected"),
    [
        ((100, 20, 60), (3, 1, 2), (1, 3, 2)),
        ((100, 60, 60), (3, 1, 2), (1, 3, 2)),
        ((100, 60, 60), (3, 2, 2), (1, 2, 2)),
        ((100, 90), (3, 9), (1, 2)),
    ],
)
def test_places_by_points_then_rounds_won_r7_5(
    points: tuple[int, ...], boxes: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    assert places(0, points, boxes) == expected


def test_a_drawn_game_has_the_first_place_only_r3_7() -> None:
    assert places(None, (20, 0, 10), (2, 0, 1)) == (1, 1, 1)


@pytest.mark.parametrize(
    ("points", "expected"),
    [((90, 10, 20), (3, 2, 1)), ((90, 20, 20), (3, 1, 1)), ((90, 0), (2, 1))],
)
def test_who_forfeits_is_last_and_the_others_keep_their_order_r10_2(
    points: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    assert places(None, points, (0,) * len(points), forfeiter=0) == expected


def test_the_highest_card_is_in_the_box_r7_1() -> None:
    first, second, third = parse_cards("7cKsAd")
    assert Roles.drawn((first, second, third)) == Roles(box=1, captain=0, adviser=2)


def test_roles_rotate_r7_4() -> None:
    roles = Roles(box=0, captain=1, adviser=2)
    assert roles.after(None) == roles
    assert roles.after(0) == Roles(box=0, captain=2, adviser=1)
    assert roles.after(1) == Roles(box=1, captain=2, adviser=0)
