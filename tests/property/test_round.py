"""Rounds under random play: cards conserved, ends reached, one source of legality (R2-R4)."""

import enum
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from arena.engine.actions import BIG_GIN, DISCARD, KNOCK, PASS, SHOW, STOCK, TAKE, Action, Kind
from arena.engine.cards import DECK, iter_cards
from arena.engine.deal import SharedStock
from arena.engine.errors import IllegalActionError
from arena.engine.result import Ending, price
from arena.engine.round import Round
from arena.engine.rules import Rules
from arena.engine.view import Observation, Phase
from tests.property.play import PLANS, held, playout

RULES = {
    "classic": Rules.preset("classic"),
    "classic, ties": Rules.preset("classic", undercut_on_tie=False),
    "finnish, big gin": Rules.preset("finnish", big_gin_bonus=40, undercut_on_tie=False),
    "modern, ties": Rules.preset("modern", undercut_on_tie=False),
    "modern, last discard": Rules.preset("modern", stock_end="last_discard"),
    "modern, returns": Rules.preset("modern", return_taken_card=True, stock_end="last_discard"),
    "oklahoma": Rules.preset("oklahoma", oklahoma_ace="one", undercut_on_tie=False),
    "straight": Rules.preset("straight"),
    "short": Rules.preset("modern", max_turns=3),
}
ALL_ACTIONS = (PASS, TAKE, STOCK, BIG_GIN, SHOW, *DISCARD, *KNOCK)
STRANGE_ACTIONS = (
    Action(Kind.DISCARD),
    Action(Kind.DISCARD, 52),
    Action(Kind.KNOCK, -2),
    Action(Kind.PASS, 3),
    Action(Kind.STOCK, 0),
    Action(Kind.SHOW, 51),
)
by_rules = pytest.mark.parametrize("rules", RULES.values(), ids=RULES)


def allowed_endings(rules: Rules) -> set[Ending]:
    endings = {Ending.GIN, Ending.DEAD}
    if rules.knock_limit != 0:
        endings |= {Ending.KNOCK, Ending.UNDERCUT}
        if not rules.undercut_on_tie:
            endings.add(Ending.TIE)
    if rules.big_gin_bonus:
        endings.add(Ending.BIG_GIN)
    return endings


def tables(rules: Rules, *, seed: int, rounds: int) -> Iterator[tuple[random.Random, Round]]:
    """Yield the states of random rounds before each action and at their ends."""
    rng = random.Random(seed)
    for number in range(rounds):
        policy, deals = PLANS[number % len(PLANS)]
        table = Round(rules, deals(rng), rng.randrange(2))
        while table.phase != Phase.OVER:
            yield rng, table
            table.apply(*policy(rng, table))
        yield rng, table


def state(table: Round) -> tuple[Any, ...]:
    """Return all that a round holds, to compare."""
    values = []
    for name in Round.__slots__:
        value = getattr(table, name)
        if name == "stock":
            twin = value.copy()
            value = [twin.draw(n % 2) for n in range(twin.count)]
        values.append(tuple(value) if isinstance(value, list) else value)
    return tuple(values)


@by_rules
def test_each_card_is_in_one_place_after_every_action_r2_1(rules: Rules) -> None:
    for _, table in tables(rules, seed=1, rounds=120):
        places = held(table)
        assert sum(places) == DECK
        assert sum(place.bit_count() for place in places) == 52
        sizes = [hand.bit_count() for hand in table.hands]
        assert table.stock.left().bit_count() == table.stock_count
        drawing = table.phase == Phase.DISCARD
        if table.result is None and table.phase != Phase.SHOWDOWN:
            assert sizes[table.turn] == 10 + drawing
            assert sizes[1 - table.turn] == 10


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_every_playout_ends_and_every_ending_occurs_r3_r4(
    name: str, request: pytest.FixtureRequest
) -> None:
    rng, rules = random.Random(name), RULES[name]
    endings: Counter[Ending] = Counter()
    allowed = allowed_endings(rules)
    played = 0
    while played < 2_000 or (played < 40_000 and min(endings[e] for e in allowed) < 500):
        policy, deals = PLANS[played % len(PLANS)]
        table = playout(rng, rules, policy, deals(rng))
        played += 1
        assert table.result is not None
        assert table.turn_number <= rules.max_turns
        assert table.legal_actions() == []
        assert price(rules, table.result) >= 0
        endings[table.result.ending] += 1
    counts = ", ".join(f"{ending} {endings[ending]}" for ending in Ending)
    request.node.user_properties.append(("counts", f"{name}: {played} rounds: {counts}"))
    assert set(endings) == allowed
    for ending in allowed:
        assert endings[ending] >= 500, f"only {endings[ending]} rounds ended by {ending}"


@by_rules
def test_apply_accepts_exactly_the_legal_actions_and_refusals_change_nothing(rules: Rules) -> None:
    for rng, table in tables(rules, seed=3, rounds=16):
        if rng.random() < 0.8 and table.phase in (Phase.DRAW, Phase.DISCARD):
            continue
        before, legal = state(table), table.legal_actions()
        accepted = []
        for action in (*ALL_ACTIONS, *STRANGE_ACTIONS):
            twin = table.copy()
            try:
                twin.apply(action)
            except IllegalActionError:
                assert state(twin) == before
            else:
                accepted.append(action)
        assert sorted(accepted) == sorted(legal)
        assert state(table) == before, "a copy is played on its own"


def with_hidden_permuted(rng: random.Random, table: Round, seat: int) -> Round:
    """Return the round with the cards that the seat has not seen dealt anew among their places."""
    other = 1 - seat
    shown = table.phase == Phase.SHOWDOWN and table.turn == seat
    unseen_hand = 0 if shown else table.hands[other] & ~table.known[other]
    hidden = list(iter_cards(unseen_hand | table.stock.left()))
    rng.shuffle(hidden)
    size = unseen_hand.bit_count()
    twin = table.copy()
    twin.hands[other] ^= unseen_hand
    for card in hidden[:size]:
        twin.hands[other] |= 1 << card
    twin.stock = SharedStock(tuple(hidden[size:]))
    return twin


@by_rules
def test_an_observation_does_not_depend_on_hidden_cards(rules: Rules) -> None:
    seen = 0
    for rng, table in tables(rules, seed=4, rounds=48):
        if table.phase == Phase.OVER:
            continue
        for seat in (0, 1):
            twin = with_hidden_permuted(rng, table, seat)
            seen += state(twin) != state(table)
            assert twin.observe(seat) == table.observe(seat)
    assert seen > 500


def plain(value: object) -> bool:
    """Say whether a value is made of numbers, text, tuples and the value types of a view."""
    if isinstance(value, int | str | enum.Enum) or value is None:
        return True
    if isinstance(value, tuple):
        return all(map(plain, value))
    return isinstance(value, Rules)


def test_an_observation_holds_values_only() -> None:
    for _, table in tables(RULES["classic"], seed=5, rounds=4):
        for seat in (0, 1):
            view = table.observe(seat)
            assert isinstance(view, Observation)
            assert plain(view)


@by_rules
def test_an_observation_tells_what_the_seat_saw(rules: Rules) -> None:
    for _, table in tables(rules, seed=6, rounds=40):
        for seat in (0, 1):
            view = table.observe(seat, round_number=3, points=(7, 8))
            assert view.hand == table.hands[seat]
            assert view.discards == tuple(table.discards)
            assert view.known & ~table.hands[1 - seat] == 0
            assert view.stock_count == table.stock_count
            assert (view.round_number, view.points) == (3, (7, 8))
            assert view.legal == (tuple(table.legal_actions()) if seat == table.turn else ())
            if seat != table.turn:
                assert view.drawn is None


@by_rules
def test_events_of_all_observations_make_up_the_round(rules: Rules) -> None:
    rng = random.Random(7)
    for number in range(30):
        policy, deals = PLANS[number % len(PLANS)]
        table = Round(rules, deals(rng), rng.randrange(2))
        played: list[tuple[int, Action]] = []
        last = [0, 0]
        while table.phase != Phase.OVER:
            seat = table.turn
            events = [(e.seat, e.action) for e in table.observe(seat).events]
            assert events == played[last[seat] :]
            action, declaration = policy(rng, table)
            table.apply(action, declaration, seat=seat)
            last[seat] = len(played)
            played.append((seat, action))
