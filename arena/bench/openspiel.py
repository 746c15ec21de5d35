"""The reference of engine and bots: OpenSpiel, driven from Python, where it is installed."""

import importlib
from random import Random
from typing import Any, Final

from arena.bench.measure import Counts, Task

NAMES: Final = {
    "uniform play": "OpenSpiel, uniform play",
    "play that knocks": "OpenSpiel, play that knocks",
    "simple against simple": "OpenSpiel, simple against simple",
}
"""What of OpenSpiel stands beside our own figures, by their names."""


class OpenSpiel:
    """Gin rummy of OpenSpiel; each round is a clone of its initial state.

    Raises:
        ModuleNotFoundError: OpenSpiel (package open_spiel) is not installed.
    """

    def __init__(self) -> None:
        self._lib: Any = importlib.import_module("pyspiel")
        self._game = self._lib.load_game("gin_rummy")
        self._start = self._game.new_initial_state()
        self._knock: int = self._lib.gin_rummy.KNOCK_ACTION

    def tasks(self, rounds: int) -> list[Task]:
        """Return rounds at random, rounds that knock when they can, and rounds of its bots."""
        return [
            Task(NAMES["uniform play"], lambda: self.play(rounds, knock=-1)),
            Task(NAMES["play that knocks"], lambda: self.play(rounds, knock=self._knock)),
        ]

    def bots_task(self, rounds: int) -> Task:
        """Return rounds of its simple bot against itself."""
        return Task(NAMES["simple against simple"], lambda: self.play_bots(rounds))

    def play(self, rounds: int, *, knock: int) -> Counts:
        """Play rounds at random, deals included, and the one action wherever it is legal."""
        draw, decisions = Random(1).random, 0  # noqa: S311 - a benchmark
        for _ in range(rounds):
            state = self._start.clone()
            while not state.is_terminal():
                legal = state.legal_actions()
                if state.is_chance_node():
                    state.apply_action(legal[int(draw() * len(legal))])
                    continue
                decisions += 1
                choice = knock if knock in legal else legal[int(draw() * len(legal))]
                state.apply_action(choice)
            state.returns()
        return {"decisions": decisions, "rounds": rounds}

    def play_bots(self, rounds: int) -> Counts:
        """Play rounds of the simple bot against itself, deals at random."""
        draw = Random(1).random  # noqa: S311 - a benchmark
        make = self._lib.make_simple_gin_rummy_bot
        parameters = self._game.get_parameters()
        bots = [make(parameters, seat) for seat in (0, 1)]
        for _ in range(rounds):
            state = self._start.clone()
            for bot in bots:
                bot.restart()
            while not state.is_terminal():
                if state.is_chance_node():
                    legal = state.legal_actions()
                    state.apply_action(legal[int(draw() * len(legal))])
                else:
                    state.apply_action(bots[state.current_player()].step(state))
            state.returns()
        return {"rounds": rounds}


def installed() -> OpenSpiel | None:
    """Return OpenSpiel, None where it is not installed."""
    try:
        return OpenSpiel()
    except ModuleNotFoundError:
        return None
