"""The record of a match: its facts as values.

Seats and players are two things: `RoundRecord` speaks of seats, `GameRecord` and `Header` of
players (index in the match); `GameRecord.seating` joins them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from arena.engine.result import Ending
from arena.engine.rules import Rules

FORMAT: Final = "ginarena-record/1"
TIMES_FORMAT: Final = "ginarena-times/1"


@dataclass(frozen=True, slots=True)
class Header:
    """What a match was: rules, players, clocks, boards."""

    rules: Rules
    players: tuple[tuple[str, str], ...]
    """Name and version of each bot, by player."""
    time_control: Mapping[str, int | str]
    """The clock settings by name (`TimeControl.as_dict`)."""
    boards: str
    """The board mode, ``private`` or ``mirrored`` (R9.4)."""


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One round; an open one (a forfeit ended the game in it) has no ending."""

    number: int
    """From 1, within the game."""
    dealer: int
    """The dealer's seat."""
    actions: str
    """All actions in order (`arena.notation.text`)."""
    ending: Ending | None = None
    winner: int | None = None
    """The seat that scored; None for a dead, tied or open round."""
    points: int = 0
    """Points to the winner."""


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Who lost a game by a fault, and which (R10.6)."""

    player: int
    cause: str
    """The value of a cause of R10.6, ``TIMEOUT``."""


@dataclass(frozen=True, slots=True)
class Void:
    """A try at the game that the arena had to give up (R10.3)."""

    board: int
    """The board it was played on."""
    cause: str
    """Why, in a word or a sentence; no times, no run ids."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game with its rounds."""

    index: int
    """From 0, its place in the match."""
    board: int
    """The board's number in the league."""
    seed: bytes
    """The board's seed, 32 bytes: with the round's number it gives every deal (R9.1)."""
    seating: tuple[int, ...]
    """The player at each seat."""
    rounds: tuple[RoundRecord, ...]
    winner: int | None
    """The player who won by the rules' `winner_by`, or by the other's forfeit; None: drawn."""
    points: tuple[int, ...]
    """Points of the rounds by player, before the bonuses of the end."""
    totals: tuple[int, ...]
    """Points after bonuses by player; of a forfeited game the same as `points`."""
    forfeit: Forfeit | None = None
    """Set: the last round is open, or the game was never begun and there is none."""
    voids: tuple[Void, ...] = ()
    """Earlier tries, oldest first."""

    @property
    def has_open_round(self) -> bool:
        """Whether a forfeit left its last round open; a game never begun has none (R10.2)."""
        return bool(self.rounds) and self.rounds[-1].ending is None

    def margins(self, player: int) -> list[int]:
        """Return, of each finished round, the points a player won it by, or lost it by."""
        seat = self.seating.index(player)
        return [
            0 if done.winner is None else done.points if done.winner == seat else -done.points
            for done in self.rounds
            if done.ending is not None
        ]


@dataclass(frozen=True, slots=True)
class Record:
    """A whole match."""

    header: Header
    games: tuple[GameRecord, ...]


@dataclass(frozen=True, slots=True)
class FaultTime:
    """When a decision was sent and answered, where a fault is claimed (R10.5)."""

    round: int
    """The round's number."""
    action: int
    """The place of the decision in the round's actions, from 0."""
    player: int
    cause: str
    """The cause of R10.6."""
    sent_us: int
    """Microseconds from the start of the game to the sending."""
    received_us: int | None
    """The same to the answer; None: there was none."""


@dataclass(frozen=True, slots=True)
class GameTimes:
    """The times of one game, apart from its record."""

    index: int
    """The game's index in the match."""
    rounds: tuple[tuple[int, ...], ...]
    """By round, the time charged for each action, ticks of 0.1 ms; 0: the referee's own."""
    faults: tuple[FaultTime, ...] = ()
