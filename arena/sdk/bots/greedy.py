from arena.engine.view import Observation
from arena.sdk.bots.careful import CarefulBot


class Greedy(CarefulBot):
    """Least deadwood, safe discards, knocks early."""

    name = "greedy"

    def knocks(self, observation: Observation, deadwood: int) -> bool:
        return True
