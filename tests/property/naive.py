"""A second solver, slow and plain: pairs (rank 1-13, suit letter) and frozensets.

It enumerates every family of disjoint melds and imports nothing of the project.
"""

import random
from collections.abc import Iterable, Iterator
from itertools import combinations

Card = tuple[int, str]
Cards = frozenset[Card]
Family = tuple[Cards, ...]

DECK: Cards = frozenset((rank, suit) for suit in "cdhs" for rank in range(1, 14))


def worth(cards: Iterable[Card]) -> int:
    return sum(10 if rank > 10 else rank for rank, _ in cards)


def melds(hand: Cards) -> list[Cards]:
    found: list[Cards] = []
    for rank in range(1, 14):
        same = [card for card in hand if card[0] == rank]
        found += [frozenset(some) for size in (3, 4) for some in combinations(same, size)]
    for rank, suit in hand:
        run = {(rank, suit)}
        while (rank + 1, suit) in hand:
            rank += 1
            run.add((rank, suit))
            if len(run) >= 3:
                found.append(frozenset(run))
    return found


def families(choices: list[Cards]) -> Iterator[Family]:
    """Yield every set of disjoint melds, the empty one included, each once."""
    yield ()
    for place, meld in enumerate(choices):
        others = [other for other in choices[place + 1 :] if not other & meld]
        for family in families(others):
            yield (meld, *family)


def all_families(hand: Cards) -> Iterator[Family]:
    return families(melds(hand))


def least(hand: Cards) -> int:
    saved = max(sum(worth(meld) for meld in family) for family in all_families(hand))
    return worth(hand) - saved


def least_by_discard(hand: Cards) -> dict[Card, int]:
    """Return for each card the least deadwood once it is discarded."""
    after = {card: worth(hand) for card in hand}
    for family in all_families(hand):
        melded = frozenset[Card]().union(*family)
        for card in hand - melded:
            after[card] = min(after[card], worth(hand - melded) - worth([card]))
    return after


def fits(card: Card, meld: Cards) -> bool:
    ranks = sorted(rank for rank, _ in meld)
    suits = {suit for _, suit in meld}
    if ranks[0] == ranks[-1]:
        return card[0] == ranks[0] and card[1] not in suits
    return card[1] in suits and card[0] in (ranks[0] - 1, ranks[-1] + 1)


def defence(hand: Cards, spread: Family) -> tuple[int, int]:
    """Return the least deadwood over own melds and layoffs, and the fewest layoffs for it."""
    seen = {(hand, spread)}
    states = [(hand, spread)]
    best: dict[Cards, int] = {}
    while states:
        left, shown = states.pop()
        if left not in best:
            best[left] = least(left)
        for card in left:
            for place, meld in enumerate(shown):
                if fits(card, meld):
                    grown = (*shown[:place], meld | {card}, *shown[place + 1 :])
                    state = (left - {card}, grown)
                    if state not in seen:
                        seen.add(state)
                        states.append(state)
    return min((cost, len(hand) - len(left)) for left, cost in best.items())


def random_hand(rng: random.Random, size: int, among: Iterable[Card] = DECK) -> Cards:
    return frozenset(rng.sample(sorted(among), size))


def rich_hand(rng: random.Random, size: int, among: Cards = DECK) -> Cards:
    """Return a hand full of melds: from few neighbouring ranks, or from few suits."""
    if rng.random() < 0.5:
        low = rng.randint(1, 9)
        near = {card for card in among if low <= card[0] <= low + rng.choice((3, 4, 5))}
    else:
        suits = rng.sample("cdhs", rng.choice((1, 2)))
        near = {card for card in among if card[1] in suits and card[0] % 13 < 12}
    return random_hand(rng, size, near if len(near) >= size else among)


def bits(cards: Iterable[Card]) -> int:
    """Return cards in the project's form: 13 times the suit and the rank, a bit each."""
    return sum(1 << 13 * "cdhs".index(suit) + rank - 1 for rank, suit in cards)
