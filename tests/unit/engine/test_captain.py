"""Captain: who sits where, who deals, who sees what (R7)."""

import random

import pytest

from arena.engine.actions import PASS
from arena.engine.captain import Roles
from arena.engine.cards import RANK
from arena.engine.deal import draw_for_deal
from arena.engine.errors import Illegal, IllegalActionError
from arena.engine.game import Game
from arena.engine.result import price
from arena.engine.rules import Rules
from arena.engine.view import Role
from tests.property.play import eager

CAPTAIN = Rules.preset("captain")


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


@pytest.mark.parametrize("number", range(6))
def test_the_draw_gives_the_roles_r7_1(number: int) -> None:
    game = Game(CAPTAIN, seed(number))
    ranks = [RANK[card] for card in draw_for_deal(seed(number), 3)[-1]]
    assert game.roles is not None
    box, captain, adviser = game.seats
    assert ranks[box] > ranks[captain] > ranks[adviser]
    assert game.adviser == adviser
    assert game.dealer == box
    assert game.turn == captain


def test_the_box_deals_to_itself_and_the_captain_r7_2() -> None:
    game = Game(CAPTAIN, seed(1))
    box, captain, adviser = game.seats
    assert game.observe(captain).role is Role.CAPTAIN
    assert game.observe(box).role is Role.BOX
    assert game.observe(captain).hand == game.round.hands[1]
    assert game.observe(box).hand == game.round.hands[0]
    assert game.observe(adviser) == game.observe(captain)


def test_a_game_of_two_has_players_and_no_adviser() -> None:
    game = Game(Rules.preset("classic"), seed(1))
    assert game.roles is None
    assert game.adviser is None
    assert {game.observe(seat).role for seat in (0, 1)} == {Role.PLAYER}


@pytest.mark.parametrize("number", range(4))
def test_a_game_is_played_to_its_result(number: int) -> None:
    rng, game = random.Random(number), Game(CAPTAIN, seed(number))
    points = [0, 0, 0]
    while not game.over:
        roles, last = game.seats, game.round
        seen = game.observe(game.turn)
        assert seen.points == tuple(points[seat] for seat in roles)
        assert seen.seat == roles.index(game.turn)
        result = game.apply(*eager(rng, game.round), seat=game.turn)
        if result is None:
            continue
        winner = None if result.winner is None else roles[result.winner]
        if winner is not None:
            points[winner] += price(CAPTAIN, result)
        assert game.points == tuple(points)
        if not game.over:
            assert game.roles == Roles(*roles).after(winner)
            assert game.dealer == game.seats[0]
        assert last.dealer == 0
    result_of_game = game.result
    assert result_of_game is not None
    assert result_of_game.totals == result_of_game.points == tuple(points)
    if result_of_game.winner is None:
        assert game.score.rounds >= CAPTAIN.max_dead_rounds
        return
    order = sorted(range(3), key=lambda seat: result_of_game.places[seat])
    assert result_of_game.winner == order[0]
    assert points[order[0]] >= 100 > points[order[1]] >= points[order[2]]


def test_only_the_seat_on_turn_plays() -> None:
    game = Game(CAPTAIN, seed(1))
    box, captain, adviser = game.seats
    for seat in (box, adviser):
        with pytest.raises(IllegalActionError) as refused:
            game.apply(PASS, seat=seat)
        assert refused.value.cause == Illegal.NOT_YOUR_TURN
    game.apply(PASS, seat=captain)
    assert game.turn == box


def test_five_dead_rounds_draw_the_game_in_the_first_roles_r3_7() -> None:
    game = Game(CAPTAIN.with_options({"max_turns": 1}), seed(2))
    roles = game.roles
    while not game.over:
        game.apply(game.round.legal_actions()[0])
        assert game.roles == roles
    assert game.result is not None
    assert game.result.winner is None
    assert game.result.places == (1, 1, 1)
