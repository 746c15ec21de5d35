"""The arena's side of the wire: one bot over gRPC, as the referee's player port."""

import asyncio
import hmac
import secrets
import time
from collections.abc import Sequence
from typing import Final

import grpc
import grpc.aio
from ginarena.v1 import bot_pb2 as pb
from google.protobuf.message import DecodeError

from arena.engine.errors import InvalidNotationError
from arena.referee.player import Answer, BotInfo, Decision
from arena.referee.verdict import Cause, PlayerError
from arena.rpc.address import is_loopback, target
from arena.rpc.codec import decode_answers, decode_info, encode_decisions
from arena.rpc.limits import MAX_RECEIVED, MAX_SENT, MAX_TEXT, TimeLimits
from arena.rpc.proof import proof

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
    ("grpc.max_reconnect_backoff_ms", 1_000),
)
_OWN_WRITE_FAILED: Final = "Internal error from Core"
"""Details of the status that grpcio itself sets when a write meets a stream that just broke."""
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
        self._opened_at = 0.0
        self._heard = False

    async def connect(self) -> BotInfo:
        """Connect and read the bot's info, its proof checked.

        Raises:
            PlayerError: UNREACHABLE, or REFUSED where the bot says that it will not play.
        """
        nonce = secrets.token_bytes(32)
        await self.close()
        # Despite its name the least backoff is also how long one try to connect may take.
        one_try = ("grpc.min_reconnect_backoff_ms", round(self._limits.connect * 1000))
        options = (*_OPTIONS, one_try)
        self._channel = grpc.aio.insecure_channel(self._target, options=options)
        ask: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = self._channel.unary_unary(_INFO)
        request = pb.GetBotInfoRequest(nonce=nonce).SerializeToString()
        try:
            data = await ask(request, timeout=self._limits.connect)
            message = pb.GetBotInfoResponse.FromString(data)
            info = decode_info(message)
        except grpc.aio.AioRpcError as error:
            raise _no_info(error.code(), error.details() or "") from None
        except (DecodeError, InvalidNotationError) as error:
            raise _unreachable(f"the bot's info is unreadable: {error}") from None
        if self._key and not hmac.compare_digest(message.proof, proof(self._key, nonce)):
            raise _unreachable("the bot at this address does not prove that it knows its key")
        return info

    async def open(self) -> None:
        """Open the stream of play, or a new one in place of a broken one.

        Raises:
            PlayerError: DISCONNECT, when the bot is not to be reached within the limit.
        """
        if self._channel is None:
            raise RuntimeError("open() before connect()")
        if self._call is not None:
            self._call.cancel()
        play: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = self._channel.stream_stream(_PLAY)
        self._opened_at = time.monotonic()
        call = self._call = play(timeout=self._limits.stream, wait_for_ready=True)
        try:
            async with asyncio.timeout(self._limits.reopen):
                await call.wait_for_connection()
        except TimeoutError:
            call.cancel()
            detail = f"no connection for a stream within {self._limits.reopen:g} s"
            raise PlayerError(Cause.DISCONNECT, detail) from None
        except grpc.aio.AioRpcError as error:
            raise self._fault(error.code(), error.details() or "") from None

    async def send(self, decisions: Sequence[Decision]) -> None:
        """Send decisions, in as many messages as the limits ask. One sender at a time.

        Raises:
            PlayerError: the stream is broken, or the bot does not read (TIMEOUT).
        """
        call = self._stream()
        for message in encode_decisions(decisions):
            try:
                async with asyncio.timeout(self._limits.write):
                    await call.write(message)
            except TimeoutError:
                detail = f"the bot did not read for {self._limits.write:g} s"
                raise PlayerError(Cause.TIMEOUT, detail) from None
            except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
                raise await self._ended(call) from None

    async def receive(self) -> Sequence[Answer]:
        """Wait for the bot's next message and return its answers.

        Raises:
            PlayerError: the stream ended, the cause by its status.
        """
        call = self._stream()
        try:
            data = await call.read()
        except grpc.aio.AioRpcError:
            raise await self._ended(call) from None
        if not isinstance(data, bytes):
            raise await self._ended(call)
        self._heard = True
        return decode_answers(data)

    async def close(self) -> None:
        """End the stream and the channel; never raises for the bot's faults."""
        call, channel = self._call, self._channel
        self._call = self._channel = None
        if call is not None:
            call.cancel()
        if channel is not None:
            await channel.close()

    def _stream(self) -> "grpc.aio.StreamStreamCall[bytes, bytes]":
        if self._call is None:
            raise RuntimeError("no stream: open() comes first")
        return self._call

    async def _ended(self, call: "grpc.aio.StreamStreamCall[bytes, bytes]") -> Exception:
        code, details = await call.code(), await call.details()
        if call is not self._call:
            return RuntimeError("the stream was closed by the arena itself")
        return self._fault(code, details or "")

    def _fault(self, code: grpc.StatusCode, details: str) -> Exception:
        """What a stream's status means (R10.6)."""
        overdue = time.monotonic() - self._opened_at >= self._limits.stream
        if overdue and code == grpc.StatusCode.DEADLINE_EXCEEDED:
            return TimeoutError(
                f"a stream was open for {self._limits.stream:g} s, the arena's limit"
            )
        if code == grpc.StatusCode.FAILED_PRECONDITION and not self._heard:
            return PlayerError(Cause.REFUSED, details or "the bot will not play now")
        cause = _CAUSES.get(code, Cause.CRASH)
        if details == _OWN_WRITE_FAILED:
            cause = Cause.DISCONNECT
        said = f"the stream ended with {code.name}"
        return PlayerError(cause, f"{said}: {details[:MAX_TEXT]}" if details else said)


def _no_info(code: grpc.StatusCode, details: str) -> PlayerError:
    if code == grpc.StatusCode.FAILED_PRECONDITION:
        return PlayerError(Cause.REFUSED, details or "the bot will not play now")
    if code == grpc.StatusCode.UNIMPLEMENTED:
        return _unreachable(f"no bot of ginarena.v1 there: {details}")
    return _unreachable(f"GetBotInfo ended with {code.name}: {details}")


def _unreachable(detail: str) -> PlayerError:
    return PlayerError(Cause.UNREACHABLE, detail)
