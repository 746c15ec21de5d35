"""Waits for gin while the chance is good."""

from typing import Final

from arena.engine.cards import iter_cards
from arena.engine.melds import best_discards, least_after_discard
from arena.engine.view import Observation, Phase
from arena.sdk.bots.careful import CarefulBot
from arena.sdk.bots.turns import highest
from arena.sdk.helpers import forbidden_discards, unseen_cards

_OUTS: Final = 4
"""Unseen cards that must bring gin, for waiting to be worth it: with three, waiting loses about as
much to knocks of the opponent as gin wins (measured against `simple`, `classic`)."""
_LATE: Final = 10
"""Cards in the stock from which on there is no time to wait."""


class Patient(CarefulBot):
    """Plays like greedy, but waits for gin, and for undercuts, while the chance is good."""

    name = "patient"

    def knocks(self, observation: Observation, deadwood: int) -> bool:
        """Knock with gin, late in the round, or with too few cards that would bring gin."""
        if not deadwood or observation.stock_count <= _LATE:
            return True
        return observation.phase != Phase.DISCARD or gin_outs(observation) < _OUTS


def gin_outs(observation: Observation) -> int:
    """Return how many unseen cards would bring gin after the discard of least deadwood."""
    hand = observation.hand
    kept = hand ^ 1 << highest(best_discards(hand, forbidden_discards(observation))[1])
    unseen = unseen_cards(observation)
    return sum([least_after_discard(kept | 1 << card) == 0 for card in iter_cards(unseen)])
