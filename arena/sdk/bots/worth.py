"""Whether to knock now or to wait a turn: one judgement of cards, bonuses and score."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Final

from arena.engine.cards import PIPS, SUIT, SUITS, iter_cards
from arena.engine.rules import Rules
from arena.engine.view import Observation
from arena.sdk.helpers import unseen_cards

# Measured in games between the reference bots, of classic, oklahoma and straight.
_USUAL: Final = (58, 47, 38, 31, 25, 20, 17, 14, 11, 9, 7)
"""The opponent's deadwood by its turns so far; a card it took from the pile counts as one more."""
_SPREAD: Final = (60, 80, 100, 125, 160)
"""Five cases, alike likely, of the opponent's deadwood, in hundredths of the usual."""
_KNOCKS: Final = (0, 5, 7, 9, 10)
"""Five cases, alike likely, of what an opponent knocks with, in tenths of the limit."""
_LAYOFFS: Final = 3
"""Points that a defender usually lays off."""
_GAIN: Final = 1
"""Points of deadwood that a turn more usually saves."""
_ROUND: Final = 20
"""Points of a usual round."""
_MORE_TURNS: Final = 4
"""Cards in the stock that leave the seat another turn."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What a round's points mean: how far each side is from the target."""

    mine: int
    """Points that the seat still needs, at least 1."""
    theirs: int
    """Points that the opponent needs."""
    stakes: int
    """2 in a doubled round, else 1."""

    @classmethod
    def of(cls, observation: Observation) -> "Standing":
        """Read it from a decision; the columns of Hollywood count by their mean."""
        rules, points = observation.rules, observation.points
        needs = [max(1, rules.target - points[seat] // rules.columns) for seat in (0, 1)]
        return cls(needs[observation.seat], needs[observation.opponent], _stakes(observation))

    def chance(self, results: Sequence[int]) -> float:
        """Return the mean chance of the game after results that are alike likely.

        It is that of a race by rounds of random points: the squares of what is still needed, a
        round added to both, within three hundredths of the exact chance from both a quarter of
        the way.

        Args:
            results: points of the round to the seat; negative to the opponent.
        """
        return sum([self._chance(self.stakes * points) for points in results]) / len(results)

    def _chance(self, points: int) -> float:
        mine, theirs = self.mine - max(points, 0), self.theirs + min(points, 0)
        if mine <= 0 or theirs <= 0:
            return float(mine <= 0)
        mine, theirs = (mine + _ROUND) ** 2, (theirs + _ROUND) ** 2
        return theirs / (mine + theirs)


def knock_is_better(observation: Observation, deadwood: int, outs: int) -> bool:
    """Return whether to knock now gives no less a chance of the game than to wait a turn.

    Args:
        observation: the decision.
        deadwood: what the knock would leave, within the limit.
        outs: unseen cards that would bring gin.
    """
    if not deadwood:
        return True
    rules, limit = observation.rules, observation.knock_limit
    standing = Standing.of(observation)
    time = observation.turn_number // 2 + observation.known.bit_count()
    now, later = _opponent(time, limit), _opponent(time + 1, limit)
    # The opponent plays first, and knocks the oftener the nearer it is to the limit.
    risk = min(0.5, ((2.5 + 0.6 * limit) / now[2]) ** 2)
    caught = [-_knock(rules, tenths * limit // 10, deadwood) for tenths in _KNOCKS]
    if observation.stock_count < _MORE_TURNS:
        wait = standing.chance([0])
    else:
        gin = min(1.0, 2 * outs / unseen_cards(observation).bit_count())
        wait = gin * standing.chance([_knock(rules, 0, other) for other in later])
        less = max(deadwood - _GAIN, 1)
        wait += (1 - gin) * standing.chance([_knock(rules, less, other) for other in later])
    wait = risk * standing.chance(caught) + (1 - risk) * wait
    return standing.chance([_knock(rules, deadwood, other) for other in now]) >= wait


def _opponent(time: int, limit: int) -> list[int]:
    """Return five cases of the opponent's deadwood; it is above the limit, or it had knocked."""
    usual = isqrt(_USUAL[min(time, len(_USUAL) - 1)] ** 2 + 2 * limit * limit)
    return [usual * part // 100 for part in _SPREAD]


def _knock(rules: Rules, deadwood: int, other: int) -> int:
    """Return the points of a knock to the knocker, by the defender's deadwood (R4.4, R4.5)."""
    if not deadwood:
        return rules.gin_bonus + other
    margin = max(other - _LAYOFFS, 0) - deadwood
    if margin > 0 or (not margin and not rules.undercut_on_tie):
        return margin
    return margin - rules.undercut_bonus


def _stakes(observation: Observation) -> int:
    """Return 2 if the round's points are doubled for its first upcard (R6.1), else 1.

    That card is the bottom of the pile, or in a hand if it was taken at once: a card of the limit's
    pips held by the seat or known at the opponent is taken for it then.
    """
    if not observation.rules.spade_double:
        return 1
    pips = max(observation.knock_limit, 1)
    bottom = observation.discards[:1]
    if not bottom or PIPS[bottom[0]] != pips:
        bottom = tuple(iter_cards(observation.hand | observation.known))
    return 2 if any(SUIT[c] == SUITS.index("s") and PIPS[c] == pips for c in bottom) else 1
