"""Play-outs: the sampler is exact, and a sampled round is one the seat may be in."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations, product

import pytest

from arena.engine.actions import SHOW, STOCK, TAKE, Action, Kind
from arena.engine.cards import DECK, card_set, iter_cards, parse_cards, parse_set
from arena.engine.deal import Deal, board_seed
from arena.engine.result import Ending, RoundResult
from arena.engine.round import Round
from arena.engine.rules import Rules
from arena.engine.view import Observation, Phase
from arena.sdk import load_bot, margin, play_out, sample_hidden, sample_round

RULES = {
    "classic": Rules.preset("classic"),
    "oklahoma": Rules.preset("oklahoma"),
    "last discard": Rules.preset("modern", stock_end="last_discard", return_taken_card=True),
    "finnish": Rules.preset("finnish"),
}


class Scripted(random.Random):
    """A source whose every draw below a bound is given beforehand."""

    def __init__(self, draws: tuple[int, ...]) -> None:
        super().__init__()
        self._draws = list(draws)

    def getrandbits(self, k: int, /) -> int:
        return self._draws.pop(0)


def late_view(stock: int) -> Observation:
    """Return a late view with five unseen cards, all but `stock` of them the opponent's."""
    hand, known = parse_set("AcAdAh2c3c4c7d8d9dKs"), parse_set("TsJsQs5h6h7hKcKd")
    unseen = parse_set("2d2h2s4h9s")
    held = 5 - stock
    known |= card_set(list(iter_cards(DECK & ~hand & ~known & ~unseen))[: 2 - held])
    pile = tuple(iter_cards(DECK & ~hand & ~known & ~unseen))
    return Observation(
        rules=Rules(),
        seat=1,
        dealer=0,
        round_number=1,
        points=(0, 0),
        phase=Phase.DRAW,
        hand=hand,
        discards=pile,
        known=known,
        drawn=None,
        drawn_from_pile=False,
        stock_count=stock,
        knock_limit=10,
        turn_number=29,
        legal=(TAKE, STOCK),
        events=(),
    )


@pytest.mark.parametrize("stock", [3, 4, 5])
def test_every_deal_that_agrees_with_the_view_is_alike_likely(stock: int) -> None:
    view = late_view(stock)
    sampled = Counter(
        sample_hidden(view, Scripted(draws))
        for draws in product(range(5), range(4), range(3), range(2))
    )
    unseen = parse_cards("2d2h2s4h9s")
    possible = {
        (view.known | card_set(held), order)
        for held in combinations(unseen, 5 - stock)
        for order in permutations(set(unseen) - set(held))
    }
    assert set(sampled) == possible
    assert len(set(sampled.values())) == 1
    for opponent, order in possible:
        assert Round.from_view(view, opponent, order).observe(1) == view


def views(rules: Rules, *, rounds: int) -> Iterator[tuple[Round, Observation, random.Random]]:
    """Yield the states of rounds between a wild and a plain bot, with what is seen on turn."""
    rng, bots = random.Random(2), (load_bot("simple").act, load_bot("greedy").act)
    for number in range(rounds):
        table = Round(rules, Deal.of(board_seed(b"playout", number), 1), number % 2)
        while table.result is None:
            view = table.observe(table.turn, round_number=4, points=(30, 12))
            yield table, view, rng
            wild = rng.random() < 0.2 and table.phase != Phase.SHOWDOWN
            plain = SHOW if table.phase == Phase.SHOWDOWN else bots[table.turn](view)
            table.apply(rng.choice(view.legal) if wild else plain)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_a_sampled_round_looks_like_the_one_it_comes_from(rules: Rules) -> None:
    phases = set()
    for table, view, rng in views(rules, rounds=12):
        twin = sample_round(view, rng)
        assert twin.observe(view.seat, round_number=4, points=(30, 12)) == view
        places = [*twin.hands, card_set(twin.discards), twin.stock.left()]
        assert sum(places) == DECK
        assert [place.bit_count() for place in twin.hands] == [h.bit_count() for h in table.hands]
        phases.add(view.phase)
    assert phases >= {Phase.UPCARD, Phase.DRAW, Phase.DISCARD, Phase.SHOWDOWN}


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_with_the_true_cards_the_round_goes_on_as_the_true_one(rules: Rules) -> None:
    for table, view, _ in views(rules, rounds=4):
        seat, other = view.seat, view.opponent
        stock = tuple(iter_cards(table.stock.left()))
        shown, upcard = table.known[seat], table.upcard
        twin = Round.from_view(view, table.hands[other], stock, shown=shown, upcard=upcard)
        for action in view.legal:
            if action != STOCK:
                one, two = table.copy(), twin.copy()
                one.apply(action)
                two.apply(action)
                assert one.result == two.result
                assert one.observe(other)._replace(events=()) == two.observe(other)._replace(
                    events=()
                )


def test_a_round_is_played_to_its_end_by_the_policies() -> None:
    endings: Counter[Ending] = Counter()
    simple = load_bot("simple").act
    for _, view, rng in views(RULES["classic"], rounds=3):
        result = play_out(sample_round(view, rng), (simple, simple))
        endings[result.ending] += 1
        assert margin(view.rules, result, 0) == -margin(view.rules, result, 1)
    assert endings[Ending.KNOCK] > 10


def test_a_policy_sees_the_score_it_is_told() -> None:
    table = Round(Rules(), Deal.of(board_seed(b"playout", 0), 1), 0)
    seen = set()

    def policy(view: Observation) -> Action:
        seen.add((view.round_number, view.points))
        return view.legal[-1]

    play_out(table, (policy, policy), round_number=3, points=(90, 5))
    assert seen == {(3, (90, 5))}


def test_the_card_just_taken_is_known_to_the_opponent() -> None:
    table = Round(Rules(), Deal.of(board_seed(b"playout", 0), 1), 0)
    seat, upcard = table.turn, table.upcard
    table.apply(TAKE)
    twin = sample_round(table.observe(seat), random.Random(1))
    twin.apply(next(a for a in twin.legal_actions() if a.kind == Kind.DISCARD))
    assert twin.observe(1 - seat).known == 1 << upcard


def test_a_margin_is_minus_for_the_loser_and_nothing_in_a_dead_round() -> None:
    won = RoundResult(Ending.KNOCK, 0, 0, (), 4, (), (), 24)
    assert [margin(Rules(), won, seat) for seat in (0, 1)] == [20, -20]
    assert margin(Rules(), RoundResult(Ending.DEAD), 1) == 0


def test_who_is_not_on_turn_is_refused() -> None:
    table = Round(Rules(), Deal.of(board_seed(b"playout", 0), 1), 0)
    with pytest.raises(ValueError, match="not on turn"):
        sample_round(table.observe(1 - table.turn), random.Random(1))


def test_numbers_of_cards_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="5 cards are unseen; the stock cannot hold 6"):
        sample_hidden(late_view(3)._replace(stock_count=6), random.Random(1))
