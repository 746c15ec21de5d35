"""Advice to the captain: asked first, judged, and never a fault that counts (R7.3, R7.7)."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from arena.engine.view import Advice, Role
from arena.notation.advice import Counsel, count_advice, read_marks
from arena.notation.record import GameRecord
from arena.referee.outcome import MatchEnd, MatchOutcome
from arena.referee.player import Answer, Decision
from arena.schedule.plan import BoardMode
from tests.unit.referee.matches import forfeits
from tests.unit.referee.scripted import (
    ScriptedPlayer,
    Step,
    choose,
    garbage,
    good,
    illegal,
    late,
    silent,
    stream_ends,
    unreadable,
)
from tests.unit.referee.trios import CONTROL, DOWN, noted, plan_of, play, trio


def only_game(outcome: MatchOutcome) -> GameRecord:
    assert outcome.end is MatchEnd.COMPLETE
    return outcome.games[0].record


def counts(outcome: MatchOutcome) -> Counter[Counsel]:
    """What became of advice in the one game, whoever gave it."""
    total: Counter[Counsel] = Counter()
    for count in count_advice(only_game(outcome)).values():
        total.update(count)
    return total


def other(player: ScriptedPlayer, decision: Decision) -> None:
    """Advise another legal action where there is one."""
    legal = decision.observation.legal
    choices = [action for action in legal if action != choose(decision)] or list(legal)
    player.reply(Answer(decision.id, choices[0]))


def test_the_adviser_is_asked_first_with_exactly_the_captains_observation() -> None:
    players = trio()
    outcome = play(players)
    asked: dict[tuple[Any, ...], Decision] = {}
    advised = 0
    for player in players:
        for decision in player.decisions:
            if decision.advising:
                seen = decision.observation
                assert seen.role is Role.CAPTAIN
                assert seen.advice is None
                asked[seen] = decision
    for player in players:
        for decision in player.decisions:
            seen = decision.observation
            if decision.advising or seen.role is Role.BOX:
                assert seen.advice is None
                continue
            question = asked[seen._replace(advice=None)]
            assert seen.advice == Advice(choose(question))
            advised += 1
    assert advised == len(asked) > 10
    assert counts(outcome) == {Counsel.FOLLOWED: advised}


def test_a_captain_that_wants_none_is_asked_at_once() -> None:
    players = trio(wants_advice=False)
    outcome = play(players)
    assert not any(decision.advising for player in players for decision in player.decisions)
    assert all(not done.advice for done in only_game(outcome).rounds)


def test_a_bot_that_does_not_advise_is_not_asked() -> None:
    players = trio(advises=False)
    outcome = play(players)
    assert not any(decision.advising for player in players for decision in player.decisions)
    assert counts(outcome) == {}


def test_notes_reach_the_captain_and_the_record() -> None:
    players = trio(advice=lambda place: noted("knock!" * (place == 0)))
    game = only_game(play(players))
    assert [done.notes for done in game.rounds if done.notes] == [((0, "knock!"),)] * len(
        [done for done in game.rounds if done.notes]
    )
    told = [d.observation.advice for p in players for d in p.decisions if d.observation.advice]
    assert any(advice.note == "knock!" for advice in told)


def test_advice_that_is_not_followed_is_kept() -> None:
    game = only_game(play(trio(advice=lambda place: other)))
    marks = [mark for done in game.rounds for mark in read_marks(done.advice)]
    assert any(mark[0] == "d" and len(mark) == 3 for mark in marks)
    assert Counsel.FOLLOWED.value in marks  # where only one action is legal


@dataclass(frozen=True)
class Row:
    """What every adviser does at its third question, and what that counts as."""

    name: str
    step: Step
    counsel: Counsel


def note_of(text: str) -> Step:
    return noted(text)


ROWS = [
    Row("silent", silent, Counsel.MISSING),
    Row("late", late(15.5), Counsel.LATE),
    Row("illegal", illegal, Counsel.ILLEGAL),
    Row("unreadable", unreadable, Counsel.MALFORMED),
    Row("no decision named", garbage, Counsel.MALFORMED),
    Row("long note", note_of("x" * 201), Counsel.MALFORMED),
    Row("unprintable note", note_of("\x1b[2J"), Counsel.MALFORMED),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_bad_advice_is_counted_and_costs_nothing(row: Row) -> None:
    slow = 16.0 if row.counsel is Counsel.LATE else 0.001

    def captain_waits(player: ScriptedPlayer, decision: Decision) -> None:
        """Answer the decision after the bad advice late enough for that to come."""
        missing = decision.observation.role is Role.CAPTAIN and not decision.observation.advice
        player.reply(good(decision), after=min(slow, 1.0) if missing else 0.001)

    players = trio(advice=lambda place: row.step if place == 2 else None, always=captain_waits)
    outcome = play(players)
    found = counts(outcome)
    assert found[row.counsel] == 3
    assert found.total() - found[Counsel.FOLLOWED] == 3
    assert outcome.incidents == (0, 0, 0)
    assert forfeits(outcome) == []


def test_the_captains_clock_stands_while_advice_is_awaited() -> None:
    players = trio(advice=lambda place: late(2.0) if place < 5 else None)
    outcome = play(players)
    captains = [
        decision for player in players for decision in player.decisions if not decision.advising
    ]
    assert min(decision.bank_us for decision in captains) >= CONTROL.bank_us - 100_000
    ticks = [tick for done in outcome.games[0].times.rounds for tick in done]
    assert max(ticks) < 1_000


def test_the_adviser_has_a_bank_of_its_own() -> None:
    players = trio(advice=lambda place: late(4.0))
    outcome = play(players)
    banks = [d.bank_us for d in players[0].decisions if d.advising]
    first = CONTROL.advice_bank_us + CONTROL.advice_increment_us
    assert banks[:4] == [
        first - number * (4_000_000 - CONTROL.advice_increment_us) for number in range(4)
    ]
    found = counts(outcome)
    assert found[Counsel.FOLLOWED] == 3 * 3 + 1  # a match's first answer is apart from the bank
    assert found[Counsel.MISSING] + found[Counsel.LATE] > 0
    assert forfeits(outcome) == []


def test_a_silent_adviser_delays_a_game_by_its_bank_once() -> None:
    players = trio(advice=lambda place: silent)
    play(players)
    times = [time for player in players for time in player.batch_times]
    asked = sum(decision.advising for player in players for decision in player.decisions)
    banks = 3 * CONTROL.advice_bank_us + asked * CONTROL.advice_increment_us
    assert CONTROL.advice_bank_us < 1e6 * (max(times) - min(times)) < banks + 1_000_000


def test_an_illegal_actions_answer_is_still_refused_of_the_captain() -> None:
    players = trio(script={2: illegal})
    outcome = play(players)
    refused = [d for player in players for d in player.decisions if d.refusal]
    assert len(refused) == 3
    assert all(d.refusal.startswith("ILLEGAL_ACTION") for d in refused)
    assert [d.observation.advice is not None for d in refused] == [
        d.observation.role is Role.CAPTAIN for d in refused
    ]
    assert forfeits(outcome) == []


def adviser_only(*steps: Step) -> Callable[[int], Step | None]:
    return lambda place: steps[place] if place < len(steps) else None


@pytest.mark.parametrize("breaks", [1, 3, 6])
def test_a_lost_stream_of_an_adviser_is_reopened_and_is_no_fault(breaks: int) -> None:
    players = trio()
    players[0] = trio(advice=adviser_only(*[stream_ends()] * breaks))[0]
    outcome = play(players)
    found = counts(outcome)
    assert found[Counsel.MISSING] >= breaks
    assert forfeits(outcome) == []
    assert outcome.incidents == (0, 0, 0)


def test_an_adviser_that_cannot_be_reached_is_at_fault_once_it_plays() -> None:
    players = trio()
    gone = [None, *[DOWN] * 999]
    players[0] = trio(advice=adviser_only(stream_ends()), opens=gone)[0]
    plan = plan_of(target=300)
    outcome = play(players, plan)
    assert [(player, cause) for _, player, cause in forfeits(outcome)] == [(0, "DISCONNECT")]
    record = outcome.games[0].record
    assert record.places[0] == 3
    assert record.rounds[-1].captain is not None
    assert 0 in [record.seating[seat] for seat in record.rounds[-1].active]


def test_forfeits_leave_the_others_in_their_order_r10_2() -> None:
    players = trio()
    players[1] = trio(by_game=lambda game, place: illegal if place > 12 else None)[1]
    outcome = play(players, plan_of(target=500))
    record = outcome.games[0].record
    assert record.forfeit is not None
    assert (record.forfeit.player, record.forfeit.cause) == (1, "ILLEGAL_ACTION")
    assert record.places[1] == 3
    first, third = record.points[0], record.points[2]
    assert (record.places[0] < record.places[2]) == (first > third)
    assert record.winner == (0 if first > third else 2)


def test_mirrored_boards_are_played_in_six_seatings() -> None:
    outcome = play(trio(), plan_of(2, mode=BoardMode.MIRRORED, target=1))
    assert outcome.end is MatchEnd.COMPLETE
    seatings = [game.record.seating for game in outcome.games]
    assert len(seatings) == 12
    assert len(set(seatings)) == 6
    assert [game.record.board for game in outcome.games] == [0, 1] * 6


def test_a_void_takes_the_whole_seating_set() -> None:
    def breaks(player: ScriptedPlayer, decision: Decision) -> None:
        player.fail(ZeroDivisionError("a bug of the client"))

    players = trio()
    players[2] = trio(script={40: breaks})[2]
    outcome = play(players, plan_of(1, mode=BoardMode.MIRRORED, target=1))
    assert outcome.end is MatchEnd.COMPLETE
    assert {game.record.board for game in outcome.games} == {1}
    assert len(outcome.voided) >= 1


def test_a_bot_that_does_not_play_captain_refuses() -> None:
    players = trio()
    players[1] = ScriptedPlayer(rule_sets=["classic", "modern"])
    outcome = play(players)
    assert (outcome.end, outcome.player) == (MatchEnd.REFUSED, 1)
    assert "its info says classic, modern" in outcome.detail
    assert outcome.games == ()
