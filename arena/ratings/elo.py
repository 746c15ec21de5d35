"""The Elo scale: 400 points are odds of ten to one.

Source: A. Elo, The Rating of Chessplayers (1978), with the logistic curve in place of the normal.
"""

import math
from typing import Final

ANCHOR: Final = 1500.0
"""The rating of the anchor, or without one the mean of all."""
ANCHOR_BOT: Final = ("simple", "1")
"""Name and version of the bot whose rating is `ANCHOR` in every league that it has entered."""
SCALE: Final = 400 / math.log(10)
"""Elo points per natural unit of log odds."""


def expected_score(difference: float) -> float:
    """Return the expected score, 0 to 1, of a player `difference` Elo above the other."""
    return 1 / (1 + 10 ** (-difference / 400))


def elo_of_score(score: float) -> float:
    """Return the Elo difference that gives an expected score; infinite at 0 and 1 and beyond."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return SCALE * math.log(score / (1 - score))
