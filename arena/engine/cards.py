"""Cards and card sets (rules R1.1-R1.3).

A `Card` is an int 0..51: ``13 * suit + rank``, suits c d h s, ace 0. A `CardSet` is a 52-bit int
with bit ``card`` set for each card it holds. Text is rank then suit, ``Td``; a text of several
cards is their plain concatenation, ``"7cTd"``.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from arena.engine.errors import InvalidNotationError

Card: TypeAlias = int
CardSet: TypeAlias = int

RANKS: Final = "A23456789TJQK"
SUITS: Final = "cdhs"
DECK: Final[CardSet] = (1 << 52) - 1
RANK: Final[tuple[int, ...]] = tuple(card % 13 for card in range(52))
SUIT: Final[tuple[int, ...]] = tuple(card // 13 for card in range(52))
PIPS: Final[tuple[int, ...]] = tuple(min(card % 13 + 1, 10) for card in range(52))
"""Deadwood count of each card: ace 1, 2-10 face value, court cards 10 (R1.2)."""
CARD_TEXT: Final[tuple[str, ...]] = tuple(RANKS[c % 13] + SUITS[c // 13] for c in range(52))
_CARD_OF: Final[dict[str, Card]] = {text: card for card, text in enumerate(CARD_TEXT)}
_BY_RANK: Final[tuple[Card, ...]] = tuple(sorted(range(52), key=lambda c: (c % 13, c // 13)))


def parse_card(text: str) -> Card:
    """Read one card, ``"Td"``.

    Raises:
        InvalidNotationError: the text is not a card.
    """
    card = _CARD_OF.get(text)
    if card is None:
        raise InvalidNotationError(
            f"{text!r} is not a card; a card is a rank of {RANKS} and a suit of {SUITS}"
        )
    return card


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read a text of cards, ``"7cTd"``, in order; repeats are kept.

    Raises:
        InvalidNotationError: some part of the text is not a card.
    """
    return tuple(parse_card(text[i : i + 2]) for i in range(0, len(text), 2))


def card_set(cards: Iterable[Card]) -> CardSet:
    """Return the set of the given cards."""
    cards_seen = 0
    for card in cards:
        cards_seen |= 1 << card
    return cards_seen


def parse_set(text: str) -> CardSet:
    """Read a text of distinct cards as a set.

    Raises:
        InvalidNotationError: some part is not a card, or a card stands twice.
    """
    cards = parse_cards(text)
    result = card_set(cards)
    if result.bit_count() != len(cards):
        raise InvalidNotationError(f"{text!r} holds a card twice")
    return result


def iter_cards(cards: CardSet) -> Iterator[Card]:
    """Yield the cards of a set by number (suit by suit)."""
    while cards:
        low = cards & -cards
        yield low.bit_length() - 1
        cards ^= low


def sorted_cards(cards: CardSet) -> list[Card]:
    """Return the cards of a set by rank, then by suit c d h s: the order of all texts."""
    return [card for card in _BY_RANK if cards >> card & 1]


def cards_text(cards: Sequence[Card]) -> str:
    """Write cards in the order given."""
    return "".join([CARD_TEXT[card] for card in cards])


def set_text(cards: CardSet) -> str:
    """Write a set, its cards by rank, then by suit."""
    return cards_text(sorted_cards(cards))


def pips(cards: CardSet) -> int:
    """Return the sum of the pips of a set (R1.2)."""
    return sum([PIPS[card] for card in iter_cards(cards)])
