"""Games from a seed: dealers, rounds in turn, results (R2.3, R2.4, R5, R9)."""

import random

import pytest

from arena.engine.actions import TAKE
from arena.engine.cards import RANK
from arena.engine.deal import Deal, StreamStock, deck, draw_for_deal
from arena.engine.errors import Illegal, IllegalActionError
from arena.engine.game import Game, first_dealer, next_dealer
from arena.engine.hollywood import HollywoodScore
from arena.engine.result import price
from arena.engine.rules import Rules
from arena.engine.view import Phase
from tests.property.play import eager

CLASSIC = Rules.preset("classic")


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


@pytest.mark.parametrize("number", range(8))
def test_the_draw_names_the_first_dealer_r2_3(number: int) -> None:
    first, second = (RANK[card] for card in draw_for_deal(seed(number), 2)[-1])
    highest = 0 if first > second else 1
    assert first_dealer(CLASSIC, seed(number)) == highest
    low = CLASSIC.with_options({"first_dealer": "low"})
    assert first_dealer(low, seed(number)) == 1 - highest
    seeded = CLASSIC.with_options({"first_dealer": "seeded"})
    assert first_dealer(seeded, seed(number)) == number % 2


@pytest.mark.parametrize(
    ("option", "dealer", "winner", "expected"),
    [
        ("winner", 0, 1, 1),
        ("winner", 1, 1, 1),
        ("loser", 0, 1, 0),
        ("loser", 0, 0, 1),
        ("alternate", 0, 0, 1),
        ("alternate", 1, 0, 0),
        ("winner", 1, None, 1),
        ("loser", 1, None, 1),
        ("alternate", 1, None, 1),
    ],
)
def test_the_next_dealer_r2_4(option: str, dealer: int, winner: int | None, expected: int) -> None:
    rules = CLASSIC.with_options({"next_dealer": option})
    assert next_dealer(rules, dealer, winner) == expected


@pytest.mark.parametrize("preset", ["classic", "modern", "oklahoma", "hollywood", "eaai"])
def test_a_game_is_played_to_its_result(preset: str) -> None:
    rules = Rules.preset(preset)
    rng, game = random.Random(3), Game(rules, seed(11))
    points = [0, 0]
    rounds = 0
    while not game.over:
        assert game.result is None
        dealer, number, last = game.round.dealer, game.round_number, game.round
        assert game.observe(game.turn).round_number == number
        seen = game.observe(game.turn)
        assert seen.points == game.points
        assert seen.columns == (game.score.sums if isinstance(game.score, HollywoodScore) else ())
        result = game.apply(*eager(rng, game.round), seat=game.turn)
        assert (result is None) == (last.result is None)
        if result is None:
            continue
        rounds += 1
        assert last.result == result
        if result.winner is not None:
            points[result.winner] += price(rules, result)
        if not game.over:
            assert game.round_number == number + 1
            assert game.round.dealer == next_dealer(rules, dealer, result.winner)
            assert game.round.hands == list(Deal.of(seed(11), number + 1).hands)
            assert game.round.phase == Phase.UPCARD
    assert game.result is not None
    assert game.score.rounds == rounds == game.round_number
    if rules.columns == 1:
        assert game.result.points == tuple(points)
    else:
        assert isinstance(game.score, HollywoodScore)


def test_a_finished_game_refuses_actions() -> None:
    rng, game = random.Random(4), Game(CLASSIC, seed(5))
    while not game.over:
        game.apply(*eager(rng, game.round))
    before = game.result
    with pytest.raises(IllegalActionError) as refused:
        game.apply(TAKE)
    assert refused.value.cause == Illegal.ROUND_OVER
    assert game.result == before


def test_a_seed_has_32_bytes_r9_1() -> None:
    with pytest.raises(ValueError, match="32 bytes, this one 31"):
        deck(bytes(31), 1)


def test_a_deck_is_laid_out_by_places_r9_2() -> None:
    deal = Deal.from_deck(tuple(range(52)))
    assert deal.hands == ((1 << 10) - 1, (1 << 20) - (1 << 10))
    assert deal.upcard == 20
    assert deal.streams == (tuple(range(21, 52, 2)), tuple(range(22, 52, 2)))


def test_a_seats_draws_do_not_depend_on_the_other_r9_2() -> None:
    streams = ((1, 2, 3), (11, 12))
    stock = StreamStock(streams)
    assert [stock.draw(0), stock.draw(1), stock.draw(0)] == [1, 11, 2]
    alone = StreamStock(streams)
    assert [alone.draw(0) for _ in range(5)] == [1, 2, 3, 12, 11], "then the far end of the other"
    assert alone.count == 0
    other = StreamStock(streams)
    assert [other.draw(1) for _ in range(4)] == [11, 12, 3, 2]
    assert other.left() == 1 << 1
