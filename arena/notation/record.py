"""The record of a match: its facts as values.

Seats and players are two things: `RoundRecord` speaks of seats, `GameRecord` and `Header` of
players (index in the match); `GameRecord.seating` joins them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from arena.engine.places import places
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
    captain: int | None = None
    """The captain's seat in a game of three, who plays against the dealer (R7.2)."""
    advice: str = ""
    """What was advised at each action of the captain (`arena.notation.advice`)."""
    notes: tuple[tuple[int, str], ...] = ()
    """The adviser's words, each with the place of the captain's action, from 0."""

    @property
    def active(self) -> tuple[int, int]:
        """The seats that play it, the dealer first; of three the other one sits out."""
        return self.dealer, 1 - self.dealer if self.captain is None else self.captain


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
    """The player who won by the rules' `winner_by`, or by a forfeit of another: who then has the
    first place alone (R10.2); None: drawn."""
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

    @property
    def boxes(self) -> tuple[int, ...]:
        """Rounds won by player."""
        won = [done.winner for done in self.rounds]
        return tuple(won.count(self.seating.index(player)) for player in self._players)

    @property
    def places(self) -> tuple[int, ...]:
        """Places by player, 1 is best; equal places are shared (R7.5, R10.2)."""
        lost = self.forfeit.player if self.forfeit else None
        winner = self.winner if lost is None else None
        return places(winner, self.points, self.boxes, forfeiter=lost)

    @property
    def first(self) -> int | None:
        """The player who has the first place alone, None where it is shared."""
        found = self.places
        return found.index(1) if found.count(1) == 1 else None

    def margins(self, player: int) -> list[int]:
        """Return, of each finished round that a player played, by how much it was won or lost."""
        seat = self.seating.index(player)
        return [
            0 if done.winner is None else done.points if done.winner == seat else -done.points
            for done in self.rounds
            if done.ending is not None and seat in done.active
        ]

    def open_round(self, player: int) -> int:
        """Return who lost the round that a forfeit left open: -1 the player, 1 the opponent.

        0: there is none, or the player sat it out (R10.2).
        """
        if self.forfeit is None or not self.has_open_round:
            return 0
        if self.seating.index(player) not in self.rounds[-1].active:
            return 0
        return -1 if self.forfeit.player == player else 1

    @property
    def _players(self) -> range:
        return range(len(self.seating))


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
