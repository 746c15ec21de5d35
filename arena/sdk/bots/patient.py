from arena.engine.view import Observation
from arena.sdk.bots.careful import CarefulBot


class Patient(CarefulBot):
    """Plays for gin and undercuts, knocks late."""

    name = "patient"
    LOW = 3
    LATE = 8

    def knocks(self, observation: Observation, deadwood: int) -> bool:
        return deadwood <= self.LOW or observation.stock_count <= self.LATE
