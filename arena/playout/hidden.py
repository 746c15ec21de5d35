"""Cards that a seat cannot see, sampled evenly from all that agree with what it knows."""

from random import Random
from typing import NamedTuple

from arena.engine.cards import DECK, Card, CardSet, card_set, iter_cards
from arena.engine.round import Round
from arena.engine.view import Observation


class Hidden(NamedTuple):
    """Where the hidden cards are."""

    opponent: CardSet
    """The opponent's hand."""
    stock: tuple[Card, ...]
    """The stock; the seats draw every other card of it, seat 0 the first, by R9.2."""


def sample_hidden(view: Observation, random: Random) -> Hidden:
    """Return hidden cards that agree with the observation, each possibility alike likely.

    What an action says about the hand behind it is left out: the opponent holds the cards it is
    known to hold, and as many of the unseen ones as it takes, whichever they are. That is even
    over deals as well, for every unseen card fits as many histories as any other.

    Args:
        view: of the seat on turn.
        random: the source of chance.

    Raises:
        ValueError: the seat is not on turn, or the numbers of cards do not add up.
    """
    if not view.legal:
        raise ValueError("the seat is not on turn; play-outs start at its own decision")
    known = view.known
    for meld in view.spread:
        known |= meld
    known |= view.knocker_deadwood
    unseen = list(iter_cards(DECK & ~(view.hand | card_set(view.discards) | known)))
    count = len(unseen) - view.stock_count
    if count < 0 or (view.spread and count):
        raise ValueError(
            f"{len(unseen)} cards are unseen; the stock cannot hold {view.stock_count}"
        )
    random.shuffle(unseen)
    return Hidden(known | card_set(unseen[:count]), tuple(unseen[count:]))


def sample_round(
    view: Observation, random: Random, *, shown: CardSet = 0, upcard: Card | None = None
) -> Round:
    """Return a round that the seat may be in, as `sample_hidden` has it; play on with `apply`.

    To the seat it looks like the observation; the opponent sees no events before those that the
    observation tells.

    Args:
        view: of the seat on turn.
        random: the source of chance.
        shown: the own cards that the opponent saw taken, where the caller kept track of them; the
            one just taken counts in any case.
        upcard: the first upcard, where the caller kept track of it; it matters only where a spade
            doubles the points (R6.1). None: the bottom of the discard pile.

    Raises:
        ValueError: the seat is not on turn, or the numbers of cards do not add up.
    """
    opponent, stock = sample_hidden(view, random)
    shown &= view.hand
    if view.drawn_from_pile and view.drawn is not None:
        shown |= 1 << view.drawn
    return Round.from_view(view, opponent, stock, shown=shown, upcard=upcard)
