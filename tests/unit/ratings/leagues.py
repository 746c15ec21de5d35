"""Made-up leagues: facts of games for the fits."""

import random
from collections.abc import Sequence

from arena.ratings.bradley_terry import GameFact
from arena.ratings.elo import expected_score


def from_wins(wins: Sequence[Sequence[int]]) -> list[GameFact]:
    """`wins[i][j]` games that i won against j, each on a board of its own."""
    facts: list[GameFact] = []
    for i, row in enumerate(wins):
        for j, count in enumerate(row):
            for _ in range(count):
                facts.append(GameFact((f"e{i}", f"e{j}"), (1.0, 0.0), (0, len(facts))))
    return facts


def mirrored_league(
    elo: Sequence[float], *, boards: int, seed: int, luck: float = 0.0
) -> list[GameFact]:
    """Every pair plays `boards` boards twice; `luck` is the Elo a good seat is worth, up or down.

    Both games of a board are lucky for the same seat, so its two scores are not independent.
    """
    rng = random.Random(seed)
    facts: list[GameFact] = []
    for i in range(len(elo)):
        for j in range(i):
            for board in range(boards):
                swing = rng.choice((-luck, luck))
                for seats in ((i, j), (j, i)):
                    gap = elo[seats[0]] - elo[seats[1]] + swing
                    won = rng.random() < expected_score(gap)
                    drawn = rng.random() < 0.05
                    score = 0.5 if drawn else float(won)
                    names = (f"e{seats[0]}", f"e{seats[1]}")
                    facts.append(GameFact(names, (score, 1 - score), (i * 100 + j, board)))
    return facts
