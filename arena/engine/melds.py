"""Melds, deadwood and discards, exact, from tables of one suit (rules R1.4, R1.5, R3.3).

A hand is split into four suits of 13 bits. With the sets of a hand fixed, each suit is on its own
and only its runs matter, so a table of 8,192 entries answers it. What is left is to try the
choices of sets: each rank held three or four times is no set, a set of all its cards, or, held
four times, a set of three of them.
"""

from functools import cache, lru_cache
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from arena.engine.cards import Card, CardSet, iter_cards

Suits: TypeAlias = tuple[int, int, int, int]
"""The cards of a hand by suit, each a 13-bit set of ranks."""

_RANKS13: Final = (1 << 13) - 1
_NEVER: Final = 1_000
"""More than any deadwood: the cost of a discard from a suit without one."""


def _all_runs(suit: int) -> list[CardSet]:
    lengths = range(3, 14)
    return [((1 << n) - 1) << (13 * suit + low) for n in lengths for low in range(14 - n)]


def _all_sets(rank: int) -> list[CardSet]:
    four = sum(1 << (13 * suit + rank) for suit in range(4))
    return [four, *(four ^ 1 << (13 * suit + rank) for suit in range(4))]


MELDS: Final[frozenset[CardSet]] = frozenset(
    [meld for rank in range(13) for meld in _all_sets(rank)]
    + [run for suit in range(4) for run in _all_runs(suit)]
)
"""The 329 melds: 65 sets and 264 runs (R1.4)."""


def is_meld(cards: CardSet) -> bool:
    """Say whether the cards are exactly one set or one run."""
    return cards in MELDS


def _least_table() -> list[int]:
    """Return for each 13-bit suit the least deadwood with runs only."""
    least = [0] * 8192
    for cards in range(1, 8192):
        low = cards & -cards
        best = least[cards ^ low] + min(low.bit_length(), 10)
        run = low | low << 1
        while not (run := run | run << 1) & ~cards:
            best = min(best, least[cards ^ run])
        least[cards] = best
    return least


_LEAST: Final[list[int]] = _least_table()


class _Drop(NamedTuple):
    """The best discard of a suit, with runs only."""

    change: int
    """The least deadwood of the suit without the card, less that with it."""
    cards: int
    """The cards, as a 13-bit set, that reach it."""


@lru_cache(maxsize=1 << 16)
def _best_drop(cards: int, without: int) -> _Drop:
    changes = [
        (_LEAST[cards ^ 1 << r] - _LEAST[cards], 1 << r) for r in iter_cards(cards & ~without)
    ]
    best = min([change for change, _ in changes], default=_NEVER)
    return _Drop(best, sum([card for change, card in changes if change == best]))


_DROPS: Final[list[_Drop]] = [_best_drop.__wrapped__(cards, 0) for cards in range(8192)]
_DROP: Final[list[int]] = [drop.change for drop in _DROPS]
_DROP_CARDS: Final[list[int]] = [drop.cards for drop in _DROPS]


def split(hand: CardSet) -> Suits:
    """Return the four suits of a hand as 13-bit sets."""
    return (hand & _RANKS13, hand >> 13 & _RANKS13, hand >> 26 & _RANKS13, hand >> 39)


def _rests(a: int, b: int, c: int, d: int) -> list[Suits]:
    """Return for each choice of sets the cards that are in none; the first choice is no set."""
    rests = [(a, b, c, d)]
    ranks = a & b & (c | d) | c & d & (a | b)
    fours = a & b & c & d
    if ranks and not fours and not ranks & (ranks - 1):
        k = ~ranks
        return [(a, b, c, d), (a & k, b & k, c & k, d & k)]
    while ranks:
        rank = ranks & -ranks
        ranks ^= rank
        k = ~rank
        with_set = [(p & k, q & k, r & k, s & k) for p, q, r, s in rests]
        if fours & rank:
            for p, q, r, s in rests:
                with_set.append((p, q & k, r & k, s & k))
                with_set.append((p & k, q, r & k, s & k))
                with_set.append((p & k, q & k, r, s & k))
                with_set.append((p & k, q & k, r & k, s))
        rests += with_set
    return rests


def least_deadwood(hand: CardSet) -> int:
    """Return the least deadwood of a hand over all arrangements, in points (R1.5)."""
    a = hand & 8191
    b = hand >> 13 & 8191
    c = hand >> 26 & 8191
    d = hand >> 39
    if not (a & b & (c | d) | c & d & (a | b)):
        return _LEAST[a] + _LEAST[b] + _LEAST[c] + _LEAST[d]
    least = _LEAST
    return min([least[a] + least[b] + least[c] + least[d] for a, b, c, d in _rests(a, b, c, d)])


def least_after_discard(hand: CardSet, forbidden: CardSet = 0) -> int:
    """Return the least deadwood of eleven cards after the best discard, in points.

    Args:
        hand: the cards held, one more than are kept.
        forbidden: cards that may not be discarded (R3.2).
    """
    if forbidden & hand:
        return best_discards(hand, forbidden)[0]
    least, drop = _LEAST, _DROP
    a = hand & 8191
    b = hand >> 13 & 8191
    c = hand >> 26 & 8191
    d = hand >> 39
    if not (a & b & (c | d) | c & d & (a | b)):
        change = min(drop[a], drop[b], drop[c], drop[d])
        return least[a] + least[b] + least[c] + least[d] + change
    return min(
        [
            least[a] + least[b] + least[c] + least[d] + min(drop[a], drop[b], drop[c], drop[d])
            for a, b, c, d in _rests(a, b, c, d)
        ]
    )


def best_discards(hand: CardSet, forbidden: CardSet = 0) -> tuple[int, CardSet]:
    """Return the least deadwood after a discard, and all the discards that reach it.

    Args:
        hand: the cards held, one more than are kept.
        forbidden: cards that may not be discarded (R3.2).
    """
    a = hand & 8191
    b = hand >> 13 & 8191
    c = hand >> 26 & 8191
    d = hand >> 39
    barred = forbidden & hand
    if not (a & b & (c | d) | c & d & (a | b)):
        return _drop_barred(a, b, c, d, barred) if barred else _drop(a, b, c, d)
    best, cards = _NEVER, 0
    for p, q, r, s in _rests(a, b, c, d):
        deadwood, drops = _drop_barred(p, q, r, s, barred) if barred else _drop(p, q, r, s)
        if deadwood < best:
            best, cards = deadwood, drops
        elif deadwood == best:
            cards |= drops
    return best, cards


def _drop(a: int, b: int, c: int, d: int) -> tuple[int, CardSet]:
    """Return the least deadwood with runs only after a discard, and the discards."""
    least, drop, cards = _LEAST, _DROP, _DROP_CARDS
    p, q, r, s = drop[a], drop[b], drop[c], drop[d]
    change = min(p, q, r, s)
    drops = cards[a] if p == change else 0
    if q == change:
        drops |= cards[b] << 13
    if r == change:
        drops |= cards[c] << 26
    if s == change:
        drops |= cards[d] << 39
    return least[a] + least[b] + least[c] + least[d] + change, drops


def _drop_barred(a: int, b: int, c: int, d: int, barred: CardSet) -> tuple[int, CardSet]:
    """Return the same as `_drop` where some cards may not be discarded."""
    choices = []
    for suit, cards in enumerate((a, b, c, d)):
        without = barred >> 13 * suit & cards
        choices.append(_best_drop(cards, without) if without else _DROPS[cards])
    change = min(choices)[0]
    drops = 0
    for suit, choice in enumerate(choices):
        if choice[0] == change:
            drops |= choice[1] << 13 * suit
    return _LEAST[a] + _LEAST[b] + _LEAST[c] + _LEAST[d] + change, drops


def knock_discards(hand: CardSet, limit: int, forbidden: CardSet = 0) -> CardSet:
    """Return the discards after which the least deadwood is within the limit (R3.3).

    Args:
        hand: eleven cards.
        limit: the knock limit, in points; 0 finds the discards that leave gin.
        forbidden: cards that may not be discarded (R3.2).
    """
    if least_after_discard(hand) > limit:
        return 0
    discards = 0
    for card in iter_cards(hand & ~forbidden):
        if least_deadwood(hand ^ 1 << card) <= limit:
            discards |= 1 << card
    return discards


@cache
def _run_families(cards: int) -> tuple[tuple[int, ...], ...]:
    """Return the families of disjoint runs of one suit that leave its least deadwood."""
    if not cards:
        return ((),)
    low = cards & -cards
    families: list[tuple[int, ...]] = []
    if _LEAST[cards ^ low] + min(low.bit_length(), 10) == _LEAST[cards]:
        families += _run_families(cards ^ low)
    run = low | low << 1
    while not (run := run | run << 1) & ~cards:
        if _LEAST[cards ^ run] == _LEAST[cards]:
            families += [(run, *family) for family in _run_families(cards ^ run)]
    return tuple(families)


def _sets_of(cards: CardSet) -> tuple[CardSet, ...]:
    """Return cards that make up sets as those sets."""
    ranks = [_RANK_CARDS[rank] & cards for rank in range(13)]
    return tuple([cards for cards in ranks if cards])


_RANK_CARDS: Final[list[CardSet]] = [_all_sets(rank)[0] for rank in range(13)]


def arrangements(hand: CardSet) -> list[tuple[CardSet, ...]]:
    """Return every family of disjoint melds that reaches the least deadwood (R1.5).

    A long run counts once whole and once for each way to show it as shorter runs.
    """
    least = least_deadwood(hand)
    found: list[tuple[CardSet, ...]] = []
    for rest in _rests(*split(hand)):
        if sum([_LEAST[cards] for cards in rest]) > least:
            continue
        left = sum([cards << 13 * suit for suit, cards in enumerate(rest)])
        sets = _sets_of(hand ^ left)
        by_suit = [
            [tuple([run << 13 * suit for run in family]) for family in _run_families(cards)]
            for suit, cards in enumerate(rest)
        ]
        found += [(*sets, *a, *b, *c, *d) for a, b, c, d in product(*by_suit)]
    return found


def melds_in(hand: CardSet) -> list[CardSet]:
    """Return every meld whose cards are all held, in ascending order."""
    return sorted([meld for meld in MELDS if not meld & ~hand])


def completes_meld(hand: CardSet, card: Card) -> bool:
    """Say whether some meld of the hand and the card holds that card."""
    cards = hand | 1 << card
    return any(meld >> card & 1 and not meld & ~cards for meld in MELDS)
