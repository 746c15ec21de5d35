"""Peers that misbehave on script: gRPC servers over raw bytes, and plain sockets."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc
import grpc.aio
from ginarena.v1 import bot_pb2 as pb

Play = Callable[[AsyncIterator[bytes], Any], AsyncIterator[bytes]]
Info = Callable[[bytes, Any], Awaitable[bytes]]
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

INFO = pb.GetBotInfoResponse(name="scripted", version="1", max_tables=128).SerializeToString()


async def say_info(request: bytes, context: Any) -> bytes:
    return INFO


async def stay_silent(requests: AsyncIterator[bytes], context: Any) -> AsyncIterator[bytes]:
    async for _ in requests:
        pass
    return
    yield b""


@asynccontextmanager
async def grpc_bot(
    play: Play = stay_silent,
    *,
    info: Info = say_info,
    service: str = "ginarena.v1.BotService",
    compression: grpc.Compression | None = None,
) -> AsyncIterator[int]:
    """Serve a bot of the given behaviour on a free loopback port."""
    methods: dict[str, Any] = {
        "GetBotInfo": grpc.unary_unary_rpc_method_handler(info),
        "Play": grpc.stream_stream_rpc_method_handler(play),
    }
    options = (("grpc.max_send_message_length", -1),)
    server = grpc.aio.server(options=options, compression=compression)
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(service, methods)])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield port
    finally:
        await server.stop(None)


@asynccontextmanager
async def tcp_peer(talk: Talk) -> AsyncIterator[int]:
    """Listen on a free loopback port and treat every connection as the function says."""
    running: set[asyncio.Task[None]] = set()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        running.add(task)
        try:
            await talk(reader, writer)
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            running.discard(task)
            writer.transport.abort()

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in list(running):
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
