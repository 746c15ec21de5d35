"""`bench wire`: refereed matches over gRPC, the referee and two bots in processes of their own."""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

import grpc.aio

from arena.bench import openspiel
from arena.bench.children import Child
from arena.bench.measure import CALIBRATION, Figure, measure
from arena.bench.served import ECHO, ECHO_METHOD
from arena.bench.stages import parts, write_files
from arena.engine.rules import Rules
from arena.referee.match import play_match
from arena.referee.outcome import MatchEnd
from arena.referee.player import Decision
from arena.rpc.client import GrpcPlayer
from arena.schedule.plan import BoardMode, MatchPlan, TimeControl

BOT: Final = "simple"
TABLES: Final = 64
_HOST: Final = "127.0.0.1"
_REQUEST: Final = bytes(range(87))
"""As long as one decision on the wire."""
_PINGS: Final = 1000
_BARE: Final = "bare streamed ping-pong"
_CPU: Final = "µs of CPU a decision"
_MANY: Final = "many tables at once"
_ONE: Final = "one table at a time"


class _Counting(GrpcPlayer):
    """A bot over gRPC that counts the batches sent to it."""

    batches = 0

    async def send(self, decisions: Sequence[Decision]) -> None:
        self.batches += 1
        await super().send(decisions)


@dataclass(frozen=True, slots=True)
class Spent:
    """What one match cost."""

    decisions: int
    rounds: int
    batches: int
    """Messages of decisions sent."""
    wall: float
    """Seconds."""
    referee: float
    """CPU seconds of the referee's process, the files written."""
    bots: float
    """CPU seconds of both bots' processes."""


def figures(
    *, size: int, runs: int, on_run: Callable[[int], None], tables: int = TABLES
) -> list[Figure]:
    """Measure matches of `simple` against itself; the parts of a decision; one table at a time.

    The reference of one table is a bare gRPC stream; that of many tables is OpenSpiel's own
    simple bot against itself in one process, where it is installed, else the stream.

    Args:
        size: games of each match; 60 are about 600 rounds.
        runs: how often.
        on_run: told of each run before it begins.
        tables: tables at once.
    """
    values: dict[tuple[str, str], list[float]] = {}
    with ExitStack() as stack:
        # One loop for all: the poller of grpc.aio stays with the loop that it met first.
        loop = stack.enter_context(asyncio.Runner())
        bots = [stack.enter_context(Child(BOT)) for _ in range(2)]
        echo = stack.enter_context(Child(ECHO))
        _spend(loop, bots, games=2, tables=2)
        for run in range(runs):
            on_run(run)
            found = _of_matches(loop, bots, size, tables) | _of_one_table(loop, bots, echo, size)
            for key, value in (_of_references(size) | found).items():
                values.setdefault(key, []).append(value)
    return _compared([Figure(*key, tuple(found)) for key, found in values.items()])


def _of_references(size: int) -> dict[tuple[str, str], float]:
    tasks = [CALIBRATION]
    reference = openspiel.installed()
    if reference is not None:
        tasks.append(reference.bots_task(5 * size))
    return {(figure.name, figure.unit): figure.value for figure in measure(tasks, runs=1)}


def _of_matches(
    loop: asyncio.Runner, bots: list[Child], size: int, tables: int
) -> dict[tuple[str, str], float]:
    spent = _spend(loop, bots, games=size, tables=tables)
    referee, served = (1e6 * cpu / spent.decisions for cpu in (spent.referee, spent.bots))
    inside = parts(_plan(size), BOT, tables=tables)
    known = sum([cpu for part, cpu in inside.items() if part.startswith("bot:")])
    return {
        (_MANY, "rounds/s"): spent.rounds / spent.wall,
        (_MANY, "rounds a CPU-second"): spent.rounds / (spent.referee + spent.bots),
        (_MANY, "decisions a batch"): spent.decisions / spent.batches,
        (_MANY, _CPU): referee + served,
        ("the referee's process", _CPU): referee,
        ("both bots' processes", _CPU): served,
        **{(part, _CPU): cpu for part, cpu in inside.items()},
        ("referee: gRPC and event loop", _CPU): referee - sum(inside.values()) + known,
        ("bot: gRPC and event loop", _CPU): served - known,
    }


def _of_one_table(
    loop: asyncio.Runner, bots: list[Child], echo: Child, size: int
) -> dict[tuple[str, str], float]:
    spent = _spend(loop, bots, games=max(1, size // 30), tables=1)
    wall, cpu = _ping(loop, echo)
    return {
        (_ONE, "decisions/s"): spent.decisions / spent.wall,
        (_ONE, _CPU): 1e6 * (spent.referee + spent.bots) / spent.decisions,
        (_BARE, "decisions/s"): _PINGS / wall,
        (_BARE, _CPU): 1e6 * cpu / _PINGS,
    }


def _compared(figures: list[Figure]) -> list[Figure]:
    """Return the figures with their ratios: one table to a bare stream, many to OpenSpiel."""
    by_key = {(figure.name, figure.unit): figure for figure in figures}
    bare = by_key[_BARE, "decisions/s"]
    rival = by_key.get((openspiel.NAMES["simple against simple"], "rounds/s"))
    compared = []
    for figure in figures:
        if (figure.name, figure.unit) == (_ONE, bare.unit):
            compared.append(figure.against(bare, name=_BARE))
        elif figure.name == _MANY and figure.unit.startswith("rounds") and rival is not None:
            compared.append(figure.against(rival, name=rival.name))
        else:
            compared.append(figure)
    return compared


def _plan(games: int) -> MatchPlan:
    return MatchPlan(
        rules=Rules(),
        time_control=TimeControl.named("standard"),
        mode=BoardMode.PRIVATE,
        master=bytes(32),
        slots=games,
    )


def _spend(loop: asyncio.Runner, bots: list[Child], *, games: int, tables: int) -> Spent:
    """Play a match, write its files, and return what it cost."""
    players = [_Counting(_HOST, bot.port) for bot in bots]
    makers = [lambda player=player: player for player in players]
    before = [bot.cpu() for bot in bots]
    cpu, wall = time.process_time(), time.perf_counter()
    outcome = loop.run(play_match(makers, _plan(games), max_tables=tables))
    write_files(outcome)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    used = sum([bot.cpu() - old for bot, old in zip(bots, before, strict=True)])
    if outcome.end is not MatchEnd.COMPLETE:
        raise RuntimeError(f"the match ended early: {outcome.detail}")
    counts = [len(ticks) for game in outcome.games for ticks in game.times.rounds]
    batches = sum([player.batches for player in players])
    return Spent(sum(counts), len(counts), batches, wall, cpu, used)


def _ping(loop: asyncio.Runner, echo: Child) -> tuple[float, float]:
    """Return the wall time and the CPU time, of both sides, of a stream of pings."""
    before, cpu, wall = echo.cpu(), time.process_time(), time.perf_counter()
    loop.run(_pings(echo.port))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return wall, cpu + echo.cpu() - before


async def _pings(port: int) -> None:
    async with grpc.aio.insecure_channel(f"{_HOST}:{port}") as channel:
        method: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(
            ECHO_METHOD
        )
        call = method()
        for _ in range(_PINGS):
            await call.write(_REQUEST)
            await call.read()
        await call.done_writing()
        await call.read()
