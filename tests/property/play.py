"""Deals and policies for playouts that reach every ending of a round."""

import random
from collections.abc import Callable

from arena.engine.actions import BIG_GIN, KNOCK, Action, Declaration, Kind
from arena.engine.cards import DECK, Card, CardSet, card_set, iter_cards, pips
from arena.engine.deal import Deal
from arena.engine.melds import MELDS, knock_discards, melds_in
from arena.engine.round import Round
from arena.engine.rules import Rules
from arena.engine.view import Phase

Turn = tuple[Action, Declaration | None]
Policy = Callable[[random.Random, Round], Turn]

_BY_SIZE = {n: sorted(meld for meld in MELDS if meld.bit_count() == n) for n in (3, 4, 5)}


def held(table: Round) -> list[CardSet]:
    """Return the four places a card may be in: two hands, the pile, the stock."""
    return [*table.hands, card_set(table.discards), table.stock.left()]


def random_deal(rng: random.Random) -> Deal:
    return Deal.from_deck(tuple(rng.sample(range(52), 52)))


Shape = tuple[int, ...]


def melded(rng: random.Random, free: CardSet, shapes: tuple[Shape, ...]) -> CardSet:
    """Return random disjoint melds of one of the shapes (sizes of melds), all of free cards."""
    while True:
        cards, shape = 0, rng.choice(shapes)
        for size in shape:
            meld = rng.choice(_BY_SIZE[size])
            cards |= 0 if meld & (cards | ~free) else meld
        if cards.bit_count() == sum(shape):
            return cards


def _deal(rng: random.Random, hands: list[list[Card]], first: list[Card]) -> Deal:
    """Lay out a deal with the hands given and `first` on top of the streams of seats 0 and 1."""
    used = card_set([*hands[0], *hands[1], *first])
    rest = list(iter_cards(DECK & ~used))
    rng.shuffle(rest)
    upcard, *stock = rest
    return Deal.from_deck((*hands[0], *hands[1], upcard, *first, *stock))


def rich_deal(rng: random.Random) -> Deal:
    """Both hands are three melds and a loose card."""
    hands: list[list[Card]] = []
    free = DECK
    for _ in range(2):
        cards = melded(rng, free, ((3, 3, 3),))
        cards |= 1 << rng.choice(list(iter_cards(free & ~cards)))
        free &= ~cards
        hands.append(list(iter_cards(cards)))
    return _deal(rng, hands, [])


def ripe_deal(rng: random.Random) -> Deal:
    """Each seat's first card of the stock makes eleven cards in melds."""
    hands, first, free = [], [], DECK
    for _ in range(2):
        cards = list(iter_cards(melded(rng, free, ((3, 4, 4), (3, 3, 5)))))
        free &= ~card_set(cards)
        first.append(cards.pop(rng.randrange(11)))
        hands.append(cards)
    return _deal(rng, hands, first)


def declaration_within(rng: random.Random, cards: CardSet, limit: int) -> Declaration:
    """Return random disjoint melds that leave no more deadwood than the limit."""
    own = melds_in(cards)
    while True:
        melds: list[CardSet] = []
        left = cards
        for meld in rng.sample(own, len(own)):
            if not meld & ~left and rng.random() < 0.9:
                melds.append(meld)
                left ^= meld
        if pips(left) <= limit:
            return Declaration(tuple(melds))


def with_declaration(rng: random.Random, table: Round, action: Action) -> Turn:
    """Add a random legal declaration to an action that may carry one, half of the time."""
    if action.kind < Kind.KNOCK or rng.random() < 0.5:
        return action, None
    hand = table.hands[table.turn]
    if action.kind == Kind.KNOCK:
        return action, declaration_within(rng, hand ^ 1 << action.card, table.knock_limit)
    return action, declaration_within(rng, hand, 0 if action.kind == Kind.BIG_GIN else 340)


def uniform(rng: random.Random, table: Round) -> Turn:
    """Play any legal action."""
    return with_declaration(rng, table, rng.choice(table.legal_actions()))


def eager(rng: random.Random, table: Round) -> Turn:
    """Knock, or go gin, whenever that is legal."""
    legal = table.legal_actions()
    knocks = [action for action in legal if action.kind in (Kind.KNOCK, Kind.BIG_GIN)]
    return with_declaration(rng, table, rng.choice(knocks or legal))


def patient(rng: random.Random, table: Round) -> Turn:
    """Go for eleven melded cards or for gin when they are there, and never knock before."""
    legal = table.legal_actions()
    knocks = {action for action in legal if action.kind == Kind.KNOCK}
    if BIG_GIN in legal and rng.random() < 0.7:
        return BIG_GIN, None
    if knocks:
        gins = knock_discards(table.hands[table.turn], 0) if rng.random() < 0.7 else 0
        gin_knocks = [KNOCK[card] for card in iter_cards(gins) if KNOCK[card] in knocks]
        plain = [action for action in legal if action not in knocks]
        legal = gin_knocks or plain or legal
    return with_declaration(rng, table, rng.choice(legal))


Deals = Callable[[random.Random], Deal]
PLANS: tuple[tuple[Policy, Deals], ...] = (
    (eager, rich_deal),
    (uniform, random_deal),
    (eager, rich_deal),
    (patient, ripe_deal),
    (eager, random_deal),
    (uniform, ripe_deal),
    (eager, rich_deal),
    (patient, ripe_deal),
)
"""Policies with deals that suit them; half of the playouts are eager."""


def playout(rng: random.Random, rules: Rules, policy: Policy, deal: Deal) -> Round:
    """Play a round to its end."""
    table = Round(rules, deal, rng.randrange(2))
    while table.phase != Phase.OVER:
        table.apply(*policy(rng, table))
    return table
