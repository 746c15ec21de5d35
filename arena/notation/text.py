"""Actions as text: one string a round, without separators, read back exactly.

::

    round       = { action }
    action      = "p" | "t" | "s" | "d" card | "k" card [shown] | "b" [shown] | "w" [shown]
    shown       = "[" [ meld { "." meld } ] [ "/" { card index } ] "]"

``p`` pass, ``t`` take the upcard, ``s`` draw from the stock, ``d`` discard, ``k`` knock, ``b`` big
gin, ``w`` the defender's showdown. The cards of a meld stand by rank, then by suit c d h s; melds
and layoffs in the order declared; ``index`` is the knocker's meld laid off on, from 0. Without
brackets the referee's default was shown (R4.1, R4.3).
"""

import re
from collections.abc import Iterable
from typing import Final

from arena.engine.actions import (
    BIG_GIN,
    DISCARD,
    KNOCK,
    PASS,
    SHOW,
    STOCK,
    TAKE,
    Action,
    Declaration,
    Kind,
)
from arena.engine.cards import CARD_TEXT, RANKS, SUITS, CardSet, parse_card, parse_set, set_text
from arena.engine.errors import InvalidNotationError

_PLAIN: Final = {"p": PASS, "t": TAKE, "s": STOCK, "b": BIG_GIN, "w": SHOW}
_LETTER: Final = dict(zip(Kind, "ptsdkbw", strict=True))
_CARD: Final = f"[{RANKS}][{SUITS}]"
_ACTION: Final = re.compile(rf"([pts]|d{_CARD})|(k{_CARD}|[bw])(?:\[([^\]]*)\])?")
_LAYOFFS: Final = re.compile(rf"(?:{_CARD}[0-9])+")

Played = tuple[Action, Declaration | None]
"""An action with the declaration that came with it; None: the referee's default."""


def write_action(action: Action, declaration: Declaration | None = None) -> str:
    """Write one action.

    Raises:
        InvalidNotationError: a declaration on another kind than KNOCK, BIG_GIN and SHOW, an empty
            meld, or an index of a meld that is no digit.
    """
    text = _LETTER[action.kind] + (CARD_TEXT[action.card] if action.card >= 0 else "")
    if declaration is None:
        return text
    if action.kind not in (Kind.KNOCK, Kind.BIG_GIN, Kind.SHOW):
        raise InvalidNotationError(f"{text} carries no declaration; k, b and w do")
    return f"{text}[{_write_declaration(declaration)}]"


def read_action(text: str) -> Played:
    """Read one action.

    Raises:
        InvalidNotationError: the text is not exactly one action.
    """
    played = read_actions(text)
    if len(played) != 1:
        raise InvalidNotationError(f"{text!r} is not one action but {len(played)}")
    return played[0]


def write_actions(played: Iterable[Played]) -> str:
    """Write all actions of a round as one string."""
    return "".join([write_action(action, declaration) for action, declaration in played])


def read_actions(text: str) -> list[Played]:
    """Read the actions of a round; `write_actions` gives the same text again.

    Raises:
        InvalidNotationError: the text is not a sequence of actions, or a meld is not in order.
    """
    played: list[Played] = []
    place = 0
    while place < len(text):
        match = _ACTION.match(text, place)
        if match is None:
            raise InvalidNotationError(
                f"no action at character {place}: {text[place : place + 8]!r}"
            )
        head, shown = match[1] or match[2], match[3]
        played.append((_read_head(head), None if shown is None else _read_declaration(shown)))
        place = match.end()
    return played


def _read_head(head: str) -> Action:
    if len(head) == 1:
        return _PLAIN[head]
    return (DISCARD if head[0] == "d" else KNOCK)[parse_card(head[1:])]


def _write_declaration(declaration: Declaration) -> str:
    if not all(declaration.melds):
        raise InvalidNotationError("an empty meld has no text")
    if any(index not in range(10) for _, index in declaration.layoffs):
        raise InvalidNotationError("a layoff names the knocker's meld by a digit, 0 to 9")
    melds = ".".join([set_text(meld) for meld in declaration.melds])
    layoffs = "".join([f"{CARD_TEXT[card]}{index}" for card, index in declaration.layoffs])
    return f"{melds}/{layoffs}" if layoffs else melds


def _read_declaration(text: str) -> Declaration:
    melds, slash, layoffs = text.partition("/")
    if slash and not _LAYOFFS.fullmatch(layoffs):
        raise InvalidNotationError(
            f"{layoffs!r} is not a sequence of layoffs, each a card and a digit"
        )
    return Declaration(
        tuple(_read_meld(meld) for meld in melds.split(".")) if melds else (),
        tuple(
            (parse_card(layoffs[i : i + 2]), int(layoffs[i + 2])) for i in range(0, len(layoffs), 3)
        ),
    )


def _read_meld(text: str) -> CardSet:
    meld = parse_set(text)
    if not meld or set_text(meld) != text:
        raise InvalidNotationError(f"meld {text!r} is not in order; write {set_text(meld)!r}")
    return meld
