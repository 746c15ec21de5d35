"""Play over real loopback gRPC: our server, and a bot written from the .proto alone."""

import asyncio
import hashlib
import re
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path

import grpc
import grpc.aio
import pytest
from ginarena.v1 import bot_pb2 as pb
from ginarena.v1 import bot_pb2_grpc

from arena.engine.actions import PASS, SHOW, Declaration
from arena.engine.cards import parse_set
from arena.engine.game import Game
from arena.engine.rules import Rules
from arena.referee.player import Answer, BotInfo, Decision
from arena.referee.verdict import Cause, PlayerError
from arena.rpc.client import GrpcPlayer
from arena.rpc.codec import encode_decisions
from arena.rpc.server import Answerer, BotServer
from tests.unit.rpc.positions import decisions

PROTOBOT = Path(__file__).with_name("protobot.py")
INFO = BotInfo("tester", "7", ("classic",), max_tables=128, declares=True)


def first_legal(asked: Sequence[Decision]) -> list[Answer]:
    return [Answer(decision.id, decision.observation.legal[0]) for decision in asked]


@asynccontextmanager
async def served(answer: Answerer, *, key: bytes = b"") -> AsyncIterator[GrpcPlayer]:
    server = BotServer(INFO, answer, key=key)
    port = await server.start()
    player = GrpcPlayer("127.0.0.1", port, key=key)
    try:
        yield player
    finally:
        await player.close()
        await server.stop()


async def collect(player: GrpcPlayer, count: int) -> list[Answer]:
    answers: list[Answer] = []
    while len(answers) < count:
        answers += await player.receive()
    return answers


def test_our_server_hands_over_equal_decisions_and_brings_the_answers_back() -> None:
    asked = decisions(Rules(), games=2)[:300]
    seen: list[Decision] = []

    def answer(batch: Sequence[Decision]) -> list[Answer]:
        seen.extend(batch)
        return first_legal(batch)

    async def run() -> list[Answer]:
        async with served(answer) as player:
            assert await player.connect() == INFO
            await player.open()
            await player.send(asked)
            return await collect(player, len(asked))

    answers = asyncio.run(run())
    assert seen == asked
    assert [(a.decision_id, a.action) for a in answers] == [
        (a.decision_id, a.action) for a in first_legal(asked)
    ]


def test_declarations_travel_both_ways() -> None:
    shown = Declaration((parse_set("2c3c4c"),), ((4, 0),))

    async def run() -> list[Answer]:
        async with served(lambda batch: [Answer(d.id, SHOW, shown) for d in batch]) as player:
            await player.connect()
            await player.open()
            await player.send(decisions(Rules(), games=1)[:1])
            return await collect(player, 1)

    (answer,) = asyncio.run(run())
    assert (answer.action, answer.declaration) == (SHOW, shown)


def test_what_arrives_while_the_bot_thinks_comes_in_one_batch() -> None:
    asked = decisions(Rules(), games=1)[:9]
    batches: list[int] = []
    go_on = threading.Event()

    def answer(batch: Sequence[Decision]) -> list[Answer]:
        batches.append(len(batch))
        go_on.wait(10)
        return first_legal(batch)

    async def run() -> None:
        async with served(answer) as player:
            await player.connect()
            await player.open()
            for decision in asked:
                await player.send([decision])
            while not batches:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.2)
            go_on.set()
            await collect(player, len(asked))

    asyncio.run(run())
    assert sum(batches) == len(asked)
    assert len(batches) <= 3


def test_the_server_says_who_it_is_while_the_bot_thinks() -> None:
    go_on = threading.Event()

    def answer(batch: Sequence[Decision]) -> list[Answer]:
        go_on.wait(10)
        return first_legal(batch)

    async def run() -> BotInfo:
        server = BotServer(INFO, answer)
        port = await server.start()
        busy, visitor = GrpcPlayer("127.0.0.1", port), GrpcPlayer("127.0.0.1", port)
        await busy.connect()
        await busy.open()
        await busy.send(decisions(Rules(), games=1)[:1])
        info = await visitor.connect()
        go_on.set()
        await collect(busy, 1)
        for player in (busy, visitor):
            await player.close()
        await server.stop()
        return info

    assert asyncio.run(run()) == INFO


def test_an_exception_of_the_bot_ends_the_stream_as_a_crash(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def answer(batch: Sequence[Decision]) -> list[Answer]:
        raise KeyError("no such card")

    async def run() -> PlayerError:
        async with served(answer) as player:
            await player.connect()
            await player.open()
            await player.send(decisions(Rules(), games=1)[:1])
            with pytest.raises(PlayerError) as caught:
                await player.receive()
            return caught.value

    fault = asyncio.run(run())
    assert fault.cause == Cause.CRASH
    assert "KeyError: 'no such card'" in fault.detail
    assert "Traceback" in caplog.text


def test_a_decision_of_a_later_arena_is_refused_and_not_a_crash() -> None:
    (message,) = encode_decisions(decisions(Rules(), games=1)[:1])
    later = pb.PlayRequest.FromString(message)
    later.decisions.rules.stock_end = "reshuffle"

    async def run() -> grpc.aio.AioRpcError:
        server = BotServer(INFO, first_legal)
        port = await server.start()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            call = bot_pb2_grpc.BotServiceStub(channel).Play()
            await call.write(later)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await call.read()
        await server.stop()
        return caught.value

    error = asyncio.run(run())
    assert error.code() == grpc.StatusCode.FAILED_PRECONDITION
    assert "stock_end is 'reshuffle'" in str(error.details())


def test_a_key_is_proven_and_another_one_is_not_believed() -> None:
    async def run() -> BotInfo:
        server = BotServer(INFO, first_legal, key=b"secret")
        port = await server.start()
        right, wrong = (GrpcPlayer("127.0.0.1", port, key=key) for key in (b"secret", b"guess"))
        info = await right.connect()
        with pytest.raises(PlayerError, match="does not prove"):
            await wrong.connect()
        for player in (right, wrong):
            await player.close()
        await server.stop()
        return info

    assert asyncio.run(run()) == INFO


def test_a_taken_port_is_an_error_that_names_it() -> None:
    async def run() -> None:
        first = BotServer(INFO, first_legal)
        port = await first.start()
        second = BotServer(INFO, first_legal, port=port)
        with pytest.raises(OSError, match=rf"cannot listen on 127\.0\.0\.1:{port}"):
            await second.start()
        await second.stop()
        await first.stop()

    asyncio.run(run())


def test_wait_ends_when_the_server_is_stopped() -> None:
    async def run() -> None:
        server = BotServer(INFO, first_legal)
        await server.start()
        waiting = asyncio.create_task(server.wait())
        await asyncio.sleep(0)
        assert not waiting.done()
        await server.stop()
        await waiting

    asyncio.run(run())


# The bot from the .proto alone


@contextmanager
def protobot(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    command = [sys.executable, str(PROTOBOT), *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process, int(process.stdout.readline())
        finally:
            process.kill()


async def play_games(players: Sequence[GrpcPlayer], games: list[Game]) -> int:
    """Play all games at once, seat 0 by the first player; return the number of decisions."""
    count = 0
    open_games = dict(enumerate(games))
    while open_games:
        for seat, player in enumerate(players):
            asked = {
                count + index: game
                for index, game in enumerate(open_games.values(), start=1)
                if game.turn == seat
            }
            count += len(open_games)
            await player.send(
                [
                    Decision(number, f"t{number}", game.observe(seat), 30_000_000)
                    for number, game in asked.items()
                ]
            )
            for answer in await collect(player, len(asked)):
                assert answer.decision_id is not None
                assert answer.action is not None, answer.error
                asked[answer.decision_id].apply(answer.action, answer.declaration)
            open_games = {n: game for n, game in open_games.items() if not game.over}
    return count


@pytest.mark.parametrize(
    "rules",
    [
        Rules(),
        Rules.preset("oklahoma"),
        Rules.preset("straight", max_turns=30),
        Rules(stock_end="last_discard", knock_limit=2),
    ],
    ids=["classic", "oklahoma", "straight", "last-discard"],
)
def test_a_bot_from_the_proto_alone_plays_whole_games_without_a_fault(rules: Rules) -> None:
    games = [Game(rules, hashlib.sha256(b"%d" % number).digest()) for number in range(10)]

    async def run(ports: tuple[int, int]) -> list[BotInfo]:
        players = [GrpcPlayer("127.0.0.1", port, key=b"k") for port in ports]
        infos = [await player.connect() for player in players]
        for player in players:
            await player.open()
        await play_games(players, games)
        for player in players:
            await player.close()
        return infos

    with protobot("--key", "k") as (_, one), protobot("--key", "k", "--declare") as (_, other):
        infos = asyncio.run(run((one, other)))
    assert infos[0] == BotInfo("protobot", "1", ("classic", "modern"), 128)
    assert infos[1] == replace(infos[0], declares=True)
    assert all(game.over for game in games)


def test_that_bot_imports_nothing_of_the_arena() -> None:
    imports = re.findall(r"^(?:from|import) (\w+)", PROTOBOT.read_text(), re.MULTILINE)
    assert {"grpc", "ginarena"} <= set(imports)
    assert not {"arena", "worker", "dashboard"} & set(imports)


def test_a_killed_bot_is_a_disconnect() -> None:
    async def run(process: subprocess.Popen[str], port: int) -> PlayerError:
        player = GrpcPlayer("127.0.0.1", port)
        await player.connect()
        await player.open()
        await player.send(decisions(Rules(), games=1)[:1])
        assert [answer.action for answer in await player.receive()] == [PASS]
        process.kill()
        with pytest.raises(PlayerError) as caught:
            await player.receive()
        await player.close()
        return caught.value

    with protobot() as (process, port):
        assert asyncio.run(run(process, port)).cause == Cause.DISCONNECT
