"""Advice in a record: a mark for each decision of a captain, and what the marks add up to (R7.3).

The marks of a round stand in one string without separators, one for each action of the captain,
in order::

    marks = { "=" | action | "~" | "." | "!" | "?" | "-" }

``=`` the captain did as advised; an action (`arena.notation.text`, without declaration): that was
advised and the captain did something else; ``~`` the advice came too late, ``.`` none came, ``!``
it was illegal, ``?`` it was malformed; ``-`` no advice was asked for.
A declaration is never advised: a knock that throws the same card is the same action.
"""

import enum
import re
from collections import Counter
from collections.abc import Iterable
from typing import Final, TypeAlias

from arena.engine.actions import Action
from arena.engine.cards import RANKS, SUITS
from arena.engine.errors import InvalidNotationError
from arena.notation.record import GameRecord
from arena.notation.text import read_action, write_action

MAX_NOTE: Final = 200
"""Longest note to the captain, characters."""

_MARK: Final = re.compile(rf"[=~.!?\-ptsbw]|[dk][{RANKS}][{SUITS}]|(?s:.)")


@enum.unique
class Counsel(enum.Enum):
    """What became of one piece of advice; the value is its mark, where it is always the same."""

    FOLLOWED = "="
    DIFFERED = "action"
    """The captain did something else; the mark is the action advised."""
    LATE = "~"
    """It came when the captain had been asked without it."""
    MISSING = "."
    """None came in time, or the stream was lost."""
    ILLEGAL = "!"
    """The action is not legal for the captain."""
    MALFORMED = "?"
    """Not to be read as an action and a note."""
    UNASKED = "-"
    """No advice was asked for."""


Given: TypeAlias = Action | Counsel
"""What the adviser gave: an action, or why there is none."""

FAULTS: Final = (Counsel.LATE, Counsel.MISSING, Counsel.ILLEGAL, Counsel.MALFORMED)
"""Faults of an adviser; counted, never strikes (R7.7)."""


def is_note(text: str) -> bool:
    """Whether an adviser's words may be passed on."""
    return len(text) <= MAX_NOTE and text.isprintable()


def write_mark(given: Given, action: Action) -> str:
    """Write the mark of a decision by what was advised and what the captain did."""
    if isinstance(given, Counsel):
        return given.value
    return Counsel.FOLLOWED.value if given == action else write_action(given)


def write_marks(marks: Iterable[str]) -> str:
    """Write the marks of a round; empty where no advice was asked for."""
    text = "".join(marks)
    return text if text.strip(Counsel.UNASKED.value) else ""


def read_marks(text: str) -> list[str]:
    """Split the marks of a round.

    Raises:
        InvalidNotationError: some part is no mark.
    """
    marks = _MARK.findall(text)
    for mark in marks:
        if len(mark) == 1 and mark not in "=~.!?-ptsbw":
            raise InvalidNotationError(f"{mark!r} is no mark of advice")
    return marks


def read_mark(mark: str, action: Action) -> Given:
    """Return what was advised, by a mark and the captain's action."""
    if mark == Counsel.FOLLOWED.value:
        return action
    return Counsel(mark) if mark in _COUNSELS else read_action(mark)[0]


_COUNSELS: Final = frozenset(counsel.value for counsel in Counsel)


def count_advice(game: GameRecord) -> dict[tuple[int, int], Counter[Counsel]]:
    """Count what became of advice, by adviser and captain (players)."""
    counts: dict[tuple[int, int], Counter[Counsel]] = {}
    for record in game.rounds:
        if not record.advice or record.captain is None:
            continue
        sitting_out = next(seat for seat in range(3) if seat not in record.active)
        pair = game.seating[sitting_out], game.seating[record.captain]
        found = counts.setdefault(pair, Counter())
        found.update(
            Counsel(mark) if mark in _COUNSELS else Counsel.DIFFERED
            for mark in read_marks(record.advice)
        )
        del found[Counsel.UNASKED]
    return counts
