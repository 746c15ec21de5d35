"""Actions: what a seat may do when it is asked (R2-R4), as interned values."""

import enum
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from arena.engine.cards import Card, CardSet


@enum.unique
class Kind(enum.IntEnum):
    """The kinds of action."""

    PASS = 0
    """Refuse the first upcard (R2.2), or the last discard (R3.6)."""
    TAKE = 1
    """Take the upcard."""
    STOCK = 2
    """Draw from the stock."""
    DISCARD = 3
    """Discard `card` and end the turn."""
    KNOCK = 4
    """Discard `card` and knock, or go gin (R3.3, R3.4)."""
    BIG_GIN = 5
    """Show eleven melded cards in place of the discard (R3.5)."""
    SHOW = 6
    """The defender's showdown: own melds and layoffs (R4.3)."""


class Action(NamedTuple):
    """One action; `card` only for DISCARD and KNOCK. Compare by value."""

    kind: Kind
    card: Card = -1


PASS: Final = Action(Kind.PASS)
TAKE: Final = Action(Kind.TAKE)
STOCK: Final = Action(Kind.STOCK)
BIG_GIN: Final = Action(Kind.BIG_GIN)
SHOW: Final = Action(Kind.SHOW)
DISCARD: Final[tuple[Action, ...]] = tuple(Action(Kind.DISCARD, card) for card in range(52))
KNOCK: Final[tuple[Action, ...]] = tuple(Action(Kind.KNOCK, card) for card in range(52))


_ActionTable: TypeAlias = list[tuple[Action, ...]]


def _table(actions: tuple[Action, ...]) -> _ActionTable:
    """Return for each 13-bit set the actions of its cards, in order."""
    table: _ActionTable = [()]
    for action in actions:
        table += [(*before, action) for before in table]
    return table


_DISCARDS: Final = tuple([_table(DISCARD[13 * suit : 13 * suit + 13]) for suit in range(4)])
_KNOCKS: Final = tuple([_table(KNOCK[13 * suit : 13 * suit + 13]) for suit in range(4)])


def discards_of(cards: CardSet) -> list[Action]:
    """Return DISCARD of each card of a set, by number."""
    return _actions_of(cards, _DISCARDS)


def knocks_of(cards: CardSet) -> list[Action]:
    """Return KNOCK of each card of a set, by number."""
    return _actions_of(cards, _KNOCKS)


def _actions_of(cards: CardSet, tables: tuple[_ActionTable, ...]) -> list[Action]:
    a, b, c, d = tables
    return [*a[cards & 8191], *b[cards >> 13 & 8191], *c[cards >> 26 & 8191], *d[cards >> 39]]


@dataclass(frozen=True, slots=True)
class Declaration:
    """Melds, and for the defender layoffs, that accompany KNOCK, BIG_GIN or SHOW.

    No declaration (``None``) means the referee's default (R4.1, R4.3).
    """

    melds: tuple[CardSet, ...] = ()
    """The own melds, in the order shown."""
    layoffs: tuple[tuple[Card, int], ...] = ()
    """Card by card, each on the knocker's meld of that index (R4.2)."""
