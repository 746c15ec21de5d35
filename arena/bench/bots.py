"""`bench bots`: the reference bots in process, and play-outs."""

import functools
from collections.abc import Callable
from random import Random
from typing import Final

from arena.bench import openspiel
from arena.bench.measure import CALIBRATION, Counts, Figure, Task, compare, measure
from arena.engine.actions import SHOW
from arena.engine.deal import Deal, board_seed
from arena.engine.game import Game
from arena.engine.round import Round
from arena.engine.rules import Rules
from arena.engine.view import Observation, Phase
from arena.playout.hidden import sample_round
from arena.playout.play import play_out
from arena.sdk.bot import Bot
from arena.sdk.load import REFERENCE_BOTS, load_bot

_MASTER: Final = b"bench"


def figures(*, size: int, runs: int, on_run: Callable[[int], None]) -> list[Figure]:
    """Measure each reference bot against itself, and play-outs; OpenSpiel's bot beside `simple`.

    Args:
        size: rounds of each run, about; 300 take a few seconds.
        runs: how often.
        on_run: told of each run before it begins.
    """
    tasks = [CALIBRATION]
    for name in REFERENCE_BOTS:
        work = functools.partial(play, load_bot(name), size)
        tasks.append(Task(f"{name} against {name}", work, "decision"))
    views = _views(max(2, size // 20))
    tasks.append(Task("play-outs by simple", functools.partial(play_outs, views, size)))
    reference = openspiel.installed()
    if reference is not None:
        tasks.append(reference.bots_task(size))
    return compare(measure(tasks, runs=runs, on_run=on_run), openspiel.NAMES)


def play(bot: Bot, rounds: int) -> Counts:
    """Play games of the bot against itself until that many rounds are over."""
    rules, decisions, done, board = Rules(), 0, 0, 0
    while done < rounds:
        game = Game(rules, board_seed(_MASTER, board))
        board += 1
        while not game.over:
            view = game.observe(game.turn)
            action = SHOW if view.phase == Phase.SHOWDOWN else bot.act(view)
            done += game.apply(action) is not None
            decisions += 1
    return {"rounds": done, "decision": decisions}


def play_outs(views: list[Observation], count: int) -> Counts:
    """Sample hidden cards for observations in turn, and play each round to its end."""
    rng, policy = Random(1), load_bot("simple").act  # noqa: S311 - a benchmark
    for number in range(count):
        play_out(sample_round(views[number % len(views)], rng), (policy, policy))
    return {"rounds": count}


def _views(rounds: int) -> list[Observation]:
    """Return what is seen at the first offer of rounds: play-outs of whole rounds."""
    tables = [Round(Rules(), Deal.of(board_seed(_MASTER, n), 1), n & 1) for n in range(rounds)]
    return [table.observe(table.turn) for table in tables]
