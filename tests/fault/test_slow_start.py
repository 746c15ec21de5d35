"""A bot that is slow at its first call is given the time for it, whatever else starts (R10.5)."""

import pytest

from arena.referee.outcome import MatchEnd
from arena.schedule.plan import TimeControl
from tests.unit.referee.matches import forfeits, plan_of, play, record_of
from tests.unit.referee.scripted import ScriptedPlayer, late

GAMES = 16
TIGHT = TimeControl().with_values({"bank_us": 1_000_000, "increment_us": 20_000})
"""A bank that eight seconds would empty many times."""


@pytest.mark.parametrize("connect_s", [0.0, 4.9])
def test_eight_seconds_of_sixteen_games_at_once_are_no_forfeit(connect_s: float) -> None:
    bot = ScriptedPlayer({place: late(8.0) for place in range(GAMES)}, connect_s=connect_s)
    outcome = play(bot, ScriptedPlayer(), plan_of(GAMES, control=TIGHT))
    assert outcome.end is MatchEnd.COMPLETE
    assert forfeits(outcome) == []
    assert outcome.incidents == (0, 0)
    first = bot.decisions[:GAMES]
    assert len({decision.table for decision in first}) > 1
    assert {decision.bank_us for decision in first} == {1_020_000}
    assert all(decision.bank_us >= 1_000_000 for decision in bot.decisions)


def test_both_may_be_slow_at_their_first_call() -> None:
    bots = [ScriptedPlayer({0: late(8.0)}), ScriptedPlayer({0: late(9.9)})]
    outcome = play(bots[0], bots[1], plan_of(control=TIGHT))
    assert (outcome.end, forfeits(outcome)) == (MatchEnd.COMPLETE, [])


def test_a_slow_start_leaves_no_trace_in_the_record() -> None:
    slow = play(ScriptedPlayer({0: late(8.0)}), ScriptedPlayer(), plan_of(4))
    quick = play(ScriptedPlayer(), ScriptedPlayer(), plan_of(4))
    assert record_of(slow) == record_of(quick)


def test_eight_seconds_later_are_charged() -> None:
    """What the tests above allow is for the first answer alone."""
    bot = ScriptedPlayer({3: late(8.0)})
    outcome = play(bot, ScriptedPlayer(), plan_of(control=TIGHT))
    assert forfeits(outcome) == [(0, 0, "TIMEOUT")]
