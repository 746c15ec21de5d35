"""Causes of forfeits and voids (R10.6, the one table) and the evidence that goes with them."""

import enum
from dataclasses import dataclass

from arena.notation.visible import visible


@enum.unique
class Cause(enum.StrEnum):
    """A bot's fault, or why it did not play."""

    ILLEGAL_ACTION = "ILLEGAL_ACTION"
    """The third refusal of a game was an action that the rules refuse (R10.1)."""
    PROTOCOL_ERROR = "PROTOCOL_ERROR"
    """The third refusal was an unreadable answer, or the answer was over the size limit."""
    TIMEOUT = "TIMEOUT"
    """The bank ran empty, or nothing came for the silence limit (R10.5)."""
    DISCONNECT = "DISCONNECT"
    """The stream ended (UNAVAILABLE) and could not be reopened (R10.2)."""
    CRASH = "CRASH"
    """The stream ended with an error status of the bot (INTERNAL, UNKNOWN and others)."""
    UNREACHABLE = "UNREACHABLE"
    """Not to be connected before its first game: absent, not at fault (R10.7)."""
    REFUSED = "REFUSED"
    """FAILED_PRECONDITION at the start: no match, no rating loss."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was asked, what came back, and when; control characters are escaped."""

    asked: str
    """The decision in words and notation."""
    answered: str
    """What came back (cut at 200 characters), or what did not."""
    charged_us: int
    """Time charged to the bank for the decision, microseconds."""
    elapsed_us: int
    """Wall time from sending to the ruling, microseconds."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "answered", visible(self.answered))


class PlayerError(Exception):
    """A fault of a bot seen by its player port; `cause` is one of R10.6.

    The detail is cut at 200 characters, its control characters are escaped.
    """

    def __init__(self, cause: Cause, detail: str) -> None:
        self.cause = cause
        self.detail = visible(detail[:200])[:200]
        super().__init__(f"{cause}: {self.detail}")
