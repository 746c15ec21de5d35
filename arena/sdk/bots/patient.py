"""Waits for gin while the chance is good."""

from arena.engine.melds import best_discards
from arena.engine.view import Observation, Phase
from arena.sdk.bots.careful import CarefulBot, gin_outs
from arena.sdk.bots.turns import highest
from arena.sdk.bots.worth import knock_is_better
from arena.sdk.helpers import forbidden_discards


class Patient(CarefulBot):
    """Plays like greedy, but waits for gin, and for undercuts, while the chance is good."""

    name = "patient"

    def knocks(self, observation: Observation, deadwood: int) -> bool:
        """Knock unless a turn more is better, with the cards counted that would bring gin."""
        outs = 0
        if deadwood and observation.phase == Phase.DISCARD:
            cards = best_discards(observation.hand, forbidden_discards(observation))[1]
            outs = gin_outs(observation, highest(cards))
        return knock_is_better(observation, deadwood, outs)
