"""What the reference bots share: the frame of a turn, and a few questions about cards."""

from typing import Final

from arena.engine.actions import BIG_GIN, PASS, STOCK, TAKE, Action
from arena.engine.cards import RANK, Card, CardSet
from arena.engine.melds import least_deadwood
from arena.engine.rules import Rules
from arena.engine.view import Observation, Phase
from arena.sdk.bot import Bot

_BY_RANK: Final = tuple(sum(1 << card for card in range(52) if RANK[card] == r) for r in range(13))
_DOWNWARDS: Final = _BY_RANK[::-1]


class TurnBot(Bot):
    """A bot that answers two questions a turn: whether it wants the upcard, and how to go on."""

    def act(self, observation: Observation) -> Action:
        """Ask `wants` at the draw and `end_turn` after it; declare big gin where it is played."""
        if observation.phase == Phase.DISCARD:
            if self.plays_big_gin(observation.rules) and not least_deadwood(observation.hand):
                return BIG_GIN
            return self.end_turn(observation)
        if TAKE in observation.legal and self._takes(observation):
            return TAKE
        return STOCK if observation.phase == Phase.DRAW else PASS

    def _takes(self, observation: Observation) -> bool:
        # The last discard may be taken only to knock with it, in place of a dead round (R3.6).
        return observation.phase == Phase.LAST_DISCARD or self.wants(
            observation, observation.discards[-1]
        )

    def wants(self, observation: Observation, upcard: Card) -> bool:
        """Return whether to take the upcard."""
        raise NotImplementedError

    def plays_big_gin(self, rules: Rules) -> bool:
        """Return whether to declare eleven melded cards; by default wherever it is played."""
        return rules.big_gin_bonus > 0

    def end_turn(self, observation: Observation) -> Action:
        """Return the discard or the knock, with eleven cards in hand."""
        raise NotImplementedError


def highest(cards: CardSet) -> Card:
    """Return the card of the highest rank in a set that is not empty; of equals the last suit."""
    return next(cards & rank for rank in _DOWNWARDS if cards & rank).bit_length() - 1
