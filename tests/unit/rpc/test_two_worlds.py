"""Nothing hidden is on the wire: equal information gives equal bytes (R9.5)."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from arena.engine.game import Game
from arena.engine.rules import Rules
from arena.engine.view import Advice, Observation, Phase
from arena.referee.player import Decision
from arena.rpc.codec import encode_decisions
from tests.property.play import eager, uniform
from tests.property.test_round import state, with_hidden_permuted

RULES = {
    "classic": Rules.preset("classic"),
    "finnish, last discard": Rules.preset("finnish", stock_end="last_discard"),
    "oklahoma": Rules.preset("oklahoma", oklahoma_ace="one"),
    "captain": Rules.preset("captain"),
}
NOTE = "keep the pair"
by_rules = pytest.mark.parametrize("rules", RULES.values(), ids=RULES)


def request(seen: Observation, *, advising: bool = False) -> list[bytes]:
    """Return the messages of one decision, all that is random or timed fixed."""
    return encode_decisions([Decision(7, "table", seen, bank_us=30_000_000, advising=advising)])


def points_of(game: Game) -> tuple[int, ...]:
    return tuple(game.points[seat] for seat in game.seats)


def view(game: Game, seat: int) -> Observation:
    """Return what the round's seat sees in this game."""
    return game.observe(game.seats[seat])


def positions(rules: Rules, *, games: int) -> Iterator[tuple[random.Random, Game]]:
    """Yield games before each decision; now eager to knock, now anything."""
    for number in range(games):
        rng = random.Random(number)
        policy = uniform if number % 3 == 0 else eager
        game = Game(rules, rng.randbytes(32))
        while not game.over and game.round_number <= 12:
            yield rng, game
            game.apply(*policy(rng, game.round))


@by_rules
def test_two_worlds_of_equal_information_give_equal_bytes(rules: Rules) -> None:
    compared: Counter[tuple[Phase, bool]] = Counter()
    for rng, game in positions(rules, games=6):
        table = game.round
        for seat in (0, 1):
            twin = with_hidden_permuted(rng, table, seat)
            if state(twin) == state(table):
                continue
            other = twin.observe(seat, round_number=game.round_number, points=points_of(game))
            assert request(other) == request(view(game, seat))
            compared[table.phase, seat == table.turn] += 1
    asked = {phase for phase, on_turn in compared if on_turn}
    wanted = set(Phase) - {Phase.OVER}
    if rules.stock_end == "dead":
        wanted.remove(Phase.LAST_DISCARD)
    assert asked == wanted


def test_captain_and_adviser_are_told_the_same_and_nothing_hidden_r7_3() -> None:
    rules, compared = RULES["captain"], 0
    for rng, game in positions(rules, games=6):
        if game.round.turn != 1:
            continue
        assert game.adviser is not None
        told, own = game.observe(game.adviser), view(game, 1)
        assert request(told, advising=True) == request(own, advising=True)
        assert request(told) != request(told, advising=True)
        twin = with_hidden_permuted(rng, game.round, 1)
        other = twin.observe(1, round_number=game.round_number, points=points_of(game))
        advice = Advice(rng.choice(own.legal), NOTE)
        assert request(other, advising=True) == request(told, advising=True)
        assert request(other._replace(advice=advice)) == request(own._replace(advice=advice))
        compared += state(twin) != state(game.round)
    assert compared > 200


@by_rules
def test_what_is_seen_does_reach_the_wire(rules: Rules) -> None:
    """The comparison would fail for a seat that sees one card more."""
    for _, game in positions(rules, games=1):
        own = view(game, game.round.turn)
        hidden = next(iter(bit for bit in range(52) if not own.hand >> bit & 1))
        assert request(own._replace(known=own.known ^ 1 << hidden)) != request(own)
        assert request(own._replace(hand=own.hand | 1 << hidden)) != request(own)
        assert request(own._replace(stock_count=own.stock_count + 1)) != request(own)
