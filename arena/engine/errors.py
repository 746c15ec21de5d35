"""The errors of the rules.

GinArenaError
├── InvalidNotationError   text that is not a card, meld, action or record (syntax)
├── InvalidRulesError      an unknown or impossible setting of `Rules` (R8)
└── IllegalActionError     an action the rules refuse; `cause` says why (`Illegal`)
"""

import enum


class GinArenaError(ValueError):
    """Base of the errors that bad input raises."""


class InvalidNotationError(GinArenaError):
    """A text that does not parse."""


class InvalidRulesError(GinArenaError):
    """A rule option that is unknown, out of range, or impossible beside the others."""


@enum.unique
class Illegal(enum.StrEnum):
    """Why an action was refused: the causes of the rule cases."""

    WRONG_PHASE = "wrong_phase"
    NOT_YOUR_TURN = "not_your_turn"
    MUST_DRAW_STOCK = "must_draw_stock"
    DISCARD_JUST_TAKEN = "discard_just_taken"
    CARD_NOT_IN_HAND = "card_not_in_hand"
    TOO_MUCH_DEADWOOD = "too_much_deadwood"
    CARD_IN_TWO_MELDS = "card_in_two_melds"
    NOT_A_MELD = "not_a_meld"
    NOT_BIG_GIN = "not_big_gin"
    BIG_GIN_DISABLED = "big_gin_disabled"
    MUST_KNOCK_WITH_LAST_DISCARD = "must_knock_with_last_discard"
    LAYOFF_DOES_NOT_FIT = "layoff_does_not_fit"
    LAYOFF_NOT_ALLOWED = "layoff_not_allowed"
    ROUND_OVER = "round_over"


class IllegalActionError(GinArenaError):
    """An action that the rules refuse; nothing has changed."""

    def __init__(self, cause: Illegal, detail: str = "") -> None:
        super().__init__(f"{cause}: {detail}" if detail else str(cause))
        self.cause = cause
        self.detail = detail
