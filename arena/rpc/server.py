"""A bot's side of the wire: a gRPC server over one function that answers decisions."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from arena.referee.player import Answer, BotInfo, Decision

Answerer: TypeAlias = Callable[[Sequence[Decision]], Sequence[Answer]]
"""Answers a batch of decisions; it may raise, which ends the stream as a crash."""


class BotServer:
    """Serves one bot; use it within one event loop.

    Args:
        info: what `GetBotInfo` says.
        answer: called with every batch that arrives, on the event loop.
        host: the IP address to listen on.
        port: the port to listen on; 0 takes a free one, which `start` returns.
        key: the secret that proves who the bot is.
    """

    def __init__(
        self,
        info: BotInfo,
        answer: Answerer,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        key: bytes = b"",
    ) -> None:
        raise NotImplementedError

    async def start(self) -> int:
        """Listen; return the port.

        Raises:
            OSError: the port is taken or the address is not this machine's.
        """
        raise NotImplementedError

    async def wait(self) -> None:
        """Wait until the server is stopped."""
        raise NotImplementedError

    async def stop(self, *, grace: float = 1.0) -> None:
        """Stop: no new streams, open ones have `grace` seconds to end."""
        raise NotImplementedError
