"""Quick and careful: the best use of cards that a glance at the table allows."""

from arena.engine.view import Observation
from arena.sdk.bots.careful import CarefulBot
from arena.sdk.bots.worth import knock_is_better


class Greedy(CarefulBot):
    """Seeks the least deadwood with safe discards, knocks where waiting for less is no better.

    As the captain of three it asks for advice, and takes it where a discard is as good as its own.
    """

    name = "greedy"
    wants_advice = True

    def knocks(self, observation: Observation, deadwood: int) -> bool:
        """Knock unless a turn more is better even without the hope of gin."""
        return knock_is_better(observation, deadwood, outs=0)
