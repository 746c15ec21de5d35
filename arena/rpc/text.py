"""Texts of the wire in precomputed tables: sets of cards, actions, events.

The grammar of single actions is that of `arena.notation`; tables make it fast enough for tens of
thousands of decisions a second.
"""

from typing import Final

from arena.engine.actions import BIG_GIN, DISCARD, KNOCK, PASS, SHOW, STOCK, TAKE, Action
from arena.engine.cards import CARD_TEXT, Card, CardSet
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

_BIT: Final[dict[str, CardSet]] = {text: 1 << card for card, text in enumerate(CARD_TEXT)}
_CARD: Final[dict[str, Card]] = {text: card for card, text in enumerate(CARD_TEXT)}

ACTION_TEXT: Final[dict[Action, str]] = {
    action: write_action(action) for action in (PASS, TAKE, STOCK, BIG_GIN, SHOW, *DISCARD, *KNOCK)
}
"""Every action as text."""

EVENT_TEXT: Final[tuple[dict[Action, str], ...]] = tuple(
    {action: f"{seat}{text}" for action, text in ACTION_TEXT.items()} for seat in range(3)
)
"""Every event as text, by seat and action."""

_EVENT: Final[dict[str, Event]] = {
    text: Event(seat, action)
    for seat, texts in enumerate(EVENT_TEXT)
    for action, text in texts.items()
}


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
    cards = 0
    try:
        for i in range(0, len(text), 2):
            cards |= _BIT[text[i : i + 2]]
    except KeyError as error:
        raise InvalidNotationError(
            f"{error.args[0][:9]!r} in {text[:60]!r} is not a card"
        ) from None
    if 2 * cards.bit_count() != len(text):
        raise InvalidNotationError(f"{text[:120]!r} holds a card twice")
    return cards


def read_cards(text: str) -> tuple[Card, ...]:
    """Read a text of cards in order.

    Raises:
        InvalidNotationError: some part is not a card.
    """
    try:
        return tuple([_CARD[text[i : i + 2]] for i in range(0, len(text), 2)])
    except KeyError as error:
        raise InvalidNotationError(f"{error.args[0]!r} in {text[:60]!r} is not a card") from None


def read_events(text: str) -> tuple[Event, ...]:
    """Read a text of events, ``"0s0dTd1t"``.

    Raises:
        InvalidNotationError: some part is not an event.
    """
    events = []
    start = 0
    try:
        while start < len(text):
            end = start + (4 if text[start + 1] in "dk" else 2)
            events.append(_EVENT[text[start:end]])
            start = end
    except (KeyError, IndexError):
        raise InvalidNotationError(f"{text[start : start + 9]!r} does not start an event") from None
    return tuple(events)
