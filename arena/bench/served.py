"""A process that a benchmark starts: a bot, or a bare echo, that tells its own CPU time.

``python -m arena.bench.served simple`` prints its port. For each line on standard input it prints
the CPU time it has used, in seconds; at the end of the input it stops.
"""

import asyncio
import functools
import sys
import time
from collections.abc import AsyncIterator
from typing import Any, Final

import grpc
import grpc.aio

from arena.rpc.server import BotServer
from arena.sdk.answers import answer
from arena.sdk.load import load_bot

ECHO: Final = "echo"
"""In place of a bot: a stream that sends back every message at once."""
ECHO_METHOD: Final = "/ginarena.bench.Echo/Echo"
_REPLY: Final = b"\x0a\x09\x0a\x07\x08\x80\x01\x18\x04\x22\x00"
"""As long as the answer to one decision."""


async def _echo(requests: AsyncIterator[bytes], context: Any) -> AsyncIterator[bytes]:
    async for _ in requests:
        yield _REPLY


async def _start_echo() -> tuple[grpc.aio.Server, int]:
    server = grpc.aio.server()
    method: Any = grpc.stream_stream_rpc_method_handler(_echo)
    service, name = ECHO_METHOD[1:].split("/")
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(service, {name: method})])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    return server, port


async def _start_bot(spec: str) -> tuple[BotServer, int]:
    bot = load_bot(spec)
    server = BotServer(bot.info(), functools.partial(answer, bot))
    return server, await server.start()


async def _serve(spec: str) -> None:
    server, port = await (_start_echo() if spec == ECHO else _start_bot(spec))
    _say(str(port))
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, sys.stdin.readline):
        _say(repr(time.process_time()))
    await server.stop(grace=0.2)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(_serve(sys.argv[1]))
