"""The plain way to play, and the anchor of all ratings: this code never changes."""

from arena.engine.actions import DISCARD, KNOCK, Action
from arena.engine.cards import PIPS, Card
from arena.engine.melds import best_discards, least_deadwood
from arena.engine.view import Observation
from arena.sdk.bots.turns import TurnBot, highest
from arena.sdk.helpers import forbidden_discards


class Simple(TurnBot):
    """Takes a card only for a meld, throws the highest deadwood, knocks at once."""

    name = "simple"

    def wants(self, observation: Observation, upcard: Card) -> bool:
        """Return whether the upcard would stand in a meld of the best arrangement."""
        hand = observation.hand
        return least_deadwood(hand | 1 << upcard) < least_deadwood(hand) + PIPS[upcard]

    def end_turn(self, observation: Observation) -> Action:
        """Throw the highest card of those that leave the least deadwood; knock when allowed."""
        least, cards = best_discards(observation.hand, forbidden_discards(observation))
        return (KNOCK if least <= observation.knock_limit else DISCARD)[highest(cards)]
