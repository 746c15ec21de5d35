"""`bench engine`: whole rounds at random, and what the engine is asked most."""

from collections.abc import Callable
from random import Random
from typing import Final

from arena.bench import openspiel
from arena.bench.measure import CALIBRATION, Counts, Figure, Task, compare, measure
from arena.engine.actions import Kind
from arena.engine.cards import CardSet, card_set
from arena.engine.deal import Deal, board_seed
from arena.engine.melds import best_discards, least_deadwood
from arena.engine.round import Round
from arena.engine.rules import Rules
from arena.engine.view import Phase

_MASTER: Final = b"bench"
_RULES: Final = Rules.preset("eaai")


def figures(*, size: int, runs: int, on_run: Callable[[int], None]) -> list[Figure]:
    """Measure the engine; ratios compare with OpenSpiel where it is installed.

    Args:
        size: rounds of each run; 300 take about a second.
        runs: how often.
        on_run: told of each run before it begins.
    """
    tasks = [CALIBRATION, *_rounds(size), *_parts(size)]
    reference = openspiel.installed()
    if reference is not None:
        tasks += reference.tasks(size)
    return compare(measure(tasks, runs=runs, on_run=on_run), openspiel.NAMES)


def _rounds(size: int) -> list[Task]:
    return [
        Task("uniform play", lambda: play(size, knocks=False)),
        Task("play that knocks", lambda: play(size, knocks=True)),
    ]


def _parts(size: int) -> list[Task]:
    ten, eleven = _hands(30 * size, 10), _hands(30 * size, 11)
    states = _states(max(1, size // 20))
    draws = [table for table in states if table.phase == Phase.DRAW]
    discards = [table for table in states if table.phase == Phase.DISCARD]
    return [
        Task("least deadwood of 10 cards", lambda: _each(least_deadwood, ten), "call"),
        Task("best discard of 11 cards", lambda: _each(best_discards, eleven), "call"),
        Task("deal", lambda: _each(_deal, range(size)), "call"),
        Task("observation before a draw", lambda: _observe(draws), "call"),
        Task("observation before a discard", lambda: _observe(discards), "call"),
    ]


def play(rounds: int, *, knocks: bool) -> Counts:
    """Play rounds at random: dealt, the legal actions listed at each decision, and the result.

    Args:
        rounds: how many.
        knocks: whether to knock wherever it is legal; else every action is alike likely.
    """
    draw, decisions = Random(1).random, 0  # noqa: S311 - a benchmark
    for number in range(rounds):
        table = Round(_RULES, _deal(number), number & 1)
        while table.result is None:
            legal = table.legal_actions()
            action = legal[int(draw() * len(legal))]
            if knocks and legal[-1].kind >= Kind.KNOCK:
                action = legal[-1]
            table.apply(action)
            decisions += 1
    return {"decisions": decisions, "rounds": rounds}


def _deal(number: int) -> Deal:
    return Deal.of(board_seed(_MASTER, number), 1)


def _hands(count: int, cards: int) -> list[CardSet]:
    rng = Random(2)  # noqa: S311 - a benchmark
    return [card_set(rng.sample(range(52), cards)) for _ in range(count)]


def _states(rounds: int) -> list[Round]:
    rng, states = Random(3), []  # noqa: S311 - a benchmark
    for number in range(rounds):
        table = Round(_RULES, _deal(number), 0)
        while table.result is None:
            states.append(table.copy())
            table.apply(rng.choice(table.legal_actions()))
    return states


def _each(function: Callable[[int], object], values: "list[int] | range") -> Counts:
    for value in values:
        function(value)
    return {"call": len(values)}


def _observe(tables: list[Round]) -> Counts:
    for table in tables:
        table.observe(table.turn)
    return {"call": len(tables)}
