"""Faults of a bot at the other end of the wire, each with its cause (R10.6)."""

import asyncio
import gzip
import socket
import struct
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

import grpc
import pytest
from ginarena.v1 import bot_pb2 as pb

from arena.engine.actions import PASS
from arena.engine.rules import Rules
from arena.referee.player import Decision
from arena.referee.verdict import Cause, PlayerError
from arena.rpc.client import GrpcPlayer
from arena.rpc.limits import MAX_RECEIVED, TimeLimits
from tests.integration.scripted import INFO, Info, Play, Talk, grpc_bot, tcp_peer
from tests.unit.rpc.positions import decisions

SHORT = TimeLimits(connect=0.5, reopen=0.5, write=0.5)
PASSING = pb.PlayResponse(
    answers=pb.AnswerBatch(answers=[pb.Answer(decision_id=1, kind=pb.ACTION_KIND_PASS)])
).SerializeToString()


def ask(count: int = 1) -> list[Decision]:
    return decisions(Rules(), games=1)[:count]


@asynccontextmanager
async def player(port: int, limits: TimeLimits = SHORT) -> AsyncIterator[GrpcPlayer]:
    one = GrpcPlayer("127.0.0.1", port, limits=limits)
    try:
        yield one
    finally:
        await one.close()


async def fault_of(awaitable: Awaitable[object]) -> PlayerError:
    with pytest.raises(PlayerError) as caught:
        await awaitable
    return caught.value


# Connecting


async def connect_fault(port: int) -> PlayerError:
    began = time.monotonic()
    async with player(port) as one:
        fault = await fault_of(one.connect())
    assert time.monotonic() - began < 10 * SHORT.connect
    return fault


async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(-1)


async def speak_http1(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(24)
    writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
    await writer.drain()


async def want_tls(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(24)
    writer.write(b"\x15\x03\x01\x00\x02\x02\x46")
    await writer.drain()


async def stop_half_way(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"\x00\x00\x00\x04\x00\x00\x00\x00\x00")
    await writer.drain()
    await reader.read(-1)


async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    return


@pytest.mark.parametrize("talk", [say_nothing, speak_http1, want_tls, stop_half_way, hang_up])
def test_a_port_without_grpc_is_unreachable_within_the_limit(talk: Talk) -> None:
    async def run() -> PlayerError:
        async with tcp_peer(talk) as port:
            return await connect_fault(port)

    assert asyncio.run(run()).cause == Cause.UNREACHABLE


def test_a_closed_port_is_unreachable() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        fault = asyncio.run(connect_fault(taken.getsockname()[1]))
    assert fault.cause == Cause.UNREACHABLE
    assert "UNAVAILABLE" in fault.detail


def test_another_service_is_unreachable_and_named_as_such() -> None:
    async def run() -> PlayerError:
        async with grpc_bot(service="ginarena.v9.BotService") as port:
            return await connect_fault(port)

    fault = asyncio.run(run())
    assert (fault.cause, "no bot of ginarena.v1" in fault.detail) == (Cause.UNREACHABLE, True)


async def info_refused(request: bytes, context: Any) -> bytes:
    await context.abort(grpc.StatusCode.FAILED_PRECONDITION, "this bot speaks ginarena.v2 only")
    return b""


async def info_garbage(request: bytes, context: Any) -> bytes:
    return b"\xff\xff"


async def info_nameless(request: bytes, context: Any) -> bytes:
    return pb.GetBotInfoResponse(version="1").SerializeToString()


async def info_huge(request: bytes, context: Any) -> bytes:
    return pb.GetBotInfoResponse(name="x" * 2 * MAX_RECEIVED).SerializeToString()


async def info_late(request: bytes, context: Any) -> bytes:
    await asyncio.sleep(20 * SHORT.connect)
    return INFO


@pytest.mark.parametrize(
    ("info", "cause", "words"),
    [
        (info_refused, Cause.REFUSED, "this bot speaks ginarena.v2 only"),
        (info_garbage, Cause.UNREACHABLE, "info is unreadable"),
        (info_nameless, Cause.UNREACHABLE, "the name is ''"),
        (info_huge, Cause.UNREACHABLE, "RESOURCE_EXHAUSTED"),
        (info_late, Cause.UNREACHABLE, "DEADLINE_EXCEEDED"),
    ],
)
def test_what_is_wrong_with_the_info_is_said(info: Info, cause: Cause, words: str) -> None:
    async def run() -> PlayerError:
        async with grpc_bot(info=info) as port:
            return await connect_fault(port)

    fault = asyncio.run(run())
    assert fault.cause == cause
    assert words in fault.detail


# Playing


async def stream_fault(play: Play, *, heard: int = 0, **bot: Any) -> PlayerError:
    """Ask one decision, take the given number of messages, and return the fault that follows."""
    async with grpc_bot(play, **bot) as port, player(port) as one:
        await one.connect()
        await one.open()
        await one.send(ask())
        for _ in range(heard):
            await one.receive()
        return await fault_of(one.receive())


def ending_with(code: grpc.StatusCode, text: str = "words", *, answers: int = 0) -> Play:
    async def play(requests: AsyncIterator[bytes], context: Any) -> AsyncIterator[bytes]:
        async for _ in requests:
            for _ in range(answers):
                yield PASSING
            await context.abort(code, text)

    return play


CRASHES = [
    code
    for code in grpc.StatusCode
    if code.name not in ("OK", "UNAVAILABLE", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION")
]


@pytest.mark.parametrize("code", CRASHES, ids=lambda code: str(code.name))
def test_an_error_status_is_a_crash(code: grpc.StatusCode) -> None:
    fault = asyncio.run(stream_fault(ending_with(code)))
    assert fault.cause == Cause.CRASH
    assert fault.detail == f"the stream ended with {code.name}: words"


@pytest.mark.parametrize(
    ("code", "answers", "cause"),
    [
        (grpc.StatusCode.UNAVAILABLE, 0, Cause.DISCONNECT),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, 0, Cause.PROTOCOL_ERROR),
        (grpc.StatusCode.FAILED_PRECONDITION, 0, Cause.REFUSED),
        (grpc.StatusCode.FAILED_PRECONDITION, 1, Cause.CRASH),
    ],
)
def test_other_statuses_have_causes_of_their_own(
    code: grpc.StatusCode, answers: int, cause: Cause
) -> None:
    play = ending_with(code, answers=answers)
    assert asyncio.run(stream_fault(play, heard=answers)).cause == cause


async def leave(requests: AsyncIterator[bytes], context: Any) -> AsyncIterator[bytes]:
    async for _ in requests:
        yield PASSING
        return


async def raise_error(requests: AsyncIterator[bytes], context: Any) -> AsyncIterator[bytes]:
    async for _ in requests:
        raise ZeroDivisionError("in the bot")
    yield b""


async def send_too_much(requests: AsyncIterator[bytes], context: Any) -> AsyncIterator[bytes]:
    async for _ in requests:
        yield bytes(5 * 1024 * 1024)


def test_a_stream_that_ends_is_a_disconnect() -> None:
    assert asyncio.run(stream_fault(leave, heard=1)).cause == Cause.DISCONNECT


def test_an_exception_in_the_bot_is_a_crash() -> None:
    assert asyncio.run(stream_fault(raise_error)).cause == Cause.CRASH


def test_an_oversized_message_is_a_protocol_error() -> None:
    assert asyncio.run(stream_fault(send_too_much)).cause == Cause.PROTOCOL_ERROR


def test_a_compression_bomb_is_a_protocol_error() -> None:
    assert len(gzip.compress(bytes(5 * 1024 * 1024))) < MAX_RECEIVED
    fault = asyncio.run(stream_fault(send_too_much, compression=grpc.Compression.Gzip))
    assert fault.cause == Cause.PROTOCOL_ERROR


def test_a_long_status_text_is_cut() -> None:
    fault = asyncio.run(stream_fault(ending_with(grpc.StatusCode.UNKNOWN, "y" * 3000)))
    assert len(fault.detail) == 200


def test_control_characters_of_a_status_text_are_escaped() -> None:
    fault = asyncio.run(stream_fault(ending_with(grpc.StatusCode.UNKNOWN, "a \x1b[31mred\r\nb")))
    assert fault.detail == r"the stream ended with UNKNOWN: a \x1b[31mred\r\nb"
    assert str(fault).isprintable()


async def babble(requests: AsyncIterator[bytes], context: Any) -> AsyncIterator[bytes]:
    async for _ in requests:
        yield b"\xff garbage"
        yield b""
        yield PASSING


def test_garbage_is_an_unreadable_answer_and_the_stream_stays_open() -> None:
    async def run() -> None:
        async with grpc_bot(babble) as port, player(port) as one:
            await one.connect()
            await one.open()
            for _ in range(2):
                await one.send(ask())
                for error in ("does not parse", "holds 0 answers"):
                    (answer,) = await one.receive()
                    assert answer.decision_id is None
                    assert error in answer.error
                (answer,) = await one.receive()
                assert (answer.decision_id, answer.action) == (1, PASS)

    asyncio.run(run())


async def never_read(requests: AsyncIterator[bytes], context: Any) -> AsyncIterator[bytes]:
    await asyncio.sleep(60)
    yield b""


def test_a_bot_that_does_not_read_times_out_a_write() -> None:
    async def run() -> PlayerError:
        async with grpc_bot(never_read) as port, player(port) as one:
            await one.connect()
            await one.open()

            batch = ask(100)

            async def flood() -> None:
                for _ in range(2000):
                    await one.send(batch)

            return await fault_of(flood())

    fault = asyncio.run(run())
    assert fault.cause == Cause.TIMEOUT
    assert fault.detail == "the bot did not read for 0.5 s"


def test_a_write_to_a_broken_stream_names_the_cause_of_the_break() -> None:
    async def run() -> PlayerError:
        async with grpc_bot(ending_with(grpc.StatusCode.DATA_LOSS)) as port, player(port) as one:
            await one.connect()
            await one.open()

            async def insist() -> None:
                for _ in range(1000):
                    await one.send(ask())
                    await asyncio.sleep(0.01)

            return await fault_of(insist())

    assert asyncio.run(run()).cause == Cause.CRASH


def test_a_stream_is_opened_again_after_a_break() -> None:
    async def run() -> None:
        async with grpc_bot(leave) as port, player(port) as one:
            await one.connect()
            for _ in range(3):
                await one.open()
                await one.send(ask())
                assert [answer.action for answer in await one.receive()] == [PASS]
                assert (await fault_of(one.receive())).cause == Cause.DISCONNECT

    asyncio.run(run())


def test_a_bot_that_is_gone_cannot_be_reopened() -> None:
    async def run() -> list[Cause]:
        async with grpc_bot() as port:
            one = GrpcPlayer("127.0.0.1", port, limits=SHORT)
            await one.connect()
            await one.open()
        try:
            return [(await fault_of(call())).cause for call in (one.receive, one.open)]
        finally:
            await one.close()

    assert asyncio.run(run()) == [Cause.DISCONNECT, Cause.DISCONNECT]


async def pipe(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    while data := await source.read(65536):
        sink.write(data)
        await sink.drain()


async def forward(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int, *, cut: asyncio.Event
) -> None:
    """Carry a connection on to a port until a side ends it or it is cut, then reset both."""
    upstream, downstream = await asyncio.open_connection("127.0.0.1", port)
    ways = [pipe(reader, downstream), pipe(upstream, writer), cast("Any", cut.wait())]
    tasks = [asyncio.create_task(way) for way in ways]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        reset(writer)
        reset(downstream)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def test_a_connection_reset_between_question_and_answer_is_asked_again() -> None:
    """B4: the proxy resets the connection after the question; the reopened stream goes on."""
    resets = asyncio.Event()

    async def answer_when_whole(
        requests: AsyncIterator[bytes], context: Any
    ) -> AsyncIterator[bytes]:
        async for _ in requests:
            if not resets.is_set():
                resets.set()
                await asyncio.sleep(60)
            yield PASSING

    async def run() -> None:
        async with grpc_bot(answer_when_whole) as bot_port:

            async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                cut = asyncio.Event() if resets.is_set() else resets
                await forward(reader, writer, bot_port, cut=cut)

            async with tcp_peer(proxy) as port, player(port) as one:
                await one.connect()
                await one.open()
                await one.send(ask())
                assert (await fault_of(one.receive())).cause == Cause.DISCONNECT
                await one.open()
                await one.send(ask())
                assert [answer.action for answer in await one.receive()] == [PASS]

    asyncio.run(run())


def reset(writer: asyncio.StreamWriter) -> None:
    linger_not = struct.pack("ii", 1, 0)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger_not)
    writer.transport.abort()


def test_r10_5_a_slow_handshake_is_waited_for_also_at_the_reopening() -> None:
    cut = asyncio.Event()

    async def run() -> None:
        async with grpc_bot(leave) as bot_port:

            async def slow_proxy(
                reader: asyncio.StreamReader, writer: asyncio.StreamWriter
            ) -> None:
                await asyncio.sleep(1.5)
                await forward(reader, writer, bot_port, cut=cut)

            async with tcp_peer(slow_proxy) as port, player(port, TimeLimits()) as one:
                await one.connect()
                await one.open()
                cut.set()
                assert (await fault_of(one.receive())).cause == Cause.DISCONNECT
                cut.clear()
                await one.open()
                await one.send(ask())
                assert [answer.action for answer in await one.receive()] == [PASS]

    asyncio.run(run())


# The arena's own errors convict nobody


async def own_error(limits: TimeLimits, after: Callable[[GrpcPlayer], Awaitable[None]]) -> object:
    async with grpc_bot() as port, player(port, limits) as one:
        await one.connect()
        await one.open()
        waiting = asyncio.create_task(one.receive())
        await after(one)
        (result,) = await asyncio.gather(waiting, return_exceptions=True)
        return result


def test_the_deadline_of_a_stream_is_no_fault_of_the_bot() -> None:
    async def wait(one: GrpcPlayer) -> None:
        await asyncio.sleep(0)

    error = asyncio.run(own_error(TimeLimits(stream=0.3), wait))
    assert isinstance(error, TimeoutError)
    assert "the arena's limit" in str(error)


def test_closing_while_a_read_waits_is_no_fault_of_the_bot() -> None:
    async def close(one: GrpcPlayer) -> None:
        await asyncio.sleep(0.05)
        await one.close()

    error = asyncio.run(own_error(SHORT, close))
    assert isinstance(error, asyncio.CancelledError | RuntimeError)
    assert not isinstance(error, PlayerError)


def test_calls_out_of_order_say_what_comes_first() -> None:
    async def run() -> None:
        async with player(7000) as one:
            with pytest.raises(RuntimeError, match="connect"):
                await one.open()
            with pytest.raises(RuntimeError, match="open"):
                await one.receive()
            await one.close()
            await one.close()

    asyncio.run(run())


async def ended_streams(count: int) -> int:
    async with grpc_bot(leave) as port:
        for _ in range(count):
            async with player(port) as one:
                await one.connect()
                await one.open()
                await one.send(ask())
                await one.receive()
    async with asyncio.timeout(30):
        while len(asyncio.all_tasks()) > 1:
            await asyncio.sleep(0.01)
    return len(asyncio.all_tasks())


def test_a_closed_player_leaves_no_task_behind() -> None:
    assert asyncio.run(ended_streams(5)) == 1
