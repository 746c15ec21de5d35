"""Careful card play: what is worth keeping, and what the opponent could use."""

from typing import Final

from arena.engine.actions import DISCARD, KNOCK, Action
from arena.engine.cards import DECK, PIPS, RANK, Card, CardSet, card_set, iter_cards
from arena.engine.melds import MELDS, least_after_discard, least_deadwood
from arena.engine.rules import Rules
from arena.engine.view import Observation
from arena.sdk.bots.turns import TurnBot, highest
from arena.sdk.helpers import forbidden_discards, unseen_cards

_PAIRS: Final[tuple[tuple[CardSet, ...], ...]] = tuple(
    tuple(sorted(m ^ 1 << card for m in MELDS if m.bit_count() == 3 and m >> card & 1))
    for card in range(52)
)
"""For each card, the pairs of cards that make a meld of three with it."""

# Prices in hundredths of a point of deadwood, found by play against `simple` on mirrored boards.
_POINT: Final = 100
_GAIN: Final = 8
"""Points that taking the upcard without a meld or a knock must save: it shows the opponent a card,
and a card of the stock would save some four points as well."""
_SLACK: Final = 9
"""Points of deadwood that a better discard may cost, a court card kept in place of an ace."""
_KEEP: Final = 120
"""Worth of one card, not seen yet, that would make a meld with the card and another one held."""
_HIDDEN: Final = 10
"""Danger of a discard for each pair that the opponent may hold beside it."""
_KNOWN: Final = 300
"""Further danger for each card of such a pair that the opponent is known to hold."""
_NEAR: Final = 10
"""Deadwood from which on, in a round won by gin alone, the cards that bring gin are counted."""


class CarefulBot(TurnBot):
    """Draws for the least deadwood and throws what is worth least to both; `knocks` is open."""

    def knocks(self, observation: Observation, deadwood: int) -> bool:
        """Return whether to knock now with this deadwood, which is within the limit."""
        raise NotImplementedError

    def wants(self, observation: Observation, upcard: Card) -> bool:
        """Return whether the upcard completes a meld, allows a knock, or saves enough points."""
        hand, taken = observation.hand, 1 << upcard
        before = least_deadwood(hand)
        if least_deadwood(hand | taken) < before + PIPS[upcard]:
            return True
        barred = 0 if observation.rules.return_taken_card else taken
        after = least_after_discard(hand | taken, barred)
        if after <= observation.knock_limit and self.knocks(observation, after):
            return True
        return before - after >= _GAIN

    def end_turn(self, observation: Observation) -> Action:
        """Knock if the bot's policy says so, else throw the card that is worth least."""
        left = _deadwood_by_discard(observation)
        least = min(left)[0]
        if least <= observation.knock_limit and self.knocks(observation, least):
            return KNOCK[highest(card_set([card for deadwood, card in left if deadwood == least]))]
        if not observation.knock_limit and least <= _NEAR:
            return DISCARD[_nearest_gin(observation, left, least)]
        return DISCARD[_cheapest(observation, left, least)]

    def plays_big_gin(self, rules: Rules) -> bool:
        """Return whether big gin scores more than gin, which the same eleven cards allow."""
        return rules.big_gin_bonus > rules.gin_bonus


def gin_outs(observation: Observation, thrown: Card) -> int:
    """Return how many unseen cards would bring gin after the discard of a card."""
    kept = observation.hand ^ 1 << thrown
    outs = iter_cards(unseen_cards(observation) & _joining(kept))
    return sum([least_after_discard(kept | 1 << card) == 0 for card in outs])


def _joining(cards: CardSet) -> CardSet:
    """Return the cards that make a meld with two of these, and some beside them."""
    a, b, c, d = cards << 2, cards << 1, cards >> 1, cards >> 2
    p, q, r = [cards << turn | cards >> 52 - turn for turn in (13, 26, 39)]
    return DECK & (a & b | b & c | c & d | p & q | p & r | q & r)


def _deadwood_by_discard(observation: Observation) -> list[tuple[int, Card]]:
    """Return for each card that may be thrown the least deadwood that it leaves, in points."""
    hand, left = observation.hand, []
    cards = hand & ~forbidden_discards(observation)
    while cards:
        bit = cards & -cards
        cards ^= bit
        left.append((least_deadwood(hand ^ bit), bit.bit_length() - 1))
    return left


def _nearest_gin(observation: Observation, left: list[tuple[int, Card]], least: int) -> Card:
    """Return the card to throw for the most cards that would bring gin; none: the cheapest."""
    outs = {card: gin_outs(observation, card) for dead, card in left if dead - least <= _SLACK}
    most = max(outs.values())
    return _cheapest(observation, [each for each in left if outs.get(each[1]) == most], least)


def _cheapest(observation: Observation, left: list[tuple[int, Card]], least: int) -> Card:
    """Return the card to throw: by the deadwood it leaves, its worth here and to the opponent.

    An adviser's card goes in its place where the price of that is no higher.
    """
    hand, known = observation.hand, observation.known
    hidden = DECK & ~(hand | card_set(observation.discards))
    prices: dict[Card, int] = {}
    for deadwood, card in left:
        if deadwood - least <= _SLACK:
            price = _POINT * (deadwood - least)
            price += _side_price(card, hand ^ 1 << card, hidden, known)
            prices[card] = price
    # Between equals the higher rank goes: a rank is a hundredth of a point.
    best = min(prices, key=lambda card: (prices[card] - RANK[card], card))
    advised = -1 if observation.advice is None else observation.advice.action.card
    return advised if prices.get(advised, prices[best] + 1) <= prices[best] else best


def _side_price(card: Card, rest: CardSet, hidden: CardSet, known: CardSet) -> int:
    """Return what the card may still become here, and may give to the opponent, besides its pips.

    Args:
        card: the card to be thrown.
        rest: the ten cards that stay.
        hidden: all cards not seen, `known` included.
        known: the cards that the opponent is known to hold.
    """
    price = 0
    for pair in _PAIRS[card]:
        missing = pair & hidden
        if missing == pair:
            price += _HIDDEN + _KNOWN * (pair & known).bit_count()
        elif missing and pair & rest and not missing & known:
            price += _KEEP
    return price
