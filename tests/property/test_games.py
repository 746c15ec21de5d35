"""Games of three seats and of three columns under random play (R6.2, R7)."""

import random
from collections.abc import Iterator

import pytest

from arena.engine.actions import Kind
from arena.engine.captain import Roles
from arena.engine.cards import DECK
from arena.engine.game import Game
from arena.engine.hollywood import HollywoodScore
from arena.engine.rules import Rules
from arena.engine.view import Observation, Phase, Role
from tests.property.play import eager, held

RULES = {
    "captain": Rules.preset("captain"),
    "captain, Oklahoma": Rules.preset("captain", knock_limit="upcard", spade_double=True),
    "hollywood": Rules.preset("hollywood"),
    "hollywood, short": Rules.preset("hollywood", target=40, shutout="double_total"),
}
by_rules = pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
captain_only = pytest.mark.parametrize("rules", [RULES["captain"], RULES["captain, Oklahoma"]])


def positions(rules: Rules, *, games: int) -> Iterator[Game]:
    """Yield games before each action and at their ends."""
    for number in range(games):
        rng = random.Random(number)
        game = Game(rules, rng.randbytes(32))
        while not game.over:
            yield game
            game.apply(*eager(rng, game.round), seat=game.turn)
        yield game


@by_rules
def test_each_card_is_in_one_place_in_every_round_r2_1(rules: Rules) -> None:
    for game in positions(rules, games=8):
        places = held(game.round)
        assert sum(places) == DECK
        assert sum(place.bit_count() for place in places) == 52


@by_rules
def test_no_view_holds_a_hidden_card(rules: Rules) -> None:
    for game in positions(rules, games=8):
        for seat in range(rules.players):
            seen = game.observe(seat)
            other = game.round.hands[1 - seen.seat]
            hidden = other & ~game.round.known[1 - seen.seat] | game.round.stock.left()
            assert not hidden & cards_of(seen)


def cards_of(seen: Observation) -> int:
    """Return every card that an observation names, the knocker's at the showdown apart."""
    cards = seen.hand | seen.known
    for card in seen.discards:
        cards |= 1 << card
    for event in seen.events:
        if event.action.kind in (Kind.DISCARD, Kind.KNOCK):
            cards |= 1 << event.action.card
    return cards


@captain_only
def test_roles_follow_the_rounds_r7_4(rules: Rules) -> None:
    last: tuple[Game, int, Roles] | None = None
    boxes: tuple[int, ...] = (0, 0, 0)
    for game in positions(rules, games=12):
        assert isinstance(game.roles, Roles)
        assert sorted(game.seats) == [0, 1, 2]
        assert game.turn != game.adviser
        if last is not None and last[0] is game and last[1] != game.round_number:
            won = [seat for seat in range(3) if game.score.boxes[seat] > boxes[seat]]
            assert game.roles == last[2].after(won[0] if won else None)
            assert last[2].adviser not in won
        last, boxes = (game, game.round_number, game.roles), game.score.boxes


@captain_only
def test_the_adviser_sees_what_the_captain_sees_and_nothing_else_r7_3(rules: Rules) -> None:
    for game in positions(rules, games=6):
        box, captain, adviser = game.seats
        assert game.observe(adviser) == game.observe(captain)
        assert game.observe(captain).role is Role.CAPTAIN
        assert game.observe(box).role is Role.BOX
        if game.round.phase is not Phase.SHOWDOWN:
            assert game.observe(captain).hand != game.observe(box).hand


@by_rules
def test_the_end_agrees_with_the_score(rules: Rules) -> None:
    ended = [game for game in positions(rules, games=12) if game.over]
    assert len(ended) == 12
    for game in ended:
        result = game.result
        assert result is not None
        assert result.points == game.points
        assert result.places.count(1) == (1 if result.winner is not None else rules.players)
        if isinstance(game.score, HollywoodScore):
            open_columns = [column for column in game.score.columns if not column.over]
            assert result.winner is None or not open_columns
            assert sum(map(sum, game.score.sums)) == sum(result.points)
        elif result.winner is not None:
            assert result.points[result.winner] == max(result.points) >= rules.target
