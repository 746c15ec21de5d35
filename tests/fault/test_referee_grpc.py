"""Faults over a real wire: bots on loopback that die, come back, hang or crash (R10)."""

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial

import psutil

from arena.notation.verify import verify_record
from arena.referee.match import play_match
from arena.referee.outcome import FinishedGame, MatchEnd, MatchOutcome
from arena.referee.player import Answer, Decision
from arena.rpc.client import GrpcPlayer
from arena.rpc.server import Answerer, BotServer
from arena.schedule.plan import BoardMode, MatchPlan, TimeControl
from arena.sdk.answers import answer
from arena.sdk.load import load_bot
from tests.unit.referee.matches import forfeits, plan_of, record_of

SIMPLE = load_bot("simple")
QUICK = TimeControl().with_values({"reopen_us": 1_000_000})


async def serve(answerer: Answerer, port: int = 0) -> tuple[BotServer, int]:
    server = BotServer(SIMPLE.info(), answerer, port=port)
    return server, await server.start()


def plays(decisions: Sequence[Decision]) -> list[Answer]:
    return answer(SIMPLE, decisions)


async def match(
    first: Answerer,
    plan: MatchPlan,
    *,
    on_game: Callable[[FinishedGame], None] = lambda game: None,
) -> MatchOutcome:
    """Play a bot of that behaviour against `simple`, both behind gRPC."""
    servers = [await serve(first), await serve(plays)]
    try:
        makers = [partial(GrpcPlayer, "127.0.0.1", port) for _, port in servers]
        return await play_match(makers, plan, on_game=on_game)
    finally:
        await asyncio.gather(*(server.stop(grace=0) for server, _ in servers))


def crash_after(count: int) -> Answerer:
    """Answer a number of batches, then raise on each."""
    left = iter(range(count))

    def answerer(decisions: Sequence[Decision]) -> list[Answer]:
        if next(left, None) is None:
            raise ZeroDivisionError("a bug of the bot")
        return plays(decisions)

    return answerer


def test_a_whole_match_over_grpc_is_played_to_its_end() -> None:
    outcome = asyncio.run(match(plays, plan_of(20)))
    assert outcome.end is MatchEnd.COMPLETE
    assert outcome.incidents == outcome.ignored == (0, 0)
    assert len(verify_record(record_of(outcome)).games) == 20


def test_r10_6_a_bot_that_raises_thrice_has_crashed() -> None:
    outcome = asyncio.run(match(crash_after(3), plan_of(4, control=QUICK)))
    lost = forfeits(outcome)
    assert lost
    assert {(player, cause) for _, player, cause in lost} == {(0, "CRASH")}
    evidence = outcome.games[lost[0][0]].faults[0].evidence
    assert "INTERNAL" in evidence.answered
    assert "ZeroDivisionError: a bug of the bot" in evidence.answered
    assert outcome.incidents[1] == 0
    verify_record(record_of(outcome))


def test_r10_7_a_bot_that_raises_before_any_answer_is_absent() -> None:
    outcome = asyncio.run(match(crash_after(0), plan_of(4, control=QUICK)))
    assert outcome.end is MatchEnd.ABSENT
    assert outcome.games == ()


def test_r10_2_a_bot_that_dies_and_comes_back_goes_on_where_it_was() -> None:
    async def work() -> MatchOutcome:
        mortal, port = await serve(plays)
        other, other_port = await serve(plays)
        lives = [mortal]
        tasks: list[asyncio.Task[None]] = []

        async def restart() -> None:
            await lives[-1].stop(grace=0)
            await asyncio.sleep(0.2)
            server, _ = await serve(plays, port)
            lives.append(server)

        def on_game(game: FinishedGame) -> None:
            if not tasks:
                tasks.append(asyncio.create_task(restart()))

        makers = [partial(GrpcPlayer, "127.0.0.1", place) for place in (port, other_port)]
        try:
            outcome = await play_match(makers, plan, on_game=on_game, max_tables=8)
            assert len(lives) == 2
            return outcome
        finally:
            await asyncio.gather(*(server.stop(grace=0) for server in (*lives, other)))

    plan = plan_of(100, mode=BoardMode.PRIVATE)
    outcome = asyncio.run(work())
    assert outcome.end is MatchEnd.COMPLETE
    assert forfeits(outcome) == []
    assert outcome.incidents == (0, 0)
    quiet = asyncio.run(match(plays, plan))
    assert record_of(outcome) == record_of(quiet), "a break leaves no trace in the record"


def test_r10_2_a_bot_that_dies_for_good_forfeits_what_is_open() -> None:
    async def work() -> MatchOutcome:
        mortal, port = await serve(plays)
        other, other_port = await serve(plays)
        tasks: list[asyncio.Task[None]] = []

        def on_game(game: FinishedGame) -> None:
            if not tasks:
                tasks.append(asyncio.create_task(mortal.stop(grace=0)))

        makers = [partial(GrpcPlayer, "127.0.0.1", place) for place in (port, other_port)]
        try:
            return await play_match(makers, plan, on_game=on_game, max_tables=8)
        finally:
            await other.stop(grace=0)

    plan = plan_of(200, control=QUICK)
    outcome = asyncio.run(work())
    assert outcome.end is MatchEnd.ENDED_EARLY
    assert outcome.player == 0
    assert outcome.incidents == (1, 0)
    lost = forfeits(outcome)
    assert 1 <= len(lost) <= 8
    assert {(player, cause) for _, player, cause in lost} == {(0, "DISCONNECT")}
    assert len(outcome.games) < 200
    verify_record(record_of(outcome))


def test_r10_5_a_hung_bot_is_timed_out_at_its_limit() -> None:
    def hang(decisions: Sequence[Decision]) -> list[Answer]:
        time.sleep(0.6)
        return plays(decisions)

    control = TimeControl().with_values({"first_answer_us": 200_000})
    outcome = asyncio.run(match(hang, plan_of(1, control=control)))
    assert forfeits(outcome) == [(0, 0, "TIMEOUT")]
    (fault,) = outcome.games[0].faults
    assert fault.evidence.elapsed_us >= 200_000
    assert "no answer to anything for 0.2 s" in fault.evidence.answered


def test_matches_with_bots_that_crash_leave_no_file_descriptors() -> None:
    async def many() -> list[int]:
        counts = []
        for _ in range(8):
            await match(crash_after(1), plan_of(2, control=QUICK))
            counts.append(psutil.Process().num_fds())
        return counts

    counts = asyncio.run(many())
    assert max(counts[4:]) <= max(counts[:4])
