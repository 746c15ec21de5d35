"""What a match leaves behind: finished games, voids, faults, and how it ended."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from arena.notation.record import GameRecord, GameTimes, Header, Void
from arena.referee.verdict import Cause, Evidence


@enum.unique
class MatchEnd(enum.StrEnum):
    """How a match ended."""

    COMPLETE = "complete"
    """Every game has its result, forfeits included."""
    ENDED_EARLY = "ended_early"
    """A bot had too many incidents, or was gone for good; the rest is played later (R10.2)."""
    ABSENT = "absent"
    """A bot could not be reached, or was lost before its first decision: no fault (R10.7)."""
    REFUSED = "refused"
    """A bot refused the match at its start: no match, no rating loss (R10.6)."""
    QUARANTINED = "quarantined"
    """Three voids: an organiser decides (R10.3)."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a bot in one game."""

    game: int
    """The game's index in the match."""
    player: int
    cause: Cause
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game with its result."""

    record: GameRecord
    times: GameTimes
    faults: tuple[Fault, ...] = ()
    """The fault that forfeited it; empty for a game played to its end."""


@dataclass(frozen=True, slots=True)
class VoidedGame:
    """A try at a game that was given up; a result stored for this game is void as well."""

    index: int
    """The game's index in the match."""
    void: Void
    faults: tuple[Fault, ...] = ()
    """Both bots' faults, where both were at fault within one second (R10.7)."""
    event: int = 0
    """Which void of the match this was, from 1: one event may void many games, three quarantine
    the match (R10.3). 0 counts for nobody: a bot was lost before its first decision."""


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """Everything that came of a match."""

    header: Header | None
    """The record's header; None where a bot was never reached."""
    end: MatchEnd
    games: tuple[FinishedGame, ...]
    """All finished games, those of earlier attempts included, in schedule order."""
    voided: tuple[VoidedGame, ...]
    """All voids, those of earlier attempts included, oldest first."""
    incidents: tuple[int, ...]
    """What each bot has to answer for (R10.2)."""
    ignored: tuple[int, ...]
    """Answers of each bot to unknown or answered decisions."""
    begun: Mapping[int, int]
    """Games begun and left without a result, index to board; empty unless it ended before time."""
    player: int | None = None
    """The bot that `end` speaks of, where it speaks of one."""
    detail: str = ""
    """Why it ended so, in a sentence."""
