"""Plans of matches: games, boards, seatings and time controls (R9.1, R9.4, R10.3, R10.5)."""

import enum
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from itertools import permutations
from typing import Any, Final

from arena.engine.deal import board_seed
from arena.engine.errors import InvalidRulesError
from arena.engine.rules import Rules

SLOT_BITS: Final = 16
"""A match owns the boards ``number << SLOT_BITS`` and the 65,535 after it (R9.1)."""
_SLOTS: Final = 1 << SLOT_BITS
_RESERVES: Final = 1024
"""Slots kept free for reserve boards; three voids of a match quarantine it (R10.3)."""
_LONGEST_US: Final = 86_400_000_000
"""The longest time of a time control, one day, microseconds."""


@enum.unique
class BoardMode(enum.StrEnum):
    """How tables share boards (R9.4)."""

    PRIVATE = "private"
    """Every game has a board that no other table plays."""
    MIRRORED = "mirrored"
    """Every board is played once in every seating."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The clock settings of a match (R10.5); all times in microseconds, the defaults `standard`.

    Raises:
        InvalidRulesError: a time that is not a whole number from 0 to one day.
    """

    name: str = "standard"
    """The name it is shown under; of no effect."""
    bank_us: int = 30_000_000
    """Time each bot starts a game with."""
    increment_us: int = 50_000
    """Time added to the bank for each decision asked."""
    silence_us: int = 15_000_000
    """Longest time without any answer while decisions are outstanding."""
    connect_us: int = 5_000_000
    """Longest time to connect, apart from the bank."""
    first_answer_us: int = 10_000_000
    """Longest time for the first answer of a match, apart from the bank."""
    reopen_us: int = 10_000_000
    """Longest time to reopen a broken stream (R10.2)."""
    lag_us: int = 50_000
    """A lag of the referee's own loop above this is charged to nobody."""
    advice_bank_us: int = 15_000_000
    """Time an adviser starts a game with (R7.3)."""
    advice_increment_us: int = 20_000
    """Time added to the adviser's bank for each decision."""

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            whole = isinstance(value, int) and not isinstance(value, bool)
            if name != "name" and not (whole and 0 <= value <= _LONGEST_US):
                raise InvalidRulesError(f"{name} is {value!r}; it may be 0 to {_LONGEST_US}")

    @classmethod
    def named(cls, name: str) -> "TimeControl":
        """Return `fast`, `standard` or `thinking`.

        Raises:
            InvalidRulesError: no such name.
        """
        found = TIME_CONTROLS.get(name)
        if found is None:
            raise InvalidRulesError(
                f"no time control {name!r}; there are {', '.join(TIME_CONTROLS)}"
            )
        return found

    def with_values(self, values: Mapping[str, Any]) -> "TimeControl":
        """Return this time control with single values replaced.

        Raises:
            InvalidRulesError: an unknown name or a bad value.
        """
        names = [field.name for field in fields(self)]
        unknown = sorted(set(values) - set(names))
        if unknown:
            raise InvalidRulesError(f"no clock value {unknown[0]!r}; there are {', '.join(names)}")
        return replace(self, **values)

    def as_dict(self) -> dict[str, int | str]:
        """Return every value by name, JSON-ready."""
        return asdict(self)


TIME_CONTROLS: Final[dict[str, TimeControl]] = {
    "fast": TimeControl("fast", bank_us=10_000_000, increment_us=20_000),
    "standard": TimeControl(),
    "thinking": TimeControl(
        "thinking", bank_us=300_000_000, increment_us=500_000, silence_us=120_000_000
    ),
}
"""The named time controls of R10.5."""


@dataclass(frozen=True, slots=True)
class GamePlan:
    """One game to be played."""

    index: int
    """From 0, its place in the match and in the record."""
    board: int
    """The board's number in the league (R9.1)."""
    seed: bytes
    """The board's seed, 32 bytes."""
    seating: tuple[int, ...]
    """The player (index in the match) at each seat."""

    def on(self, board: int, seed: bytes) -> "GamePlan":
        """Return the same game on another board, after a void (R10.3)."""
        return replace(self, board=board, seed=seed)


@dataclass(frozen=True)
class MatchPlan:
    """All games of one match, in playing order, as a pure function of a few values.

    `private`: a slot a game, the seatings in turn. `mirrored`: a slot a board; first all boards in
    seating 0, then all in seating 1 and so on, so that seatings need not be open together (R9.4).

    Raises:
        InvalidRulesError: more slots than a match owns, or less than one.
    """

    rules: Rules
    time_control: TimeControl
    mode: BoardMode
    master: bytes
    """The master seed of the league (R9.3), 32 bytes."""
    slots: int
    """Boards of the main games: `private` games, `mirrored` seating sets."""
    number: int = 0
    """The match's number in its league, from 0."""

    def __post_init__(self) -> None:
        most = _SLOTS - _RESERVES
        if not 1 <= self.slots <= most:
            raise InvalidRulesError(f"a match of {self.slots} boards; it may have 1 to {most}")

    @property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """All seatings of the players, in the order they are used."""
        return tuple(permutations(range(self.rules.players)))

    @cached_property
    def games(self) -> tuple[GamePlan, ...]:
        """The games in playing order."""
        if self.mode is BoardMode.MIRRORED:
            pairs = [(slot, seating) for seating in self.seatings for slot in range(self.slots)]
        else:
            turns = self.seatings
            pairs = [(slot, turns[slot % len(turns)]) for slot in range(self.slots)]
        boards = [self._board(slot) for slot in range(self.slots)]
        return tuple(
            GamePlan(index, *boards[slot], seating) for index, (slot, seating) in enumerate(pairs)
        )

    def reserve(self, index: int) -> tuple[int, bytes]:
        """Return number and seed of the reserve board `index`, from 0 (R10.3).

        Raises:
            InvalidRulesError: the match has no slot left.
        """
        if not 0 <= index < _SLOTS - self.slots:
            raise InvalidRulesError(f"no reserve board {index}; there are {_SLOTS - self.slots}")
        return self._board(self.slots + index)

    def _board(self, slot: int) -> tuple[int, bytes]:
        board = self.number << SLOT_BITS | slot
        return board, board_seed(self.master, board)
