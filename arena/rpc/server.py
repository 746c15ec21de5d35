"""A bot's side of the wire: a gRPC server over one function that answers decisions."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeAlias

import grpc
import grpc.aio
from ginarena.v1 import bot_pb2 as pb
from ginarena.v1 import bot_pb2_grpc

from arena.engine.errors import GinArenaError
from arena.referee.player import Answer, BotInfo, Decision
from arena.rpc.codec import decode_decisions, encode_answers, encode_info
from arena.rpc.limits import MAX_RECEIVED, MAX_SENT, MAX_TEXT
from arena.rpc.proof import proof

Answerer: TypeAlias = Callable[[Sequence[Decision]], Sequence[Answer]]
"""Answers a batch of decisions; it may raise, which ends the stream as a crash."""

_LOG: Final = logging.getLogger(__name__)
_STREAMS: Final = 64
"""Calls at once: streams of matches that run beside each other, and the info."""
_OPTIONS: Final = (
    ("grpc.max_receive_message_length", MAX_SENT),
    ("grpc.max_send_message_length", MAX_RECEIVED),
    ("grpc.so_reuseport", 0),
    ("grpc.http2.min_ping_interval_without_data_ms", 30_000),
)


class BotServer:
    """Serves one bot; use it within one event loop.

    Batches are answered one at a time, whatever the number of streams, in a thread of their own,
    so that the server stays alive while the bot thinks.

    Args:
        info: what `GetBotInfo` says.
        answer: called with all decisions that have arrived on a stream.
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
        self._host, self._port = host, port
        self._address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="bot")
        self._server = grpc.aio.server(options=_OPTIONS, maximum_concurrent_rpcs=_STREAMS)
        service = _Service(info, answer, key=key, thread=self._thread)
        bot_pb2_grpc.add_BotServiceServicer_to_server(service, self._server)

    async def start(self) -> int:
        """Listen; return the port.

        Raises:
            OSError: the port is taken or the address is not this machine's.
        """
        try:
            self._try_socket()
            port = self._server.add_insecure_port(self._address)
        except (OSError, RuntimeError):
            raise OSError(f"cannot listen on {self._address}: taken, or no address here") from None
        await self._server.start()
        return port

    def _try_socket(self) -> None:
        """Listen for a moment with a plain socket: gRPC itself would log why it cannot."""
        family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
        socket.create_server((self._host, self._port), family=family).close()

    async def wait(self) -> None:
        """Wait until the server is stopped."""
        await self._server.wait_for_termination()

    async def stop(self, *, grace: float = 1.0) -> None:
        """Stop: no new streams; open ones have `grace` seconds to end."""
        await self._server.stop(grace)
        self._thread.shutdown(wait=False, cancel_futures=True)


class _NotUnderstoodError(Exception):
    """A decision of a later arena than this server knows: no fault of the bot's."""


class _Service(bot_pb2_grpc.BotServiceServicer):
    def __init__(
        self, info: BotInfo, answer: Answerer, *, key: bytes, thread: ThreadPoolExecutor
    ) -> None:
        self._info = info
        self._answer = answer
        self._key = key
        self._thread = thread

    async def GetBotInfo(  # noqa: N802 - the service's own name
        self, request: pb.GetBotInfoRequest, context: object
    ) -> pb.GetBotInfoResponse:
        return encode_info(self._info, proof(self._key, request.nonce))

    async def Play(  # noqa: N802 - the service's own name
        self,
        request_iterator: AsyncIterator[pb.PlayRequest],
        context: "grpc.aio.ServicerContext[pb.PlayRequest, pb.PlayResponse]",
    ) -> AsyncIterator[pb.PlayResponse]:
        loop = asyncio.get_running_loop()
        async for requests in _arrivals(request_iterator):
            try:
                responses = await loop.run_in_executor(self._thread, self._respond, requests)
            except _NotUnderstoodError as error:
                await context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(error)[:MAX_TEXT])
            except Exception as error:
                _LOG.exception("the bot failed to answer; the stream ends")
                text = f"{type(error).__name__}: {error}"[:MAX_TEXT]
                await context.abort(grpc.StatusCode.INTERNAL, text)
            for response in responses:
                yield response

    def _respond(self, requests: Sequence[pb.PlayRequest]) -> list[pb.PlayResponse]:
        try:
            decisions = [decision for request in requests for decision in decode_decisions(request)]
        except GinArenaError as error:
            raise _NotUnderstoodError(f"this bot does not know what it is asked: {error}") from None
        return encode_answers(self._answer(decisions))


async def _arrivals(stream: AsyncIterator[pb.PlayRequest]) -> AsyncIterator[list[pb.PlayRequest]]:
    """Yield all messages that came since the last time, at least one, until the stream ends."""
    came: list[pb.PlayRequest] = []
    news = asyncio.Event()

    async def read() -> None:
        try:
            async for request in stream:
                came.append(request)
                news.set()
        finally:
            news.set()

    reader = asyncio.create_task(read())
    try:
        while came or not reader.done():
            await news.wait()
            news.clear()
            if came:
                requests, came[:] = came[:], []
                yield requests
        await reader
    finally:
        reader.cancel()
