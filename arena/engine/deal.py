"""Boards: where chance comes from, the same in every language (rules R9.1-R9.3)."""

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from arena.engine.cards import RANK, Card, CardSet, card_set

SEED_BYTES: Final = 32
"""Length of the seed of a board."""
_DEAL_TAG: Final = b"ginarena/deal/1"
_BOARD_TAG: Final = b"ginarena/board/1"
_PLACES: Final = tuple((place, 256 - 256 % (place + 1)) for place in range(51, 0, -1))
"""The places of a deck in the order of the shuffle, each with the bound of the bytes it takes."""


def _random_bytes(seed: bytes, round_number: int) -> Iterator[int]:
    """Yield the bytes of the blocks of `deal/1`."""
    prefix = _DEAL_TAG + seed + round_number.to_bytes(4, "big")
    for block in range(2**32):
        yield from hashlib.sha256(prefix + block.to_bytes(4, "big")).digest()


def deck(seed: bytes, round_number: int) -> tuple[Card, ...]:
    """Return the order of the 52 cards of a round, `deal/1` (R9.1).

    Args:
        seed: the seed of the board, 32 bytes.
        round_number: from 1; 0 is the draw for deal.

    Raises:
        ValueError: the seed has another length.
    """
    if len(seed) != SEED_BYTES:
        raise ValueError(f"the seed of a board has {SEED_BYTES} bytes, this one {len(seed)}")
    source = _random_bytes(seed, round_number)
    cards = list(range(52))
    for place, bound in _PLACES:
        byte = next(source)
        while byte >= bound:
            byte = next(source)
        other = byte % (place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return tuple(cards)


def draw_for_deal(seed: bytes, players: int) -> tuple[tuple[Card, ...], ...]:
    """Return the draws for deal, each a card by seat; the last one decides (R2.3, R7.1, R9.1).

    Seat s takes places s, s + n, s + 2n ... of round 0 until all n ranks differ.
    """
    order = deck(seed, 0)
    draws = []
    for start in range(0, 52 - players + 1, players):
        draws.append(order[start : start + players])
        if len({RANK[card] for card in draws[-1]}) == players:
            break
    return tuple(draws)


def board_seed(master: bytes, number: int) -> bytes:
    """Return the seed of a league's board by number (R9.1)."""
    return hmac.digest(master, _BOARD_TAG + number.to_bytes(8, "big"), "sha256")


def master_seed(organiser: bytes, nonces: Iterable[bytes]) -> bytes:
    """Return the master seed: the organiser's seed and the entries' nonces in order (R9.3)."""
    return hashlib.sha256(organiser + b"".join(nonces)).digest()


class Stock(Protocol):
    """The face-down cards of a round."""

    count: int
    """Cards left."""

    def draw(self, seat: int) -> Card:
        """Remove and return the next card of a seat."""
        ...

    def left(self) -> CardSet:
        """Return the cards left."""
        ...

    def copy(self) -> "Stock":
        """Return a stock that is drawn from on its own."""
        ...


class StreamStock:
    """A stock with a stream a seat: what one seat draws does not depend on the other (R9.2)."""

    __slots__ = ("_drawn", "_orders", "count")

    def __init__(self, streams: tuple[tuple[Card, ...], tuple[Card, ...]]) -> None:
        first, second = streams
        self._orders = (first + second[::-1], second + first[::-1])
        self._drawn = [0, 0]
        self.count = len(first) + len(second)

    def draw(self, seat: int) -> Card:
        """Remove and return the next card of the seat's stream, then of the other's far end."""
        drawn = self._drawn
        card = self._orders[seat][drawn[seat]]
        drawn[seat] += 1
        self.count -= 1
        return card

    def left(self) -> CardSet:
        """Return the cards left."""
        drawn = [card_set(self._orders[seat][: self._drawn[seat]]) for seat in (0, 1)]
        return card_set(self._orders[0]) & ~(drawn[0] | drawn[1])

    def copy(self) -> "StreamStock":
        """Return a stock that is drawn from on its own."""
        twin = StreamStock.__new__(StreamStock)
        twin._orders = self._orders
        twin._drawn = self._drawn[:]
        twin.count = self.count
        return twin


class SharedStock:
    """A stock both seats draw from in one order, as a table plays it and rule cases write it."""

    __slots__ = ("_cards", "count")

    def __init__(self, cards: tuple[Card, ...]) -> None:
        self._cards = cards
        self.count = len(cards)

    def draw(self, seat: int) -> Card:
        """Remove and return the top card, whichever seat draws."""
        card = self._cards[-self.count]
        self.count -= 1
        return card

    def left(self) -> CardSet:
        """Return the cards left."""
        return card_set(self._cards[len(self._cards) - self.count :])

    def copy(self) -> "SharedStock":
        """Return a stock that is drawn from on its own."""
        twin = SharedStock(self._cards)
        twin.count = self.count
        return twin


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards of one round before play."""

    hands: tuple[CardSet, CardSet]
    """By seat; in captain the box's, then the captain's."""
    upcard: Card
    """The first upcard."""
    streams: tuple[tuple[Card, ...], tuple[Card, ...]]
    """The stock by seat, 16 and 15 cards (R9.2)."""

    @classmethod
    def from_deck(cls, cards: tuple[Card, ...]) -> "Deal":
        """Lay out the 52 places of a deck (R9.2)."""
        hands = (card_set(cards[:10]), card_set(cards[10:20]))
        return cls(hands, cards[20], (cards[21::2], cards[22::2]))

    @classmethod
    def of(cls, seed: bytes, round_number: int) -> "Deal":
        """Return the deal of a board's round, counted from 1."""
        return cls.from_deck(deck(seed, round_number))

    def stock(self) -> Stock:
        """Return the stock, nothing drawn yet."""
        return StreamStock(self.streams)


@dataclass(frozen=True, slots=True)
class SharedDeal(Deal):
    """A deal whose stock is one pile: the first stream, top first."""

    def stock(self) -> Stock:
        """Return the stock, nothing drawn yet."""
        return SharedStock(self.streams[0])
