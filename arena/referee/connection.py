"""One bot in a match: its stream, what it was asked, its clock, its conduct."""

import asyncio
import contextlib
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Final

from arena.referee.clock import BotClock
from arena.referee.player import Answer, BotInfo, Decision, Player
from arena.referee.table import Table
from arena.referee.verdict import Cause, PlayerError
from arena.schedule.plan import TimeControl

MAX_BREAKS: Final = 2
"""How often in a match a broken stream is reopened (R10.2)."""
_CLOSE_S: Final = 5.0
"""How long a player may take to release what it holds, seconds."""
RETRY_S: Final = 0.05
"""First pause between two tries to reopen a stream, seconds; doubled each time."""
MAX_RETRY_S: Final = 1.0
"""Longest such pause, seconds."""
HOLD_S: Final = 0.01
"""Longest time that decisions gather into one batch while their own bot is busy, seconds."""


@dataclass(slots=True)
class Conduct:
    """What the referee remembers of a bot through a whole match."""

    decisions: int = 0
    """Decisions asked, and the id of the last one."""
    answered: int = 0
    """Answers that were accepted or refused."""
    ignored: int = 0
    """Answers to unknown or answered decisions."""
    breaks: int = 0
    """How often its stream broke."""
    idle_breaks: int = 0
    """How often its stream broke while it sat out at all tables (R7.7)."""
    incidents: int = 0
    """Games forfeited alone, and losses of all open games together (R10.2)."""


@dataclass(slots=True)
class Asked:
    """A decision outstanding at a bot."""

    decision: Decision
    table: Table
    at_us: int
    """When it was asked."""


@dataclass(frozen=True, slots=True)
class Reopened:
    """The broken stream of a bot is open again."""


Letter = tuple["Connection", int, Sequence[Answer] | Reopened | Exception]
"""Who reports, in which life of its stream, and what."""


class Mailbox:
    """The one queue of a session: everything that bots do arrives here."""

    def __init__(self) -> None:
        self._letters: list[Letter] = []
        self._arrived = asyncio.Event()

    def put(self, letter: Letter) -> None:
        """Add a letter."""
        self._letters.append(letter)
        self._arrived.set()

    async def drain(self, wait_us: int | None) -> list[Letter]:
        """Return all that arrived; wait for the first, at most `wait_us` (None: for ever)."""
        timer = None
        if wait_us is not None:
            loop = asyncio.get_running_loop()
            timer = loop.call_later(max(wait_us, 0) / 1e6, self._arrived.set)
        await self._arrived.wait()
        if timer is not None:
            timer.cancel()
        self._arrived.clear()
        letters, self._letters = self._letters, []
        return letters


class Connection:
    """A player with its tasks: one receives, one sends, so that a slow write holds nobody up."""

    def __init__(
        self, index: int, player: Player, *, control: TimeControl, conduct: Conduct
    ) -> None:
        self.index = index
        self.info = BotInfo("", "", ())
        self.conduct = conduct
        self.asked: dict[int, Asked] = {}
        """Outstanding decisions by id, the one asked first leading."""
        self.overdue: dict[int, tuple[str, tuple[int, int]]] = {}
        """Advice given up and not come since, by id: the table's name, and the place there."""
        self.clock = BotClock(0)
        self.heard_us = 0
        """When it last answered, or was first asked after owing nothing."""
        self.up = False
        """Whether its stream is open."""
        self._player = player
        self._control = control
        self._advising = 0
        self._life = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._outbox: list[Decision] = []
        self._ready = asyncio.Event()
        self._free = asyncio.Event()
        """Set while nothing sent is without a message after it."""

    async def connect(self) -> None:
        """Connect, read the info, open the stream.

        Raises:
            PlayerError: the bot cannot be reached within the limit, or refuses.
        """
        limit = self._control.connect_us
        try:
            async with asyncio.timeout(limit / 1e6):
                self.info = await self._player.connect()
                await self._player.open()
        except TimeoutError:
            detail = f"no connection within {limit / 1e6:g} s"
            raise PlayerError(Cause.UNREACHABLE, detail) from None

    def run(self, mailbox: Mailbox, now: int) -> None:
        """Start to send and receive on the open stream, all open decisions first."""
        self.up = True
        self.clock.advance(now)
        self._outbox = [self._renewed(asked) for asked in self.asked.values()]
        self._ready, self._free = asyncio.Event(), asyncio.Event()
        self._free.set()
        if self._outbox:
            self._ready.set()
        self._spawn(mailbox, self._receive(mailbox, self._life))
        self._spawn(mailbox, self._send())

    def ask(self, table: Table, decision: Decision, *, now: int) -> None:
        """Put a decision into the next batch and start its clock."""
        if decision.advising:
            self._advising += 1
        elif not self._owes:
            self.heard_us = now
        self.asked[decision.id] = Asked(decision, table, now)
        self.clock.start(decision.id, decision.bank_us)
        self._outbox.append(decision)
        self._ready.set()

    def take_back(self, decision: int) -> tuple[Asked, int]:
        """Remove an outstanding decision; return it and what it was charged, microseconds."""
        asked = self.asked.pop(decision)
        self._advising -= asked.decision.advising
        return asked, self.clock.stop(decision)

    def hear(self, now: int) -> None:
        """Note an answer to an outstanding decision; from the first on banks are charged."""
        self.conduct.answered += 1
        self.clock.charging = True
        self.heard_us = now

    def is_current(self, life: int) -> bool:
        """Whether a letter comes from the stream that is open, or being reopened, now."""
        return life == self._life

    def reopen(self, mailbox: Mailbox, *, after_s: float = 0.0) -> None:
        """Give up the broken stream and try to open a new one, within the limit.

        Args:
            mailbox: told of the outcome.
            after_s: a pause before, seconds.
        """
        self.up = False
        self._life += 1
        for task in self._tasks:
            task.cancel()
        self._spawn(mailbox, self._reopen(mailbox, self._life, after_s))

    async def close(self) -> None:
        """End all tasks and release the player, whatever it does."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(Exception):
            async with asyncio.timeout(_CLOSE_S):
                await self._player.close()

    def silence_end(self) -> int | None:
        """Return when the wait for any answer ends; None: nothing but advice is outstanding."""
        if not self._owes or (not self.up and not self.conduct.answered):
            return None
        return self.heard_us + self.silence_limit_us

    def advice_asked(self) -> list[int]:
        """Return the outstanding decisions about advice, the one asked first leading."""
        if not self._advising:
            return []
        return [id_ for id_, asked in self.asked.items() if asked.decision.advising]

    def advice_end(self) -> tuple[int, int] | None:
        """Return when advice is given up next if none comes, and which; None: none is asked.

        The clock ends it where the bank is used up; before the first answer of a match nothing is
        charged there, and the bank counts by itself.
        """
        ends = [(self._advice_end(self.asked[id_]), id_) for id_ in self.advice_asked()]
        return min(ends, default=None)

    def _advice_end(self, asked: Asked) -> int:
        limit = self.silence_limit_us
        return asked.at_us + (limit if self.clock.charging else min(limit, asked.decision.bank_us))

    @property
    def _owes(self) -> bool:
        return len(self.asked) > self._advising

    @property
    def silence_limit_us(self) -> int:
        """How long it may leave everything unanswered now (R10.5)."""
        started = self.clock.charging
        return self._control.silence_us if started else self._control.first_answer_us

    def _renewed(self, asked: Asked) -> Decision:
        left = max(asked.decision.bank_us - self.clock.charged(asked.decision.id), 0)
        return asked.decision._replace(bank_us=left)

    def _spawn(self, mailbox: Mailbox, work: Coroutine[Any, Any, None]) -> None:
        self._tasks = [task for task in self._tasks if not task.done()]
        guarded = self._guard(mailbox, self._life, work)
        self._tasks.append(asyncio.create_task(guarded))

    async def _guard(self, mailbox: Mailbox, life: int, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception as error:
            mailbox.put((self, life, error))

    async def _receive(self, mailbox: Mailbox, life: int) -> None:
        free = self._free
        while True:
            mailbox.put((self, life, await self._player.receive()))
            free.set()

    async def _send(self) -> None:
        """Send what waits; while the bot is busy with a batch the next one gathers (R10.5)."""
        ready, free = self._ready, self._free
        while True:
            await ready.wait()
            if not free.is_set():
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(HOLD_S):
                        await free.wait()
            ready.clear()
            free.clear()
            batch, self._outbox = self._outbox, []
            await self._player.send(batch)

    async def _reopen(self, mailbox: Mailbox, life: int, after_s: float) -> None:
        await asyncio.sleep(after_s)
        pause = RETRY_S
        last = PlayerError(Cause.DISCONNECT, "no answer to the reopening")
        try:
            async with asyncio.timeout(self._control.reopen_us / 1e6):
                while True:
                    try:
                        await self._player.open()
                        break
                    except PlayerError as error:
                        last = error
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, MAX_RETRY_S)
        except TimeoutError:
            raise last from None
        mailbox.put((self, life, Reopened()))
