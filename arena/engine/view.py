"""What a seat may see: a whitelist of values, with no way back to the round."""

import enum
from dataclasses import dataclass
from typing import NamedTuple

from arena.engine.actions import Action
from arena.engine.cards import Card, CardSet
from arena.engine.rules import Rules


@enum.unique
class Phase(enum.IntEnum):
    """What the seat on turn decides."""

    UPCARD = 0
    """The first upcard: TAKE or PASS (R2.2)."""
    DRAW = 1
    """TAKE or STOCK; only STOCK after two passes (R2.2)."""
    DISCARD = 2
    """DISCARD, KNOCK or BIG_GIN, with eleven cards in hand."""
    LAST_DISCARD = 3
    """The last discard of `stock_end=last_discard`: TAKE to knock with it, or PASS (R3.6)."""
    SHOWDOWN = 4
    """The defender answers a knock: SHOW, with melds and layoffs (R4.3)."""
    OVER = 5
    """The round has its result."""


@enum.unique
class Role(enum.StrEnum):
    """What a seat is in its round (R7)."""

    PLAYER = "player"
    """One of two."""
    BOX = "box"
    """Of three: deals, and plays against the captain."""
    CAPTAIN = "captain"
    """Of three: plays against the box, and may ask the adviser, who sits out."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What the adviser would do in the captain's place (R7.3)."""

    action: Action
    """A legal action of the captain's."""
    note: str = ""
    """Words to the captain, at most 200 printable characters."""


class Event(NamedTuple):
    """One action as the observing seat saw it; a card drawn from the stock is never in it."""

    seat: int
    action: Action


class Observation(NamedTuple):
    """All that one seat knows when it is asked; a bot may be stateless (design §5).

    A named tuple, for it is made at every decision: read it by name, change a copy by `_replace`.
    """

    rules: Rules
    seat: int
    """The seat asked, 0 or 1; of three players 0 is the box, 1 the captain, in every round."""
    dealer: int
    """The dealer's seat."""
    round_number: int
    """From 1, within the game."""
    points: tuple[int, ...]
    """Points of the game so far by seat, before bonuses of the end; of three players those of
    box, captain and adviser."""
    phase: Phase
    hand: CardSet
    """The own cards: ten, or eleven in DISCARD."""
    discards: tuple[Card, ...]
    """The discard pile, bottom first; the last is the upcard."""
    known: CardSet
    """Cards that the opponent is known to hold: taken from the pile and not thrown since."""
    drawn: Card | None
    """The card drawn in this turn (DISCARD), else None."""
    drawn_from_pile: bool
    """Whether `drawn` came from the discard pile (and may not go back, R3.2)."""
    stock_count: int
    """Cards left in the stock."""
    knock_limit: int
    """The most deadwood to knock with in this round (R3.3, R6.1)."""
    turn_number: int
    """Turns begun in this round, this one included; 0 while the first upcard is offered."""
    legal: tuple[Action, ...]
    """The legal actions; in SHOWDOWN the one action SHOW."""
    events: tuple[Event, ...]
    """All actions of the round since this seat's last decision (its own last one included)."""
    spread: tuple[CardSet, ...] = ()
    """SHOWDOWN: the knocker's melds as declared, in order."""
    knocker_deadwood: CardSet = 0
    """SHOWDOWN: the knocker's unmatched cards."""
    layoffs_allowed: bool = True
    """SHOWDOWN: whether the defender may lay off (not after gin, R4.2)."""
    advice: Advice | None = None
    """What the adviser told the captain, where there is advice (R7.3)."""
    columns: tuple[tuple[int, ...], ...] = ()
    """Hollywood: the points by column, then by seat, of which `points` is the sum (R6.2)."""

    @property
    def upcard(self) -> Card | None:
        """The top of the discard pile, None where it is empty."""
        return self.discards[-1] if self.discards else None

    @property
    def opponent(self) -> int:
        """The other active seat."""
        return 1 - self.seat

    @property
    def role(self) -> Role:
        """What the seat is in this round; the adviser is asked with the captain's observation."""
        if self.rules.players == 2:
            return Role.PLAYER
        return Role.CAPTAIN if self.seat else Role.BOX
