"""Play a round to its end by policies."""

from collections.abc import Callable
from typing import TypeAlias

from arena.engine.actions import SHOW, Action
from arena.engine.result import RoundResult, price
from arena.engine.round import Round
from arena.engine.rules import Rules
from arena.engine.view import Observation, Phase

Policy: TypeAlias = Callable[[Observation], Action]
"""What a seat does by what it sees: the method `act` of a bot."""


def play_out(
    table: Round,
    policies: tuple[Policy, Policy],
    *,
    round_number: int = 1,
    points: tuple[int, ...] = (0, 0),
) -> RoundResult:
    """Play a round to its end and return its result; melds and layoffs are the referee's.

    Args:
        table: the round, in any state; it is played on: pass a copy to keep it.
        policies: by seat.
        round_number: of the round in its game, for the policies to see.
        points: of the game so far, likewise.

    Raises:
        IllegalActionError: a policy's action that is not legal.
    """
    while table.result is None:
        if table.phase == Phase.SHOWDOWN:
            table.apply(SHOW)
        else:
            seat = table.turn
            view = table.observe(seat, round_number=round_number, points=points)
            table.apply(policies[seat](view))
    return table.result


def margin(rules: Rules, result: RoundResult, seat: int) -> int:
    """Return the points of a round to a seat, negative where they go to the other."""
    points = price(rules, result)
    return points if result.winner == seat else -points
