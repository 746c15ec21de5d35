"""Texts of the wire in precomputed tables: sets of cards, actions, events.

The grammar of single actions is that of `arena.notation`; tables make it fast enough for tens of
thousands of decisions a second.
"""

import functools
import re
import sys
from typing import Final

from arena.engine.actions import BIG_GIN, DISCARD, KNOCK, PASS, SHOW, STOCK, TAKE, Action
from arena.engine.cards import CARD_TEXT, Card, CardSet, parse_cards, parse_set
from arena.engine.errors import InvalidNotationError
from arena.engine.view import Event
from arena.notation.text import write_action

_SUIT: Final = (1 << 13) - 1


def _suit_texts(suit: int) -> list[str]:
    texts = [""]
    for rank in range(13):
        card = CARD_TEXT[13 * suit + rank]
        texts += [text + card for text in texts]
    return texts


_CLUBS, _DIAMONDS, _HEARTS, _SPADES = (_suit_texts(suit) for suit in range(4))
"""For each suit the text of each of its 8,192 sets of ranks: 2 MB, 5 ms, once a process."""

_CARD: Final[dict[int, Card]] = {
    int.from_bytes(text.encode(), sys.byteorder): card for card, text in enumerate(CARD_TEXT)
}
"""Card by its two characters read as one number: twice as fast as slices of text."""
_card = _CARD.__getitem__
_bit = {code: 1 << card for code, card in _CARD.items()}.__getitem__
_discard = {code: DISCARD[card] for code, card in _CARD.items()}.__getitem__
_knock = {code: KNOCK[card] for code, card in _CARD.items()}.__getitem__

ACTION_TEXT: Final[dict[Action, str]] = {
    action: write_action(action) for action in (PASS, TAKE, STOCK, BIG_GIN, SHOW, *DISCARD, *KNOCK)
}
"""Every action as text."""

EVENT_TEXT: Final[tuple[dict[Action, str], ...]] = tuple(
    {action: f"{seat}{text}" for action, text in ACTION_TEXT.items()} for seat in range(3)
)
"""Every event as text, by seat and action."""

_event = {
    text: Event(seat, action)
    for seat, texts in enumerate(EVENT_TEXT)
    for action, text in texts.items()
}.__getitem__
_EVENT_OR_ELSE: Final = re.compile(r"[0-2](?:[dk]..|[ptsbw])|.", re.DOTALL)


def set_text(cards: CardSet) -> str:
    """Write a set, its cards by suit c d h s, then by rank."""
    return (
        _CLUBS[cards & _SUIT]
        + _DIAMONDS[cards >> 13 & _SUIT]
        + _HEARTS[cards >> 26 & _SUIT]
        + _SPADES[cards >> 39]
    )


def read_set(text: str) -> CardSet:
    """Read a text of distinct cards.

    Raises:
        InvalidNotationError: some part is not a card, or a card stands twice.
    """
    if not text:
        return 0
    try:
        cards = sum(map(_bit, _codes(text)))
    except (KeyError, TypeError):
        return parse_set(text)
    # Powers of two sum up to as many bits only where all differ.
    return cards if 2 * cards.bit_count() == len(text) else parse_set(text)


def read_cards(text: str) -> tuple[Card, ...]:
    """Read a text of cards in order.

    Raises:
        InvalidNotationError: some part is not a card.
    """
    try:
        return tuple(map(_card, _codes(text)))
    except (KeyError, TypeError):
        return parse_cards(text)


def read_legal(discards: str, knocks: str) -> list[Action]:
    """Read the cards that may be discarded and those that may be knocked with, as actions.

    Raises:
        InvalidNotationError: some part is not a card.
    """
    try:
        return [*map(_discard, _codes(discards)), *map(_knock, _codes(knocks))]
    except (KeyError, TypeError):
        parse_cards(discards)
        parse_cards(knocks)
        raise


@functools.lru_cache(maxsize=1 << 14)
def read_events(text: str) -> tuple[Event, ...]:
    """Read a text of events, ``"0s0dTd1t"``; the same few come again and again.

    Raises:
        InvalidNotationError: some part is not an event.
    """
    try:
        return tuple(map(_event, _EVENT_OR_ELSE.findall(text)))
    except KeyError as error:
        raise InvalidNotationError(f"{error.args[0]!r} in {text[:60]!r} is no event") from None


def _codes(text: str) -> memoryview:
    return memoryview(text.encode()).cast("H")
