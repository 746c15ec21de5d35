"""Careful card play: what is worth keeping, and what the opponent could use."""

from typing import Final

from arena.engine.actions import DISCARD, KNOCK, Action
from arena.engine.cards import DECK, RANK, Card, CardSet, card_set
from arena.engine.melds import MELDS, best_discards, least_after_discard, least_deadwood
from arena.engine.view import Observation
from arena.sdk.bots.turns import TurnBot, highest, joins_meld
from arena.sdk.helpers import forbidden_discards

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


class CarefulBot(TurnBot):
    """Draws for the least deadwood and throws what is worth least to both; `knocks` is open."""

    def knocks(self, observation: Observation, deadwood: int) -> bool:
        """Return whether to knock now with this deadwood, which is within the limit."""
        raise NotImplementedError

    def wants(self, observation: Observation, upcard: Card) -> bool:
        """Return whether the upcard completes a meld, allows a knock, or saves enough points."""
        hand, taken = observation.hand, 1 << upcard
        if joins_meld(hand, upcard):
            return True
        barred = 0 if observation.rules.return_taken_card else taken
        after = least_after_discard(hand | taken, barred)
        if after <= observation.knock_limit and self.knocks(observation, after):
            return True
        return least_deadwood(hand) - after >= _GAIN

    def end_turn(self, observation: Observation) -> Action:
        """Knock if the bot's policy says so, else throw the card that is worth least."""
        least, cards = best_discards(observation.hand, forbidden_discards(observation))
        if least <= observation.knock_limit and self.knocks(observation, least):
            return KNOCK[highest(cards)]
        return DISCARD[cheapest_discard(observation, least)]


def cheapest_discard(observation: Observation, least: int) -> Card:
    """Return the card to throw: by the deadwood it leaves, its worth here and to the opponent.

    Args:
        observation: eleven cards in hand.
        least: the least deadwood that a discard can leave, points.
    """
    hand, known = observation.hand, observation.known
    hidden = DECK & ~(hand | card_set(observation.discards))
    prices: list[tuple[int, Card]] = []
    cards = hand & ~forbidden_discards(observation)
    while cards:
        bit = cards & -cards
        cards ^= bit
        rest = hand ^ bit
        cost = least_deadwood(rest) - least
        if cost <= _SLACK:
            card = bit.bit_length() - 1
            price = _POINT * cost + _worth(card, rest, hidden & ~known)
            # Between equals the higher rank goes: a rank is a hundredth of a point.
            prices.append((price + _danger(card, hidden, known) - RANK[card], card))
    return min(prices)[1]


def _worth(card: Card, rest: CardSet, live: CardSet) -> int:
    """Return what the card may still become, with the rest of the hand and the cards to come."""
    return _KEEP * sum([1 for pair in _PAIRS[card] if pair & rest and pair & ~rest & live])


def _danger(card: Card, hidden: CardSet, known: CardSet) -> int:
    """Return what throwing the card may give to the opponent."""
    return sum(
        [
            _HIDDEN + _KNOWN * (pair & known).bit_count()
            for pair in _PAIRS[card]
            if pair & hidden == pair
        ]
    )
