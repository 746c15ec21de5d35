"""Each fault of a bot and what the referee makes of it: a row each (R10)."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from arena.notation.times import read_times, write_times
from arena.notation.verify import verify_record
from arena.referee.outcome import MatchEnd, MatchOutcome
from arena.referee.player import Decision
from arena.referee.verdict import Cause, PlayerError
from arena.schedule.plan import TimeControl
from tests.unit.referee.matches import forfeits, plan_of, play, record_of
from tests.unit.referee.scripted import (
    ScriptedPlayer,
    Step,
    duplicate,
    garbage,
    good,
    illegal,
    late,
    silent,
    stream_ends,
    unreadable,
    wrong_id,
    wrong_phase,
)
from tests.unit.referee.virtual import VirtualLoop

DOWN = PlayerError(Cause.DISCONNECT, "connection refused")
GONE = PlayerError(Cause.UNREACHABLE, "no route to host")
STANDARD = TimeControl()


@dataclass(frozen=True)
class Row:
    """The first bot misbehaves at some of its decisions of one game; the second plays well."""

    name: str
    steps: Sequence[Step]
    """At the first bot's second decision and those that follow."""
    cause: str | None = None
    """Of the forfeit; None: the game is played to its end."""
    ignored: int = 0
    opens: Sequence[Exception | float | None] = ()
    came: bool = False
    """Whether the times say that an answer came."""
    charged_us: tuple[int, int] | None = None
    """Bounds of what the evidence says was charged."""
    elapsed_us: int | None = None


ROWS = [
    Row("late within the bank", [late(14.9)]),
    Row("late twice, within the bank", [late(14.0), late(14.0)]),
    Row("bank all but empty", [late(14.999), late(14.999), late(0.201)]),
    Row("bank empty by a millisecond", [late(14.999), late(14.999), late(0.203)], "TIMEOUT", 1),
    Row("bank empty", [late(14), late(14), late(14)], "TIMEOUT", charged_us=(2_100_000, 2_200_000)),
    Row("silent", [silent], "TIMEOUT", charged_us=(15_000_000, 15_000_000), elapsed_us=15_000_000),
    Row("silence by a millisecond", [late(15.001)], "TIMEOUT", 1, elapsed_us=15_000_000),
    Row("illegal once", [illegal]),
    Row("illegal twice", [illegal, wrong_phase]),
    Row("illegal thrice", [illegal] * 3, "ILLEGAL_ACTION", came=True),
    Row("wrong phase thrice", [wrong_phase] * 3, "ILLEGAL_ACTION", came=True),
    Row("unreadable twice", [unreadable, garbage]),
    Row("unreadable thrice", [unreadable] * 3, "PROTOCOL_ERROR", came=True),
    Row("no decision named, thrice", [garbage] * 3, "PROTOCOL_ERROR", came=True),
    Row(
        "the cause of the third: text", [illegal, illegal, unreadable], "PROTOCOL_ERROR", came=True
    ),
    Row("the cause of the third: act", [garbage, unreadable, illegal], "ILLEGAL_ACTION", came=True),
    Row("unknown decision", [wrong_id], ignored=1),
    Row("answered twice", [duplicate, duplicate], ignored=2),
    Row("break and recover", [stream_ends()]),
    Row("break and recover late", [stream_ends()], opens=[None, 9.9]),
    Row("break, refused at first", [stream_ends()], opens=[None, DOWN, DOWN, None]),
    Row("break twice", [stream_ends(), stream_ends(Cause.CRASH)]),
    Row("break thrice", [stream_ends()] * 3, "DISCONNECT"),
    Row("crash thrice", [stream_ends(Cause.CRASH)] * 3, "CRASH"),
    Row("too large thrice", [stream_ends(Cause.PROTOCOL_ERROR)] * 3, "PROTOCOL_ERROR"),
    Row("no reopening", [stream_ends()], "DISCONNECT", opens=[None, *[DOWN] * 99]),
    Row("reopening hangs", [stream_ends()], "DISCONNECT", opens=[None, 60.0]),
    Row("not reachable again", [stream_ends()], "DISCONNECT", opens=[None, *[GONE] * 99]),
]


def check_history(outcome: MatchOutcome) -> None:
    """The record replays to its results, the times fit it, no game has two results."""
    text = record_of(outcome)
    record = verify_record(text)
    times = write_times(text, [game.times for game in outcome.games])
    assert len(read_times(times, text, record)) == len(record.games)
    indices = [game.record.index for game in outcome.games]
    assert indices == sorted(set(indices))
    for game in outcome.games:
        assert [fault.cause for fault in game.faults] == (
            [game.record.forfeit.cause] if game.record.forfeit else []
        )


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_r10_a_fault_has_its_cause_and_its_evidence(row: Row) -> None:
    script = {1 + place: step for place, step in enumerate(row.steps)}
    outcome = play(ScriptedPlayer(script, opens=row.opens), ScriptedPlayer())
    assert forfeits(outcome) == ([(0, 0, row.cause)] if row.cause else [])
    assert outcome.ignored == (row.ignored, 0)
    assert outcome.incidents == (int(row.cause is not None), 0)
    assert outcome.voided == ()
    check_history(outcome)
    if row.cause is None:
        assert outcome.end is MatchEnd.COMPLETE
        return
    (game,) = outcome.games
    assert game.record.winner == 1
    (fault,), (times,) = game.faults, game.times.faults
    assert fault.evidence.asked.startswith("round 1, seat ")
    assert "hand" in fault.evidence.asked
    assert fault.evidence.answered
    assert (times.received_us is not None) == row.came
    assert times.sent_us > 0
    if row.charged_us is not None:
        assert row.charged_us[0] <= fault.evidence.charged_us <= row.charged_us[1] + 50_000
    if row.elapsed_us is not None:
        assert fault.evidence.elapsed_us == row.elapsed_us


@pytest.mark.parametrize("seed", range(6))
def test_r10_5_no_lag_of_the_loop_charges_less_than_nothing(seed: int) -> None:
    chance = random.Random(seed)

    def lag(player: ScriptedPlayer, decision: Decision) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        hold_up(loop, 9)
        player.reply(good(decision), after=0.0)

    def hold_up(loop: VirtualLoop, times: int) -> None:
        loop.hold_up(chance.choice((0.0, 0.001, 0.02, 0.045)))
        if times:
            loop.call_soon(hold_up, loop, times - 1)

    outcome = play(ScriptedPlayer(always=lag), ScriptedPlayer(always=lag), plan_of(8), max_tables=3)
    ticks = [tick for game in outcome.games for round_ in game.times.rounds for tick in round_]
    assert min(ticks) >= 0 < max(ticks)
    check_history(outcome)


def test_r10_1_a_refused_decision_is_asked_again_under_a_new_id_with_the_cause() -> None:
    bot = ScriptedPlayer({1: illegal, 2: unreadable})
    play(bot, ScriptedPlayer())
    first, second, third = bot.decisions[1:4]
    assert first.observation == second.observation == third.observation
    assert len({first.id, second.id, third.id}) == 3
    assert first.refusal == ""
    assert second.refusal.startswith("ILLEGAL_ACTION: wrong_phase")
    assert third.refusal == "PROTOCOL_ERROR: not an action: 'fold'"
    assert first.bank_us > second.bank_us > third.bank_us, "the clock keeps running"


def test_r10_1_refusals_are_counted_by_game() -> None:
    bot = ScriptedPlayer(by_game=lambda game, place: illegal if place in (1, 2) else None)
    outcome = play(bot, ScriptedPlayer(), plan_of(4))
    assert sum(bool(decision.refusal) for decision in bot.decisions) == 8
    assert outcome.end is MatchEnd.COMPLETE
    assert forfeits(outcome) == []


def test_r10_2_open_decisions_are_asked_again_under_their_ids_with_clocks_running() -> None:
    bot = ScriptedPlayer({3: stream_ends()}, opens=[None, 5.0], delay_s=0.5)
    outcome = play(bot, ScriptedPlayer(), plan_of(2))
    counts = {decision.id: 0 for decision in bot.decisions}
    for decision in bot.decisions:
        counts[decision.id] += 1
    again = [number for number, count in counts.items() if count == 2]
    assert again
    for number in again:
        first, second = (d for d in bot.decisions if d.id == number)
        assert first.observation == second.observation
        assert second.bank_us < first.bank_us - 2_000_000
    assert outcome.incidents == (0, 0)
    assert forfeits(outcome) == []


def test_r10_2_a_lost_stream_forfeits_every_open_game_and_is_one_incident() -> None:
    steps = dict.fromkeys((8, 16, 24), stream_ends())
    outcome = play(ScriptedPlayer(steps), ScriptedPlayer(), plan_of(8), max_tables=8)
    lost = forfeits(outcome)
    assert len(lost) >= 2
    assert {(player, cause) for _, player, cause in lost} == {(0, "DISCONNECT")}
    assert outcome.incidents == (1, 0)
    check_history(outcome)


def test_r10_2_a_match_ends_early_after_three_incidents_over_a_tenth() -> None:
    bot = ScriptedPlayer(always=illegal, max_tables=1)
    outcome = play(bot, ScriptedPlayer(), plan_of(10))
    assert outcome.end is MatchEnd.ENDED_EARLY
    assert outcome.player == 0
    assert len(outcome.games) == 3
    assert outcome.begun == {}
    assert outcome.incidents == (3, 0)
    assert "3 incidents in 3 games" in outcome.detail


def test_r10_2_three_incidents_of_forty_games_do_not_end_a_match() -> None:
    faulty = (31, 35, 39)
    bot = ScriptedPlayer(by_game=lambda game, _: illegal if game in faulty else None, max_tables=1)
    outcome = play(bot, ScriptedPlayer(), plan_of(40))
    assert outcome.end is MatchEnd.COMPLETE
    assert outcome.incidents == (3, 0)
    assert tuple(game for game, _, _ in forfeits(outcome)) == faulty
    check_history(outcome)


def test_r10_2_once_a_match_ends_early_the_next_silence_forfeits_all() -> None:
    bot = ScriptedPlayer(always=silent)
    outcome = play(bot, ScriptedPlayer(), plan_of(50), max_tables=32)
    assert outcome.end is MatchEnd.ENDED_EARLY
    assert {cause for _, _, cause in forfeits(outcome)} == {"TIMEOUT"}
    assert outcome.incidents[0] == len(forfeits(outcome)) == len(outcome.games)
    elapsed = max(t.sent_us for g in outcome.games for t in g.times.faults)
    assert elapsed < 60_000_000
    check_history(outcome)


@pytest.mark.parametrize(
    ("error", "seconds", "end"),
    [
        (PlayerError(Cause.UNREACHABLE, "connection refused"), 0.0, MatchEnd.ABSENT),
        (None, 5.1, MatchEnd.ABSENT),
        (None, 4.9, MatchEnd.COMPLETE),
        (PlayerError(Cause.CRASH, "GetBotInfo failed"), 0.0, MatchEnd.ABSENT),
        (PlayerError(Cause.REFUSED, "another version"), 0.0, MatchEnd.REFUSED),
    ],
)
def test_r10_6_a_bot_that_cannot_begin_is_absent_or_refuses(
    error: PlayerError | None, seconds: float, end: MatchEnd
) -> None:
    bot = ScriptedPlayer(connect_error=error, connect_s=seconds)
    other = ScriptedPlayer()
    outcome = play(other, bot)
    assert outcome.end is end
    assert outcome.incidents == (0, 0)
    assert bot.closed == other.closed == 1
    if end is not MatchEnd.COMPLETE:
        assert outcome.player == 1
        assert not outcome.games
        assert not outcome.voided
        assert outcome.header is None


def test_r10_7_a_bot_lost_before_its_first_decision_is_absent() -> None:
    bot = ScriptedPlayer({0: stream_ends()}, opens=[None, *[DOWN] * 99])
    outcome = play(bot, ScriptedPlayer(), plan_of(3))
    assert outcome.end is MatchEnd.ABSENT
    assert outcome.player == 0
    assert outcome.incidents == (0, 0)
    assert outcome.games == ()
    assert {void.event for void in outcome.voided} == {0}


def test_r10_6_a_stream_that_refuses_at_the_start_refuses_the_match() -> None:
    bot = ScriptedPlayer({0: stream_ends(Cause.REFUSED)})
    outcome = play(bot, ScriptedPlayer(), plan_of(3))
    assert outcome.end is MatchEnd.REFUSED
    assert (outcome.player, outcome.incidents, outcome.games) == (0, (0, 0), ())


@pytest.mark.parametrize(("seconds", "cause"), [(9.9, []), (10.1, [(0, 0, "TIMEOUT")])])
def test_r10_5_the_first_answer_has_ten_seconds_apart_from_the_bank(
    seconds: float, cause: list[tuple[int, int, str]]
) -> None:
    control = STANDARD.with_values({"bank_us": 2_000_000})
    bot = ScriptedPlayer({0: late(seconds)})
    outcome = play(bot, ScriptedPlayer(), plan_of(control=control))
    assert forfeits(outcome) == cause
    if not cause:
        assert bot.decisions[1].bank_us > 2_000_000


@pytest.mark.parametrize(("apart", "void"), [(0.0, True), (0.9, True), (1.1, False)])
def test_r10_7_both_at_fault_within_one_second_voids_the_game(apart: float, void: bool) -> None:
    second = ScriptedPlayer(opens=[None, *[DOWN] * 99])
    plan = plan_of(control=STANDARD.with_values({"reopen_us": 3_000_000}))

    def fail_both(player: ScriptedPlayer, decision: object) -> None:
        player.fail(DOWN)
        second.fail(DOWN, after=0.001 + apart)

    first = ScriptedPlayer({4: fail_both}, opens=[None, *[DOWN] * 99])
    outcome = play(first, second, plan)
    assert outcome.end is MatchEnd.ENDED_EARLY
    assert outcome.incidents == ((1, 1) if void else (1, 0))
    assert len(outcome.voided) == int(void)
    if void:
        (lost,) = outcome.voided
        assert lost.void.cause == "both bots at fault: DISCONNECT and DISCONNECT"
        assert {fault.player for fault in lost.faults} == {0, 1}
        assert outcome.games == ()
    else:
        assert forfeits(outcome) == [(0, 0, "DISCONNECT")]


def test_the_record_of_a_forfeited_match_has_no_times() -> None:
    matches = [
        play(ScriptedPlayer({2: silent}, delay_s=delay), ScriptedPlayer(), plan_of(3))
        for delay in (0.001, 0.02)
    ]
    assert forfeits(matches[0])
    assert record_of(matches[0]) == record_of(matches[1])
    assert matches[0].games[0].times != matches[1].games[0].times
