"""The options of a game as one frozen value, with presets (rules R8)."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final

from arena.engine.errors import InvalidRulesError

UPCARD: Final = -1
"""`Rules.knock_limit` when the first upcard sets it (R6.1); ``"upcard"`` in text."""

_CHOICES: Final[dict[str, tuple[str | int, ...]]] = {
    "players": (2, 3),
    "oklahoma_ace": ("gin", "one"),
    "first_dealer": ("high", "low", "seeded"),
    "next_dealer": ("winner", "loser", "alternate", "box"),
    "stock_end": ("dead", "last_discard"),
    "shutout": ("none", "plus_100", "double_game", "double_total"),
    "winner_by": ("race", "total"),
    "box_when": ("end", "at_once"),
    "columns": (1, 3),
}
_FLAGS: Final = ("undercut_on_tie", "layoff_on_gin", "return_taken_card", "spade_double")
_LEAST: Final[dict[str, int]] = {
    "gin_bonus": 0,
    "undercut_bonus": 0,
    "big_gin_bonus": 0,
    "box_bonus": 0,
    "game_bonus": 0,
    "target": 1,
    "max_turns": 1,
    "max_dead_rounds": 1,
}
_MOST: Final = 1_000_000
"""Bound of every number option, so that no sum of a game leaves 64 bits."""


@dataclass(frozen=True, slots=True)
class Rules:
    """One rule set. Field by field as R8; the defaults are the `classic` preset.

    Raises:
        InvalidRulesError: a value out of its range, or options that exclude each other.
    """

    players: int = 2
    knock_limit: int = 10
    """0 to 10 points of deadwood, or `UPCARD` (R3.3, R6.1)."""
    oklahoma_ace: str = "gin"
    gin_bonus: int = 20
    undercut_bonus: int = 10
    big_gin_bonus: int = 0
    """0: big gin is not played (R3.5)."""
    undercut_on_tie: bool = True
    layoff_on_gin: bool = False
    return_taken_card: bool = False
    first_dealer: str = "high"
    next_dealer: str = "winner"
    stock_end: str = "dead"
    target: int = 100
    box_bonus: int = 20
    game_bonus: int = 100
    shutout: str = "plus_100"
    winner_by: str = "race"
    box_when: str = "end"
    columns: int = 1
    spade_double: bool = False
    max_turns: int = 100
    max_dead_rounds: int = 5

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            good = value in choices and isinstance(value, str) | _is_whole(value)
            _require(good, name, value, f"one of {choices}")
        for name in _FLAGS:
            _require(
                isinstance(getattr(self, name), bool), name, getattr(self, name), "true or false"
            )
        for name, least in _LEAST.items():
            value = getattr(self, name)
            good = _is_whole(value) and least <= value <= _MOST
            _require(good, name, value, f"{least} to {_MOST}")
        limit = self.knock_limit
        good = _is_whole(limit) and (limit == UPCARD or limit in range(11))
        _require(good, "knock_limit", limit, "0 to 10, or upcard")
        self._refuse_impossible()

    def _refuse_impossible(self) -> None:
        captain = self.players == 3
        if captain and self.columns == 3:
            raise InvalidRulesError(
                "columns 3 is for two players: Hollywood has no third score sheet"
            )
        if captain != (self.next_dealer == "box"):
            raise InvalidRulesError("next_dealer box goes with players 3, and only with it (R7.2)")
        if self.knock_limit != UPCARD and (self.oklahoma_ace == "one" or self.spade_double):
            raise InvalidRulesError(
                "oklahoma_ace one and spade_double need knock_limit upcard (R6.1)"
            )

    @classmethod
    def preset(cls, name: str, **options: Any) -> "Rules":
        """Return a preset of R8 by name, single options replaced.

        Raises:
            InvalidRulesError: no such preset or option, or an impossible result.
        """
        base = PRESETS.get(name)
        if base is None:
            raise InvalidRulesError(f"no preset {name!r}; there are {', '.join(PRESETS)}")
        return base.with_options(options)

    def with_options(self, options: Mapping[str, Any]) -> "Rules":
        """Return these rules with single options replaced; a value may be text (``"true"``).

        Raises:
            InvalidRulesError: an unknown option or a value that is not one of its own.
        """
        unknown = sorted(set(options) - set(_NAMES))
        if unknown:
            raise InvalidRulesError(f"no option {unknown[0]!r}; there are {', '.join(_NAMES)}")
        return replace(self, **{name: _read(name, value) for name, value in options.items()})

    def as_dict(self) -> dict[str, int | str | bool]:
        """Return every option by name, ``knock_limit`` as ``"upcard"`` where it is; JSON-ready."""
        values: dict[str, int | str | bool] = asdict(self)
        if self.knock_limit == UPCARD:
            values["knock_limit"] = "upcard"
        return values


_NAMES: Final = tuple(field.name for field in fields(Rules))


def _is_whole(value: object) -> bool:
    """Whether a value is a whole number; true and false are none, though they count as 1 and 0."""
    return isinstance(value, int) and not isinstance(value, bool)


def _require(good: bool, name: str, value: object, allowed: str) -> None:
    if not good:
        raise InvalidRulesError(f"{name} is {value!r}; it may be {allowed}")


def _read(name: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = value.strip().lower()
    if name in _FLAGS:
        return {"true": True, "false": False}.get(text, value)
    if name == "knock_limit" and text == "upcard":
        return UPCARD
    if name in _LEAST or name in ("players", "columns", "knock_limit"):
        return int(text) if text.isdecimal() else value
    return text


_CLASSIC: Final = Rules()
_MODERN: Final = Rules(
    gin_bonus=25,
    undercut_bonus=25,
    big_gin_bonus=31,
    next_dealer="alternate",
    box_bonus=25,
)
PRESETS: Final[dict[str, Rules]] = {
    "classic": _CLASSIC,
    "finnish": replace(_CLASSIC, layoff_on_gin=True),
    "captain": replace(
        _CLASSIC,
        players=3,
        gin_bonus=25,
        next_dealer="box",
        box_bonus=0,
        game_bonus=0,
        shutout="none",
    ),
    "modern": _MODERN,
    "oklahoma": replace(_MODERN, knock_limit=UPCARD, target=150, spade_double=True),
    "hollywood": replace(_MODERN, target=150, columns=3),
    "straight": replace(_MODERN, knock_limit=0, undercut_bonus=0),
    "eaai": replace(_MODERN, big_gin_bonus=0, box_bonus=0, game_bonus=0, shutout="none"),
}
"""Presets by name, with the values and sources of the table in R8."""
