"""The weakest reference bot: a floor for every other."""

from typing import Final

from arena.engine.actions import Action, Kind
from arena.engine.view import Observation
from arena.sdk.bot import Bot

_WORD: Final = (1 << 64) - 1


class Random(Bot):
    """Acts at random, and knocks whenever it can."""

    name = "random"

    def act(self, observation: Observation) -> Action:
        """Return a knock if there is one, else any legal action, all alike likely."""
        knocks = [action for action in observation.legal if action.kind >= Kind.KNOCK]
        choices = knocks or observation.legal
        return choices[fingerprint(observation) % len(choices)]


def fingerprint(observation: Observation) -> int:
    """Return 64 well mixed bits of what the seat sees: the chance of a bot without memory.

    Equal observations have equal bits on every machine. The mixing is the finalizer of MurmurHash3
    (A. Appleby, public domain), after a multiplication by odd constants.
    """
    mixed = observation.hand * 0x9E3779B97F4A7C15 + observation.known * 0xD1B54A32D192ED03
    mixed += (observation.turn_number << 8 | observation.phase) * 0x8CB92BA72F3D8DD7
    mixed += (observation.round_number << 8 | len(observation.discards)) * 0xAEF17502108EF2D9
    mixed &= _WORD
    mixed = ((mixed ^ mixed >> 33) * 0xFF51AFD7ED558CCD) & _WORD
    mixed = ((mixed ^ mixed >> 33) * 0xC4CEB9FE1A85EC53) & _WORD
    return mixed ^ mixed >> 33
