"""A bot played in process: the player port without a network."""

import asyncio
import contextlib
import queue
import threading
import traceback
from collections.abc import Sequence
from typing import TypeAlias

from arena.referee.player import Answer, BotInfo, Decision
from arena.referee.verdict import Cause, PlayerError
from arena.sdk.answers import answer
from arena.sdk.bot import Bot

_Result: TypeAlias = list[Answer] | PlayerError


class LocalPlayer:
    """A `Player` that asks a `Bot` in a thread of its own, so that the clock runs on beside it."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._session: _Session | None = None

    async def connect(self) -> BotInfo:
        """Return the bot's info.

        Raises:
            PlayerError: CRASH, the bot's own `info` raised.
        """
        try:
            return self._bot.info()
        except Exception as error:
            raise PlayerError(Cause.CRASH, describe_crash(error)) from error

    async def open(self) -> None:
        """Start asking afresh; answers still outstanding are dropped."""
        await self.close()
        self._session = _Session(self._bot)

    async def send(self, decisions: Sequence[Decision]) -> None:
        """Hand the decisions to the bot's thread.

        Raises:
            PlayerError: DISCONNECT, the player is not open.
        """
        self._opened().inbox.put(list(decisions))

    async def receive(self) -> Sequence[Answer]:
        """Wait for the answers to the batch sent first.

        Raises:
            PlayerError: CRASH, a method of the bot raised; DISCONNECT, the player is not open.
        """
        result = await self._opened().outbox.get()
        if isinstance(result, PlayerError):
            raise result
        return result

    async def close(self) -> None:
        """Let the bot's thread end; a call that never returns is left behind."""
        if self._session is not None:
            self._session.inbox.put(None)
            self._session = None

    def _opened(self) -> "_Session":
        if self._session is None:
            raise PlayerError(Cause.DISCONNECT, "the player is not open")
        return self._session


class _Session:
    """One open stream: a daemon thread between two queues, so that a hung bot holds up nothing."""

    def __init__(self, bot: Bot) -> None:
        self.inbox: queue.SimpleQueue[list[Decision] | None] = queue.SimpleQueue()
        self.outbox: asyncio.Queue[_Result] = asyncio.Queue()
        self._bot = bot
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._run, name=f"bot {bot.name}", daemon=True).start()

    def _run(self) -> None:
        while (decisions := self.inbox.get()) is not None:
            result = self._ask(decisions)
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits
                self._loop.call_soon_threadsafe(self.outbox.put_nowait, result)

    def _ask(self, decisions: list[Decision]) -> _Result:
        try:
            return answer(self._bot, decisions)
        except Exception as error:
            return PlayerError(Cause.CRASH, describe_crash(error))


def describe_crash(error: BaseException) -> str:
    """Return an exception and where it was raised in one line, for the evidence."""
    frames = traceback.extract_tb(error.__traceback__)
    what = traceback.format_exception_only(error)[-1].strip()
    if not frames:
        return what
    last = frames[-1]
    where = f"{last.filename.rpartition('/')[2]}:{last.lineno} in {last.name}"
    return f"{where}: {what}: {last.line}"
