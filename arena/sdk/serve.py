"""Serve a bot over gRPC, so that an arena can play it."""

import asyncio
import functools
import signal
from typing import Final

from arena.sdk.answers import answer
from arena.sdk.bot import Bot
from arena.sdk.load import LOADING, BotLoadError

_GRACE: Final = 0.5
"""Seconds that open streams have to end once the server stops."""


def serve(bot: Bot, *, host: str = "127.0.0.1", port: int = 0, key: bytes = b"") -> None:
    """Serve the bot until SIGTERM or Ctrl-C, and print the address once it listens.

    Args:
        bot: the bot.
        host: the IP address to listen on; the default is for this machine only.
        port: the port to listen on; 0 takes a free one.
        key: the secret that proves to an arena who the bot is.

    Raises:
        BotLoadError: the file of the bot is being loaded by a command that plays it itself.
        OSError: the port is taken, or the address is not this machine's.
    """
    if LOADING.get():
        raise BotLoadError('put serve(…) under if __name__ == "__main__":')
    asyncio.run(_serve(bot, host=host, port=port, key=key))


async def _serve(bot: Bot, *, host: str, port: int, key: bytes) -> None:
    from arena.rpc.server import BotServer  # grpc is slow to import, and local play needs none

    info = bot.info()
    server = BotServer(info, functools.partial(answer, bot), host=host, port=port, key=key)
    port = await server.start()
    print(f"{info.name} {info.version} listens on {host}:{port}", flush=True)  # noqa: T201
    stop = asyncio.Event()
    _on_signals(stop)
    await stop.wait()
    await server.stop(grace=_GRACE)


def _on_signals(stop: asyncio.Event) -> None:
    """Set the event on SIGTERM and SIGINT; where the loop takes no handlers, plain ones do."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))
