"""Rounds of actions as bytes: what the grammar allows, by how likely it is.

Each letter is coded by its likelihood after the letter before, each discard among the cards that
may still turn up: a card buried in the discard pile does not come back. Deals and rules play no
part, so that the code stays readable whatever becomes of them.

Source: J. Duda, "Asymmetric numeral systems" (2009), the range variant, with whole numbers of any
length in place of a stream.
"""

import re
from collections.abc import Iterable
from typing import Final

from arena.engine.cards import CARD_TEXT, RANKS, SUITS
from arena.engine.errors import InvalidNotationError

_TOKEN: Final = re.compile(rf'([ptsbw]|[dk][{RANKS}][{SUITS}])(\[[^\]"\\]*\])?')
_SHOWN: Final = re.compile(r"\[[^\]]*\]")
_ROUNDS: Final = 16
"""Rounds folded into one number."""
_LONGEST: Final = 1000
"""Most choices of a coded round, so that the length of a number has two bytes."""
_END: Final = "."
_LETTERS: Final = _END + "ptsdkbwKBW"
"""The end of a round, first so that nothing goes on in a number of 0, and actions; K, B and W are
followed by a declaration in brackets."""
_LIKELY: Final = {
    "p": {"p": 8, "t": 8, "s": 8, _END: 1},
    "ts": {"d": 300, "k": 18, "K": 8, "b": 1, "B": 1, _END: 1},
    "d": {"t": 80, "s": 100, "p": 1, _END: 3},
    "kbKB": {"w": 16, "W": 8, _END: 1},
    "wW": {_END: 1},
}
"""What may follow which letters, and how likely. A round begins as after a pass."""
_WEIGHTS: Final = {
    before: tuple(likely.get(letter, 0) for letter in _LETTERS)
    for letters, likely in _LIKELY.items()
    for before in letters
}
_FOLLOWS: Final = {
    before: likely.keys() for letters, likely in _LIKELY.items() for before in letters
}

Share = tuple[int, int, int]
"""A choice: the sum of all weights, the weights before it, its own."""


class _Cards:
    """Where the cards are, as far as the actions alone tell."""

    def __init__(self) -> None:
        self._loose = list(CARD_TEXT)
        """Not buried in the pile, nor known to be in a hand."""
        self._taken: tuple[list[str], list[str]] = ([], [])
        """Taken from the pile by who acts, and by the other."""
        self._top = ""

    def choices(self) -> list[str]:
        """Return the cards that who acts may have to discard."""
        return self._loose + self._taken[0]

    def see(self, letter: str, card: str) -> None:
        """Follow an action."""
        if letter == "t" and self._top:
            self._taken[0].append(self._top)
        if letter != "p":
            self._top = card
        if card:
            (self._loose if card in self._loose else self._taken[0]).remove(card)
        if letter in "dp":
            self._taken = self._taken[::-1]


def fold(coded: Iterable[tuple[Share, ...]]) -> bytes:
    """Return rounds (`encode`) as bytes: two bytes for the length of a number, the number, ..."""
    packed = b""
    rounds = list(coded)
    for first in range(0, len(rounds), _ROUNDS):
        number = 0
        for shares in reversed(rounds[first : first + _ROUNDS]):
            for whole, start, own in reversed(shares):
                rest, place = divmod(number, own)
                number = rest * whole + start + place
        length = (number.bit_length() + 7) // 8
        packed += length.to_bytes(2, "big") + number.to_bytes(length, "big")
    return packed


def encode(actions: str) -> tuple[tuple[Share, ...], str] | None:
    """Return the choices of a round, and its declarations apart, each in its brackets.

    None: the text is not one of actions, or a buried card comes back.
    """
    cards, shares, shown = _Cards(), list[Share](), ""
    before, place = "p", 0
    while match := _TOKEN.match(actions, place):
        action, declared = match.groups("")
        letter, card = action[0], action[1:]
        if declared:
            letter = letter.upper()
            shown += declared
        if letter not in _FOLLOWS[before]:
            return None
        shares.append(_share(before, letter))
        if card:
            choices = cards.choices()
            if card not in choices:
                return None
            shares.append((len(choices), choices.index(card), 1))
        cards.see(letter, card)
        before, place = letter, match.end()
    if place != len(actions) or len(shares) > _LONGEST:
        return None
    return (*shares, _share(before, _END)), shown


class Decoder:
    """Reads back round by round what `fold` wrote."""

    def __init__(self, packed: bytes) -> None:
        self._packed = packed
        self._number = 0
        self._left = 0
        """Rounds left in the number at hand."""

    def decode(self, shown: str) -> str:
        """Return the actions of the next round.

        Args:
            shown: its declarations, each in its brackets.

        Raises:
            InvalidNotationError: the bytes hold no such round.
        """
        if not self._left:
            self._next_number()
        self._left -= 1
        declarations = iter(_SHOWN.findall(shown))
        cards, actions, before = _Cards(), list[str](), "p"
        while (letter := self._letter(before)) != _END:
            card = ""
            if letter in "dkK":
                choices = cards.choices()
                if not choices:
                    raise InvalidNotationError("a coded round discards more than all cards")
                self._number, index = divmod(self._number, len(choices))
                card = choices[index]
            actions.append(letter.lower() + card)
            if letter.isupper():
                actions.append(next(declarations, ""))
            cards.see(letter, card)
            before = letter
        return "".join(actions)

    def _next_number(self) -> None:
        length = int.from_bytes(self._packed[:2], "big")
        self._number = int.from_bytes(self._packed[2 : 2 + length], "big")
        self._packed = self._packed[2 + length :]
        self._left = _ROUNDS

    def _letter(self, before: str) -> str:
        weights = _WEIGHTS[before]
        rest, slot = divmod(self._number, sum(weights))
        place = 0
        while slot >= weights[place]:
            slot -= weights[place]
            place += 1
        self._number = rest * weights[place] + slot
        return _LETTERS[place]


def _share(before: str, letter: str) -> Share:
    weights, place = _WEIGHTS[before], _LETTERS.index(letter)
    return sum(weights), sum(weights[:place]), weights[place]
