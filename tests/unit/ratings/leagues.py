"""Made-up leagues: facts of games for the fits."""

import math
import random
from collections.abc import Sequence
from itertools import combinations

from arena.ratings.bradley_terry import GameFact
from arena.ratings.elo import SCALE, expected_score

PLACES = {1.0: (1, 2), 0.5: (1, 1), 0.0: (2, 1)}
"""The places of two by the first one's score."""


def from_wins(wins: Sequence[Sequence[int]]) -> list[GameFact]:
    """`wins[i][j]` games that i won against j, each on a board of its own."""
    facts: list[GameFact] = []
    for i, row in enumerate(wins):
        for j, count in enumerate(row):
            for _ in range(count):
                facts.append(GameFact((f"e{i}", f"e{j}"), (1, 2), (0, len(facts))))
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
                    facts.append(GameFact(names, PLACES[score], (i * 100 + j, board)))
    return facts


def league_of_three(
    elo: Sequence[float], *, boards: int, seed: int, games: int = 1, shared: float = 0.1
) -> list[GameFact]:
    """Every trio plays `games` games on each of `boards` boards, ordered as Plackett and Luce say.

    A board's games lean to the same player, by up to 200 Elo; `shared` is the chance that two who
    finished one after the other share their place.
    """
    rng = random.Random(seed)
    facts: list[GameFact] = []
    for number, trio in enumerate(combinations(range(len(elo)), 3)):
        for board in range(boards):
            lean = [rng.uniform(-200, 200) for _ in trio] if games > 1 else [0.0] * 3
            for _ in range(games):
                marks = [
                    (elo[one] + lean[place]) / SCALE - math.log(rng.expovariate(1))
                    for place, one in enumerate(trio)
                ]
                places = [1 + sum(other > mark for other in marks) for mark in marks]
                if rng.random() < shared:
                    places = rng.choice(([1, 1, 3], [1, 1, 1], [1, 2, 2]))
                    rng.shuffle(places)
                names = tuple(f"e{one}" for one in trio)
                facts.append(GameFact(names, tuple(places), (number, board)))
    return facts
