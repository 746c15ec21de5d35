"""Whole matches: batches, waves, voids, resumption, and the errors of our own side."""

import asyncio
import logging
from collections.abc import Sequence
from itertools import pairwise

import pytest

from arena.engine.game import Game
from arena.engine.view import Observation, Phase
from arena.notation.verify import verify_record
from arena.referee.connection import HOLD_S
from arena.referee.match import play_match
from arena.referee.outcome import FinishedGame, MatchEnd, VoidedGame
from arena.referee.player import Decision
from arena.schedule.plan import BoardMode, GamePlan
from tests.unit.referee.matches import forfeits, plan_of, play, record_of
from tests.unit.referee.scripted import ScriptedPlayer, good, referee_breaks, silent, stream_ends
from tests.unit.referee.virtual import VirtualLoop, run, virtual_us

MIRRORED = BoardMode.MIRRORED


def test_two_runs_with_one_seed_give_byte_equal_records() -> None:
    texts = {
        record_of(play(ScriptedPlayer(delay_s=delay), ScriptedPlayer(), plan_of(30)))
        for delay in (0.001, 0.001, 0.5)
    }
    assert len(texts) == 1
    assert len(verify_record(texts.pop()).games) == 30


@pytest.mark.parametrize(("first", "second", "cap", "tables"), [(1, 9, 64, 1), (9, 5, 64, 5)])
def test_as_many_tables_as_both_bots_accept_are_open(
    first: int, second: int, cap: int, tables: int
) -> None:
    open_games: set[int] = set()
    most: list[int] = []

    def begin(game: GamePlan) -> None:
        open_games.add(game.index)
        most.append(len(open_games))

    def finish(game: FinishedGame) -> None:
        open_games.remove(game.record.index)

    play(
        ScriptedPlayer(max_tables=first),
        ScriptedPlayer(max_tables=second),
        plan_of(20),
        max_tables=cap,
        on_begin=begin,
        on_game=finish,
    )
    assert max(most) == tables


def test_games_begin_in_schedule_order_and_are_recorded_in_it() -> None:
    begun: list[int] = []
    ended: list[int] = []
    outcome = play(
        ScriptedPlayer(),
        ScriptedPlayer(),
        plan_of(40),
        max_tables=8,
        on_begin=lambda game: begun.append(game.index),
        on_game=lambda game: ended.append(game.record.index),
    )
    assert begun == list(range(40)) == [game.record.index for game in outcome.games]
    assert sorted(ended) == begun != ended


def test_all_decisions_that_wait_go_out_in_one_batch() -> None:
    first, second = ScriptedPlayer(), ScriptedPlayer()
    play(first, second, plan_of(64))
    assert len(first.batches[0]) + len(second.batches[0]) == 64
    assert len(first.decisions) > 5 * len(first.batches)


def test_decisions_gather_while_a_bot_is_busy_but_not_for_long() -> None:
    busy, quick = ScriptedPlayer(delay_s=2.0), ScriptedPlayer(delay_s=0.001)
    play(busy, quick, plan_of(16))
    first, second, *_ = busy.batch_times
    assert HOLD_S <= second - first <= 1.5 * HOLD_S
    assert len(busy.batches[1]) > 1


def test_one_bot_is_never_held_up_by_the_other() -> None:
    slow, quick = ScriptedPlayer(delay_s=2.0), ScriptedPlayer(delay_s=0.001)
    play(slow, quick, plan_of(16))
    waits = [later - earlier for earlier, later in pairwise(quick.batch_times)]
    assert slow.batch_times[0] == quick.batch_times[0]
    assert min(waits) < 0.01


def test_a_slow_write_to_one_bot_does_not_hold_the_other() -> None:
    slow, quick = ScriptedPlayer(send_s=3.0), ScriptedPlayer()
    play(slow, quick, plan_of(16))
    assert slow.batch_times[0] - quick.batch_times[0] == pytest.approx(3.0)


def test_r10_5_a_bot_that_never_reads_is_silent() -> None:
    outcome = play(ScriptedPlayer(send_s=10_000), ScriptedPlayer())
    assert forfeits(outcome) == [(0, 0, "TIMEOUT")]


def test_r10_5_time_in_which_the_loop_lagged_is_not_charged() -> None:
    def hold_up(player: ScriptedPlayer, decision: Decision) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        loop.call_later(0.1, loop.hold_up, 40.0)
        player.reply(good(decision), after=0.2)

    bot = ScriptedPlayer({3: hold_up})
    outcome = play(bot, ScriptedPlayer())
    assert forfeits(outcome) == []
    charged = [ticks for turn in outcome.games[0].times.rounds for ticks in turn]
    assert max(charged) <= 2_100


@pytest.mark.parametrize("declares", [False, True])
def test_r4_3_the_defender_is_asked_at_the_showdown_only_if_it_declares(declares: bool) -> None:
    bots = ScriptedPlayer(declares=declares), ScriptedPlayer(declares=declares)
    outcome = play(*bots, plan_of(10))
    phases = [d.observation.phase for bot in bots for d in bot.decisions]
    assert (Phase.SHOWDOWN in phases) == declares
    knocked = [r for game in outcome.games for r in game.record.rounds if "k" in r.actions]
    assert knocked
    assert all(r.actions.endswith("w") for r in knocked)


def test_decisions_carry_the_bank_and_a_table_name_that_tells_nothing() -> None:
    bot = ScriptedPlayer()
    play(bot, ScriptedPlayer(), plan_of(20))
    assert len({decision.id for decision in bot.decisions}) == len(bot.decisions)
    tables = [decision.table for decision in bot.decisions]
    assert len(set(tables)) == 20
    assert list(dict.fromkeys(tables)) != sorted(set(tables))
    first = bot.decisions[0]
    assert first.bank_us == 30_050_000
    later = [d.bank_us for d in bot.decisions if d.table == first.table]
    assert all(bank <= 30_000_000 + 50_000 * place for place, bank in enumerate(later, 1))


# Mirrored boards


def test_r9_4_the_seatings_of_a_board_are_never_open_at_the_same_time() -> None:
    made: list[ScriptedPlayer] = []
    events: list[tuple[str, int]] = []

    def fresh() -> ScriptedPlayer:
        made.append(ScriptedPlayer())
        return made[-1]

    plan = plan_of(6, mode=MIRRORED)
    outcome = play(
        fresh,
        fresh,
        plan,
        on_begin=lambda game: events.append(("begin", game.index)),
        on_game=lambda game: events.append(("end", game.record.index)),
    )
    last_of_first = max(place for place, (_, index) in enumerate(events) if index < 6)
    first_of_second = min(place for place, (_, index) in enumerate(events) if index >= 6)
    assert last_of_first < first_of_second
    assert len(made) == 4
    assert all(player.connects == player.closed == 1 for player in made)
    assert [game.record.board for game in outcome.games[:6]] == [
        game.record.board for game in outcome.games[6:]
    ]


def test_r10_3_a_void_of_a_mirrored_game_voids_its_whole_seating_set() -> None:
    players = iter([ScriptedPlayer(), ScriptedPlayer({0: referee_breaks}, max_tables=1)])
    voided: list[VoidedGame] = []
    outcome = play(
        lambda: next(players, ScriptedPlayer()),
        ScriptedPlayer,
        plan_of(3, mode=MIRRORED),
        on_void=voided.append,
    )
    assert outcome.end is MatchEnd.COMPLETE
    assert [void.index for void in voided] == [3, 0], "the second half, and the finished first"
    assert {void.event for void in voided} == {1}
    boards = [game.record.board for game in outcome.games]
    assert boards[0] == boards[3] == 3, "the first reserve board"
    assert boards[1:3] == boards[4:]
    assert [len(game.record.voids) for game in outcome.games] == [1, 0, 0, 1, 0, 0]
    verify_record(record_of(outcome))


# Our own errors


def test_r10_3_an_error_of_our_own_voids_and_the_game_is_played_on_a_reserve_board(
    caplog: pytest.LogCaptureFixture,
) -> None:
    bot = ScriptedPlayer({5: referee_breaks}, max_tables=1)
    with caplog.at_level(logging.CRITICAL):
        outcome = play(bot, ScriptedPlayer(), plan_of(4))
    assert outcome.end is MatchEnd.COMPLETE
    assert outcome.incidents == (0, 0)
    assert forfeits(outcome) == []
    (void,) = outcome.voided
    assert void.void.cause == "an error of the arena: ZeroDivisionError"
    record = outcome.games[void.index].record
    assert record.voids == (void.void,)
    assert record.board == 4
    assert len(outcome.games) == 4


def test_r10_3_three_voids_quarantine_the_match() -> None:
    bot = ScriptedPlayer({5: referee_breaks, 15: referee_breaks, 25: referee_breaks}, max_tables=1)
    outcome = play(bot, ScriptedPlayer(), plan_of(10))
    assert outcome.end is MatchEnd.QUARANTINED
    assert [void.event for void in outcome.voided] == [1, 2, 3]
    assert outcome.player is None
    assert outcome.incidents == (0, 0)


def test_r10_3_an_error_of_the_engine_voids_one_game(monkeypatch: pytest.MonkeyPatch) -> None:
    observe, calls = Game.observe, iter(range(1_000_000))

    def sometimes(game: Game, seat: int) -> Observation:
        if next(calls) == 20:
            raise KeyError("a bug of the engine")
        return observe(game, seat)

    monkeypatch.setattr(Game, "observe", sometimes)
    outcome = play(ScriptedPlayer(), ScriptedPlayer(), plan_of(8))
    assert outcome.end is MatchEnd.COMPLETE
    assert len(outcome.voided) == 1
    assert len(outcome.games) == 8
    assert forfeits(outcome) == []


def test_an_error_of_a_callback_ends_the_match_and_releases_the_players() -> None:
    players = ScriptedPlayer(), ScriptedPlayer()

    def lease_lost(game: FinishedGame) -> None:
        raise RuntimeError("the lease is lost")

    with pytest.raises(RuntimeError, match="lease is lost"):
        play(*players, plan_of(3), on_game=lease_lost)
    assert [player.closed for player in players] == [1, 1]


def test_nothing_is_left_running() -> None:
    async def work() -> set[str]:
        makers = [lambda: ScriptedPlayer(always=silent), lambda: ScriptedPlayer({1: stream_ends()})]
        await play_match(makers, plan_of(6), clock=virtual_us)
        await asyncio.sleep(0)
        return {task.get_name() for task in asyncio.all_tasks() - {asyncio.current_task()}}

    assert run(work()) == set()


# Resumption


def test_finished_games_are_not_played_again_and_lost_ones_are_void() -> None:
    plan = plan_of(12)
    whole = play(ScriptedPlayer(), ScriptedPlayer(), plan)
    done = [whole.games[index] for index in (0, 1, 3, 4)]
    begun: list[GamePlan] = []
    voided: list[VoidedGame] = []
    outcome = play(
        ScriptedPlayer(),
        ScriptedPlayer(),
        plan,
        finished=done,
        begun={2: 2, 5: 5},
        on_begin=begun.append,
        on_void=voided.append,
    )
    assert [(game.index, game.board) for game in begun[:3]] == [(2, 12), (5, 13), (6, 6)]
    assert [game.index for game in begun] == [2, *range(5, 12)]
    assert [(void.index, void.event) for void in voided] == [(2, 1), (5, 1)]
    assert voided[0].void.cause == "the worker was lost"
    assert outcome.end is MatchEnd.COMPLETE
    assert [g for g in outcome.games if g.record.index in (0, 1, 3, 4)] == done
    assert [outcome.games[i].record for i in range(6, 12)] == [g.record for g in whole.games[6:]]


def test_a_second_loss_goes_on_from_the_next_reserve_board() -> None:
    plan = plan_of(3)
    first = play(ScriptedPlayer(), ScriptedPlayer(), plan, begun={1: 1})
    again = play(ScriptedPlayer(), ScriptedPlayer(), plan, voided=first.voided, begun={1: 3, 2: 2})
    assert [void.event for void in again.voided] == [1, 2, 2]
    boards = [game.record.board for game in again.games]
    assert boards == [0, 4, 5]
    assert [void.board for void in again.games[1].record.voids] == [1, 3]


def test_a_mirrored_match_goes_on_with_the_missing_halves() -> None:
    plan = plan_of(3, mode=MIRRORED)
    whole = play(ScriptedPlayer, ScriptedPlayer, plan)
    begun: list[int] = []
    outcome = play(
        ScriptedPlayer,
        ScriptedPlayer,
        plan,
        finished=whole.games[:4],
        on_begin=lambda game: begun.append(game.index),
    )
    assert begun == [4, 5]
    assert record_of(outcome) == record_of(whole)


def test_nothing_to_play_connects_nobody() -> None:
    whole = play(ScriptedPlayer(), ScriptedPlayer(), plan_of(2))
    bot = ScriptedPlayer()
    outcome = play(bot, ScriptedPlayer(), plan_of(2), finished=whole.games)
    assert bot.connects == 0
    assert outcome.games == whole.games


@pytest.mark.parametrize(
    ("players", "tables", "message"),
    [(1, 64, "1 players; the rules are for 2"), (2, 0, "1 to 128"), (2, 129, "1 to 128")],
)
def test_bad_arguments_are_refused(players: int, tables: int, message: str) -> None:
    makers: Sequence[type[ScriptedPlayer]] = [ScriptedPlayer] * players
    with pytest.raises(ValueError, match=message):
        run(play_match(makers, plan_of(), max_tables=tables, clock=virtual_us))
