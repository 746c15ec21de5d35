"""Captain under faults of every kind, mixed at random: it ends and its record holds (R7.7)."""

import random
from typing import Any

import pytest

from arena.referee.outcome import MatchEnd
from arena.referee.player import Decision
from arena.referee.verdict import Cause
from arena.schedule.plan import BoardMode
from tests.unit.referee.matches import forfeits
from tests.unit.referee.scripted import (
    ScriptedPlayer,
    Step,
    garbage,
    illegal,
    late,
    silent,
    stream_ends,
    unreadable,
)
from tests.unit.referee.trios import DOWN, noted, plan_of, play, trio

ADVICE = [
    silent,
    late(15.5),
    late(5.0),
    illegal,
    unreadable,
    garbage,
    noted("x" * 300),
    stream_ends(),
    stream_ends(Cause.CRASH),
]
ANSWERS = [
    silent,
    late(12.0),
    illegal,
    unreadable,
    garbage,
    stream_ends(),
    stream_ends(Cause.CRASH),
]


def faulty(rng: random.Random, *, advice: float, answers: float) -> ScriptedPlayer:
    """A player that fails at random, with these chances a question."""

    def step(steps: list[Step], chance: float) -> Step | None:
        return rng.choice(steps) if rng.random() < chance else None

    opens: list[Any] = [None, *[DOWN if rng.random() < answers else None for _ in range(20)]]
    return trio(
        advice=lambda place: step(ADVICE, advice),
        by_game=lambda game, place: step(ANSWERS, answers),
        opens=opens,
    )[0]


@pytest.mark.parametrize("seed", range(20))
def test_any_mix_of_faults_ends_with_a_record_that_holds(seed: int) -> None:
    rng = random.Random(seed)
    chances = [rng.choice([0.0, 0.05, 0.3]) for _ in range(3)]
    players = [faulty(rng, advice=chance, answers=chance / 10) for chance in chances]
    mode = rng.choice(list(BoardMode))
    outcome = play(players, plan_of(2, mode=mode, target=rng.choice([1, 60, 150])))
    assert len(forfeits(outcome)) + len(outcome.games) > 0 or outcome.end is not MatchEnd.COMPLETE
    for game in outcome.games:
        if game.record.forfeit is not None:
            assert game.record.places[game.record.forfeit.player] == 3


@pytest.mark.parametrize("seed", range(10))
def test_bad_advice_alone_costs_nobody_anything(seed: int) -> None:
    rng = random.Random(seed)
    players = [faulty(rng, advice=0.5, answers=0.0) for _ in range(3)]
    outcome = play(players, plan_of(3), max_tables=1)
    assert outcome.end is MatchEnd.COMPLETE
    assert forfeits(outcome) == []
    assert outcome.incidents == (0, 0, 0)
    assert outcome.voided == ()


def test_r10_7_box_and_captain_at_fault_within_one_second_void_the_game() -> None:
    players: list[ScriptedPlayer] = []

    def fail_all(player: ScriptedPlayer, decision: Decision) -> None:
        for each in players:
            each.fail(DOWN)

    opens = [None, *[DOWN] * 99]
    players += [trio(script={3: fail_all}, opens=opens)[0] for _ in range(3)]
    outcome = play(players, plan_of())
    (lost,) = outcome.voided
    assert lost.void.cause == "both bots at fault: DISCONNECT and DISCONNECT"
    assert len({fault.player for fault in lost.faults}) == 2
    assert outcome.games == ()
    assert sorted(outcome.incidents) == [0, 1, 1]
