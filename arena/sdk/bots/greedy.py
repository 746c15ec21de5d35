"""Quick and careful: the best use of cards that a glance at the table allows."""

from arena.engine.view import Observation
from arena.sdk.bots.careful import CarefulBot


class Greedy(CarefulBot):
    """Seeks the least deadwood with safe discards, knocks at once."""

    name = "greedy"

    def knocks(self, observation: Observation, deadwood: int) -> bool:
        """Knock as soon as the rules allow."""
        return True
