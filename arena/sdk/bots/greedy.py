"""Quick and careful: the best use of cards that a glance at the table allows."""

from arena.engine.view import Observation
from arena.sdk.bots.careful import CarefulBot


class Greedy(CarefulBot):
    """Seeks the least deadwood with safe discards, knocks at once.

    As the captain of three it asks for advice, and takes it where a discard is as good as its own.
    """

    name = "greedy"
    wants_advice = True

    def knocks(self, observation: Observation, deadwood: int) -> bool:
        """Knock as soon as the rules allow."""
        return True
