"""Observations made by hand, for tests of bots."""

from typing import Any

from arena.engine.actions import PASS, TAKE
from arena.engine.cards import parse_cards, parse_set
from arena.engine.rules import Rules
from arena.engine.view import Observation, Phase
from arena.referee.player import Decision

_FIRST = Observation(
    rules=Rules(),
    seat=0,
    dealer=1,
    round_number=1,
    points=(0, 0),
    phase=Phase.UPCARD,
    hand=parse_set("Ac2c3c7d8dTdTsKh5s4h"),
    discards=parse_cards("9d"),
    known=0,
    drawn=None,
    drawn_from_pile=False,
    stock_count=31,
    knock_limit=10,
    turn_number=0,
    legal=(PASS, TAKE),
    events=(),
)


def observation(**changes: Any) -> Observation:
    """Return the offer of the first upcard, fields replaced; cards may be given as text."""
    for name, read in (("hand", parse_set), ("known", parse_set), ("discards", parse_cards)):
        if isinstance(changes.get(name), str):
            changes[name] = read(changes[name])
    return _FIRST._replace(**changes)


def decision(number: int, seen: Observation | None = None) -> Decision:
    """Return a decision at a table of its own."""
    return Decision(number, f"table-{number}", seen or observation(), bank_us=1_000_000)
