"""Decisions from random play through the engine, for the tests of the wire."""

import hashlib
import random
from collections.abc import Iterator

from arena.engine.actions import Kind
from arena.engine.game import Game
from arena.engine.rules import Rules
from arena.engine.view import Observation
from arena.referee.player import Decision


def observations(rules: Rules, *, games: int, seed: int = 0) -> Iterator[Observation]:
    """Yield what the seat on turn sees, at every step of random games."""
    rng = random.Random(seed)
    for index in range(games):
        game = Game(rules, hashlib.sha256(f"{seed}/{index}".encode()).digest())
        while not game.over:
            seen = game.observe(game.turn)
            yield seen
            knocks = [action for action in seen.legal if action.kind in (Kind.KNOCK, Kind.BIG_GIN)]
            eager = knocks and rng.random() < 0.7
            game.apply(rng.choice(knocks if eager else seen.legal))


def decisions(rules: Rules, *, games: int, seed: int = 0) -> list[Decision]:
    """Return those observations as decisions, some of them asked again."""
    return [
        Decision(
            id=number,
            table=f"t{number % 97:04x}",
            observation=seen,
            bank_us=30_000_000 - number,
            refusal="CARD_NOT_IN_HAND: Td is not held" if number % 11 == 0 else "",
        )
        for number, seen in enumerate(observations(rules, games=games, seed=seed), start=1)
    ]
