"""Write counts.json: sequences of decisions by length, by plain recursion over the rules R2, R3.

Uses the naive solver of the tests and nothing of the project.
Run from the root: python -m tests.golden.perft.generate
"""

import json
import random
from pathlib import Path
from typing import NamedTuple

from tests.property.naive import DECK, Card, Cards, least

DEPTH = 5
LIMIT = 10
RANKS = "A23456789TJQK"


class State(NamedTuple):
    hands: tuple[Cards, Cards]
    pile: tuple[Card, ...]
    streams: tuple[tuple[Card, ...], tuple[Card, ...]]
    turn: int
    phase: str
    passes: int = 0
    taken: Card | None = None


def swap(hands: tuple[Cards, Cards], turn: int, hand: Cards) -> tuple[Cards, Cards]:
    return (hand, hands[1]) if turn == 0 else (hands[0], hand)


def take(state: State) -> State:
    *pile, card = state.pile
    hands = swap(state.hands, state.turn, state.hands[state.turn] | {card})
    return state._replace(hands=hands, pile=tuple(pile), phase="discard", taken=card)


def stock(state: State) -> State:
    card, *rest = state.streams[state.turn]
    streams = list(state.streams)
    streams[state.turn] = tuple(rest)
    hands = swap(state.hands, state.turn, state.hands[state.turn] | {card})
    return state._replace(
        hands=hands, streams=(streams[0], streams[1]), phase="discard", taken=None
    )


def discard(state: State, card: Card, phase: str) -> State:
    hands = swap(state.hands, state.turn, state.hands[state.turn] - {card})
    pile = (*state.pile, card)
    return state._replace(hands=hands, pile=pile, turn=1 - state.turn, phase=phase, passes=0)


def successors(state: State) -> list[State]:
    if state.phase == "over":
        return []
    if state.phase == "show":
        return [state._replace(phase="over")]
    if state.phase == "upcard":
        phase = "forced" if state.passes else "upcard"
        passed = state._replace(turn=1 - state.turn, passes=1, phase=phase)
        return [passed, take(state)]
    if state.phase == "forced":
        return [stock(state)]
    if state.phase == "draw":
        return [take(state), stock(state)]
    hand = state.hands[state.turn]
    cards = [card for card in hand if card != state.taken]
    knocks = [card for card in cards if least(hand - {card}) <= LIMIT]
    plain = [discard(state, card, "draw") for card in cards]
    return plain + [discard(state, card, "show") for card in knocks]


def count(state: State, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(count(following, depth - 1) for following in successors(state))


def with_knocks(seed: int) -> list[Card]:
    """Return a deck that gives both seats two low runs and two loose cards."""
    rng = random.Random(seed)
    hands = []
    for suits in ("cd", "hs"):
        runs = [(rank, suit) for suit in suits for rank in range(1, 5)]
        hands.append([*runs, (6, suits[0]), (rng.randint(7, 9), suits[1])])
    rest = sorted(DECK - set(hands[0]) - set(hands[1]))
    rng.shuffle(rest)
    return [*hands[0], *hands[1], *rest]


def entry(cards: list[Card]) -> dict[str, object]:
    hands = (frozenset(cards[:10]), frozenset(cards[10:20]))
    streams = (tuple(cards[21::2]), tuple(cards[22::2]))
    start = State(hands, (cards[20],), streams, turn=0, phase="upcard")
    text = "".join(RANKS[rank - 1] + suit for rank, suit in cards)
    counts = [count(start, depth) for depth in range(1, DEPTH + 1)]
    return {"deck": text, "dealer": 1, "limit": LIMIT, "counts": counts}


def main() -> None:
    entries = [entry(with_knocks(seed)) for seed in range(3)]
    text = json.dumps(entries, indent=1) + "\n"
    Path(__file__).with_name("counts.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
