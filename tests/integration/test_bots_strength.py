"""The reference bots stand in the order that the ratings take them for, bars apart."""

import asyncio
import hashlib

import pytest

from arena.engine.rules import Rules
from arena.ratings.intervals import Estimate, GameOutcome, elo_difference
from arena.referee.match import play_match
from arena.referee.outcome import MatchEnd
from arena.schedule.plan import BoardMode, MatchPlan, TimeControl
from arena.sdk import LocalPlayer, load_bot

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
MASTER = hashlib.sha256(b"the order of the reference bots").digest()


def elo(first: str, second: str, boards: int) -> Estimate:
    """Return the Elo difference of two bots over mirrored boards of fixed seeds."""
    plan = MatchPlan(
        rules=Rules.preset("classic"),
        time_control=TimeControl.named("thinking"),
        mode=BoardMode.MIRRORED,
        master=MASTER,
        slots=boards,
    )
    makers = [lambda: LocalPlayer(load_bot(first)), lambda: LocalPlayer(load_bot(second))]
    outcome = asyncio.run(play_match(makers, plan))
    assert outcome.end is MatchEnd.COMPLETE
    records = [game.record for game in outcome.games]
    assert len(records) == 2 * boards
    assert not [record for record in records if record.forfeit]
    scores = {None: 0.5, 0: 1.0, 1: 0.0}
    return elo_difference([GameOutcome.of(r.board, scores[r.winner], margins=()) for r in records])


def test_simple_is_stronger_than_random() -> None:
    difference = elo("simple", "random", 30)
    assert difference.low > 300


def test_greedy_is_stronger_than_simple() -> None:
    difference = elo("greedy", "simple", 300)
    assert difference.low > 0


def test_patient_is_not_below_simple() -> None:
    difference = elo("patient", "simple", 300)
    assert difference.low > 0
