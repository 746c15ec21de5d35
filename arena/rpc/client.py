"""The arena's side of the wire: one bot over gRPC, as the referee's player port."""

from collections.abc import Sequence
from typing import Final

import grpc
import grpc.aio

from arena.referee.player import Answer, BotInfo, Decision
from arena.referee.verdict import Cause
from arena.rpc.address import is_loopback, target
from arena.rpc.limits import MAX_RECEIVED, MAX_SENT, TimeLimits

_INFO: Final = "/ginarena.v1.BotService/GetBotInfo"
_PLAY: Final = "/ginarena.v1.BotService/Play"
_OPTIONS: Final = (
    ("grpc.max_receive_message_length", MAX_RECEIVED),
    ("grpc.max_send_message_length", MAX_SENT),
    ("grpc.max_metadata_size", 4096),
    ("grpc.enable_http_proxy", 0),
    ("grpc.service_config_disable_resolution", 1),
    ("grpc.enable_retries", 0),
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 1_000),
    ("grpc.max_reconnect_backoff_ms", 1_000),
)
_CAUSES: Final = {
    grpc.StatusCode.OK: Cause.DISCONNECT,
    grpc.StatusCode.UNAVAILABLE: Cause.DISCONNECT,
    grpc.StatusCode.RESOURCE_EXHAUSTED: Cause.PROTOCOL_ERROR,
}
"""Cause by the status a stream ended with (R10.6); every other one is a CRASH."""


class GrpcPlayer:
    """A bot that is a gRPC server; implements `arena.referee.player.Player`.

    Make it and use it within one event loop, in the process that plays the match: a channel does
    not survive a fork.

    Args:
        host: an IP address in canonical form; names are resolved before (`arena.rpc.address`).
        port: 1 to 65535.
        key: the secret that the bot was registered with; it has to prove that it knows it. It may
            be empty on loopback only.
        limits: how long to wait for the bot.

    Raises:
        ValueError: a host or port of another form, or no key for a bot elsewhere.
    """

    def __init__(
        self, host: str, port: int, *, key: bytes = b"", limits: TimeLimits | None = None
    ) -> None:
        if not key and not is_loopback(host):
            raise ValueError(f"the bot at {host} needs a key; only bots on loopback go without")
        self._target = target(host, port)
        self._key = key
        self._limits = limits or TimeLimits()
        self._channel: grpc.aio.Channel | None = None
        self._call: grpc.aio.StreamStreamCall[bytes, bytes] | None = None
        self._heard = False

    async def connect(self) -> BotInfo:
        """Connect and read the bot's info, its proof checked.

        Raises:
            PlayerError: UNREACHABLE, or REFUSED where the bot says that it will not play.
        """
        raise NotImplementedError

    async def open(self) -> None:
        """Open the stream of play, or a new one in place of a broken one.

        Raises:
            PlayerError: DISCONNECT, when the bot is not to be reached within the limit.
        """
        raise NotImplementedError

    async def send(self, decisions: Sequence[Decision]) -> None:
        """Send decisions, in as many messages as the limits ask. One sender at a time.

        Raises:
            PlayerError: the stream is broken, or the bot does not read (TIMEOUT).
        """
        raise NotImplementedError

    async def receive(self) -> Sequence[Answer]:
        """Wait for the bot's next message and return its answers.

        Raises:
            PlayerError: the stream ended, the cause by its status.
        """
        raise NotImplementedError

    async def close(self) -> None:
        """End the stream and the channel; never raises for the bot's faults."""
        raise NotImplementedError
