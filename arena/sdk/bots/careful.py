"""Careful card play: which cards are worth keeping, and which are safe to throw."""

from typing import Final

from arena.engine.actions import DISCARD, KNOCK, Action
from arena.engine.cards import DECK, Card, CardSet, card_set
from arena.engine.melds import MELDS, best_discards, least_after_discard, least_deadwood
from arena.engine.view import Observation
from arena.sdk.bots.turns import TurnBot, highest, joins_meld
from arena.sdk.helpers import forbidden_discards

PAIRS: Final[tuple[tuple[CardSet, ...], ...]] = tuple(
    tuple(sorted(m ^ 1 << card for m in MELDS if m.bit_count() == 3 and m >> card & 1))
    for card in range(52)
)
"""For each card the pairs that make a meld of three with it: three of its rank, one to three of
its suit."""


class CarefulBot(TurnBot):
    MARGIN = 4.0
    SLACK = 6
    DANGER = 0.5
    KNOWN = 3.0
    KEEP = 1.0

    def knocks(self, observation: Observation, deadwood: int) -> bool:
        raise NotImplementedError

    def wants(self, observation: Observation, upcard: Card) -> bool:
        hand, taken = observation.hand, 1 << upcard
        if joins_meld(hand, upcard):
            return True
        after = least_after_discard(hand | taken, 0 if observation.rules.return_taken_card else taken)
        if after <= observation.knock_limit and self.knocks(observation, after):
            return True
        return after <= least_deadwood(hand) - self.MARGIN

    def end_turn(self, observation: Observation) -> Action:
        least, cards = best_discards(observation.hand, forbidden_discards(observation))
        if least <= observation.knock_limit and self.knocks(observation, least):
            return KNOCK[highest(cards)]
        return DISCARD[self.throw(observation, least)]

    def throw(self, observation: Observation, least: int) -> Card:
        hand, known = observation.hand, observation.known
        hidden = DECK & ~(hand | card_set(observation.discards))
        live = hidden & ~known
        best, choice = 1000.0, -1
        cards = hand & ~forbidden_discards(observation)
        while cards:
            bit = cards & -cards
            cards ^= bit
            rest = hand ^ bit
            extra = least_deadwood(rest) - least
            if extra > self.SLACK:
                continue
            card = bit.bit_length() - 1
            price = extra - 0.01 * (card % 13)
            for pair in PAIRS[card]:
                if pair & hidden == pair:
                    price += self.DANGER * (1 + self.KNOWN * (pair & known).bit_count())
                elif pair & rest and pair & ~rest & live:
                    price += self.KEEP
            if price < best:
                best, choice = price, card
        return choice
