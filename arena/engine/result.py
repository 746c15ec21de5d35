"""The result of a round as facts, and its price under a rule set (rules R4.4, R4.5, R6.1)."""

import enum
from dataclasses import dataclass

from arena.engine.cards import Card, CardSet
from arena.engine.rules import Rules


@enum.unique
class Ending(enum.StrEnum):
    """How a round ended."""

    KNOCK = "knock"
    """The knocker had the lower deadwood (R4.4)."""
    GIN = "gin"
    """The knocker declared no deadwood (R3.4)."""
    BIG_GIN = "big_gin"
    """All eleven cards melded (R3.5)."""
    UNDERCUT = "undercut"
    """The defender had the lower deadwood, or the same (R4.4)."""
    TIE = "tie"
    """The same deadwood where that is no undercut (R4.4)."""
    DEAD = "dead"
    """The stock or the turns ran out (R3.6, R3.7)."""


@dataclass(frozen=True, slots=True)
class RoundResult:
    """What happened; `price` says what it is worth. A dead round has neither knocker nor melds."""

    ending: Ending
    knocker: int | None = None
    """Seat."""
    winner: int | None = None
    """Seat; None in a tied or dead round."""
    knocker_melds: tuple[CardSet, ...] = ()
    """As declared."""
    knocker_deadwood: int = 0
    """Points, as declared."""
    defender_melds: tuple[CardSet, ...] = ()
    layoffs: tuple[tuple[Card, int], ...] = ()
    """Cards laid off in order, each with the index of the knocker's meld."""
    defender_deadwood: int = 0
    """Points left after layoffs."""
    upcard_spade: bool = False
    """Whether the first upcard was a spade (R6.1)."""


def price(rules: Rules, result: RoundResult) -> int:
    """Return the points of a round to its winner; 0 without one (R4.4, R4.5, R6.1)."""
    difference = result.defender_deadwood - result.knocker_deadwood
    points = {
        Ending.KNOCK: difference,
        Ending.UNDERCUT: rules.undercut_bonus - difference,
        Ending.GIN: rules.gin_bonus + result.defender_deadwood,
        Ending.BIG_GIN: rules.big_gin_bonus + result.defender_deadwood,
    }.get(result.ending, 0)
    return 2 * points if rules.spade_double and result.upcard_spade else points
