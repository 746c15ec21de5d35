"""Rule sets, deals and policies that together reach every ending and every known difference."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from arena.engine.actions import (
    BIG_GIN,
    DISCARD,
    KNOCK,
    PASS,
    SHOW,
    STOCK,
    TAKE,
    Action,
    Declaration,
    Kind,
)
from arena.engine.cards import DECK, CardSet, card_set, iter_cards, parse_cards
from arena.engine.deal import Deal
from arena.engine.melds import MELDS, best_discards, least_deadwood
from arena.engine.round import Round
from arena.engine.rules import Rules
from arena.engine.showdown import fits
from arena.engine.view import Phase
from tests.property.play import (
    Deals,
    Policy,
    Turn,
    declaration_within,
    eager,
    melded,
    patient,
    random_deal,
    rich_deal,
    ripe_deal,
    uniform,
)

RULES = {
    "default": Rules.preset("eaai", undercut_on_tie=False, stock_end="last_discard"),
    "classic": Rules.preset("classic"),
    "finnish": Rules.preset("finnish"),
    "modern": Rules.preset("modern"),
    "modern, returns": Rules.preset(
        "modern", return_taken_card=True, undercut_on_tie=False, stock_end="last_discard"
    ),
    "modern, few turns": Rules.preset("modern", undercut_on_tie=False, max_turns=12),
    "oklahoma": Rules.preset("oklahoma"),
    "oklahoma, ace for one": Rules.preset(
        "oklahoma", oklahoma_ace="one", spade_double=False, undercut_on_tie=False
    ),
    "straight": Rules.preset("straight"),
    "other bonuses": Rules.preset(
        "classic", knock_limit=7, gin_bonus=3, undercut_bonus=0, undercut_on_tie=False
    ),
}
"""By name; `default` is OpenSpiel's own game, as near as the options come."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a round is played."""

    policy: Policy
    deals: Deals
    share: int
    """Parts of all rounds."""

    @property
    def knocks_at_once(self) -> bool:
        """Whether both seats knock whenever that is legal."""
        return self.policy in (eager, keen, prompt)


def keen(rng: random.Random, table: Round) -> Turn:
    """Knock whenever legal, with all eleven cards if possible; else play to meld."""
    legal = table.legal_actions()
    if BIG_GIN in legal:
        return BIG_GIN, None
    if any(action.kind in (Kind.KNOCK, Kind.BIG_GIN, Kind.SHOW) for action in legal):
        return _show_at_random(rng, table, eager(rng, table))
    return _useful(rng, table, legal), None


def prompt(rng: random.Random, table: Round) -> Turn:
    """Knock whenever legal, if possible with the card just drawn; draw from the stock."""
    legal = table.legal_actions()
    if table.drawn is not None and KNOCK[table.drawn] in legal:
        return KNOCK[table.drawn], None
    if legal[0] in (SHOW, PASS):
        return legal[0], None
    if STOCK in legal:
        return STOCK, None
    return eager(rng, table)


def slow(rng: random.Random, table: Round) -> Turn:
    """Play to meld, and never knock."""
    legal = [a for a in table.legal_actions() if a.kind not in (Kind.KNOCK, Kind.BIG_GIN)]
    return _useful(rng, table, legal or table.legal_actions()), None


def grasping(rng: random.Random, table: Round) -> Turn:
    """Take every upcard, and never knock."""
    legal = table.legal_actions()
    if TAKE in legal and table.phase != Phase.LAST_DISCARD:
        return TAKE, None
    plain = [action for action in legal if action.kind not in (Kind.KNOCK, Kind.BIG_GIN)]
    return rng.choice(plain or legal), None


def idle(rng: random.Random, table: Round) -> Turn:
    """Take upcards and often throw them back, where the rules allow it; knock half of the time."""
    legal = table.legal_actions()
    if table.drawn is not None and table.drawn_from_pile and rng.random() < 0.5:
        back = [action for action in legal if action == DISCARD[table.drawn]]
        if back:
            return back[0], None
    return _show_at_random(rng, table, uniform(rng, table))


def _useful(rng: random.Random, table: Round, legal: list[Action]) -> Action:
    hand = table.hands[table.turn]
    if TAKE in legal and table.phase != Phase.LAST_DISCARD:
        taken = hand | 1 << table.discards[-1]
        better = best_discards(taken, 1 << table.discards[-1])[0] < least_deadwood(hand)
        return TAKE if better else next(action for action in legal if action != TAKE)
    _, cards = best_discards(hand) if hand.bit_count() == 11 else (0, 0)
    useless = [action for action in legal if action.card >= 0 and cards >> action.card & 1]
    return rng.choice(useless or legal)


def _show_at_random(rng: random.Random, table: Round, turn: Turn) -> Turn:
    """Show random melds and lay off what random choice leaves, half of the time."""
    if turn[0].kind != Kind.SHOW:
        return turn
    if rng.random() < 0.5:
        return turn[0], None
    spread = list(table.observe(table.turn).spread)
    hand = table.hands[table.turn]
    layoffs = []
    for card, index in _layoffs(rng, hand, spread) if table.layoffs_allowed else ():
        layoffs.append((card, index))
        hand ^= 1 << card
    melds = declaration_within(rng, hand, 340).melds
    return turn[0], Declaration(melds, tuple(layoffs))


def _layoffs(rng: random.Random, hand: CardSet, spread: list[CardSet]) -> Iterator[tuple[int, int]]:
    """Yield random layoffs until none fits, or sooner."""
    while rng.random() < 0.9:
        ways = [
            (card, index)
            for card in iter_cards(hand)
            for index, meld in enumerate(spread)
            if fits(meld, card)
        ]
        if not ways:
            return
        card, index = rng.choice(ways)
        yield card, index
        spread[index] |= 1 << card
        hand ^= 1 << card


# Deals


def level_deal(rng: random.Random) -> Deal:
    """Both hands are three melds and a loose card of the same pips."""
    while True:
        deal = rich_deal(rng)
        first, second = map(least_deadwood, deal.hands)
        if first == second:
            return deal


def gin_deal(rng: random.Random) -> Deal:
    """One hand is all in melds, one card of which comes first from its stock."""
    cards = list(iter_cards(melded(rng, DECK, ((3, 3, 4),))))
    free = [card for card in range(52) if card not in cards]
    rng.shuffle(free)
    first = cards.pop(rng.randrange(10))
    hand = [*cards, free.pop()]
    others = free[:10]
    upcard, *stock = free[10:]
    if rng.random() < 0.5:
        return Deal.from_deck((*hand, *others, upcard, first, *stock))
    return Deal.from_deck((*others, *hand, upcard, stock[0], first, *stock[1:]))


_LONG_RUNS = sorted(meld for meld in MELDS if meld.bit_count() == 7 and meld & meld << 1)


def tail_deal(rng: random.Random) -> Deal:
    """One hand holds a run and two more melds, the other four cards that go on with the run."""
    while True:
        long_run = list(iter_cards(rng.choice(_LONG_RUNS)))
        if rng.random() < 0.5:
            long_run.reverse()
        run, tail = long_run[:3], long_run[3:]
        others = melded(rng, DECK & ~card_set(long_run), ((3, 3),))
        free = [c for c in range(52) if not (others | card_set(long_run)) >> c & 1]
        rng.shuffle(free)
        low = next((c for c in free if c % 13 < 9), None)
        if low is None:
            continue
        free.remove(low)
        hand = [*run, *iter_cards(others), low]
        hands = [hand, [*tail, *free[:6]]]
        rng.shuffle(hands)
        return Deal.from_deck((*hands[0], *hands[1], *free[6:]))


def long_run_deal(rng: random.Random) -> Deal:
    """Both hands begin with a run of six to nine cards."""
    hands, free = [], DECK
    for suit in rng.sample(range(4), 2):
        length = rng.randrange(6, 10)
        low = 13 * suit + rng.randrange(14 - length)
        hands.append(list(range(low, low + length)))
        free &= ~card_set(hands[-1])
    rest = rng.sample(list(iter_cards(free)), free.bit_count())
    for hand in hands:
        while len(hand) < 10:
            hand.append(rest.pop())
    return Deal.from_deck((*hands[0], *hands[1], *rest))


_TRAPS = (
    "As2s3d3h3s4h5h6h9c9d9h",
    "Ad2d3d3h3s4s5s6sJhQhKh",
    "Ac2c3c3d3s4d5d6dKcKhKs",
    "AdAhAs2c2d2h2s3h6c6d6s",
    "4c5c6c7c7h7s8c8s9c9d9s",
    "6d6h6s7d7s8d8h8s9c9d9s",
    "Ah3c3d4c4d4h5c5d5h5s6c",
    "Ad2d7s8c8h8s9c9d9h9sTs",
    "Ad3s6h7c7d7h8c8d8h8s9h",
    "Ac3c3d4c4h5c5d5h6c6d6h",
    "2s4d4s5c5d5h6c6d6h6s7d",
)
"""Eleven cards each whose least deadwood as a whole is not the best to discard from."""


def trap_deal(rng: random.Random) -> Deal:
    """One hand is a trap but for a card, which comes first from its stock."""
    suits = rng.sample(range(4), 4)
    cards = [13 * suits[c // 13] + c % 13 for c in parse_cards(rng.choice(_TRAPS))]
    rng.shuffle(cards)
    first = cards.pop()
    free = [card for card in range(52) if card not in (*cards, first)]
    rng.shuffle(free)
    return Deal.from_deck((*cards, *free[:10], free[10], first, *free[11:]))


PLANS = (
    Plan(keen, random_deal, 8),
    Plan(keen, rich_deal, 6),
    Plan(keen, gin_deal, 10),
    Plan(keen, tail_deal, 5),
    Plan(keen, long_run_deal, 4),
    Plan(keen, ripe_deal, 8),
    Plan(prompt, level_deal, 22),
    Plan(prompt, trap_deal, 4),
    Plan(eager, rich_deal, 3),
    Plan(patient, ripe_deal, 10),
    Plan(slow, random_deal, 6),
    Plan(uniform, random_deal, 2),
    Plan(uniform, ripe_deal, 3),
    Plan(idle, rich_deal, 3),
    Plan(idle, random_deal, 2),
    Plan(grasping, random_deal, 1),
)


def plans(rng: random.Random, rounds: int) -> Iterator[Plan]:
    """Yield the plans of so many rounds, by their shares and in a random order."""
    yield from rng.choices(PLANS, [plan.share for plan in PLANS], k=rounds)
