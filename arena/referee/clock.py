"""Clocks (R10.5): time without the referee's own lags, and the shared clock of one bot."""

import asyncio
import time
from collections.abc import Callable
from typing import Final, TypeAlias

Clock: TypeAlias = Callable[[], int]
"""Monotonic time in microseconds, from any origin."""

BEAT_US: Final = 25_000
"""How often the loop shows that it is alive, microseconds: half of the shortest lag excused."""


def monotonic_us() -> int:
    """Return the system's monotonic time in microseconds."""
    return time.monotonic_ns() // 1000


class SteadyClock:
    """Monotonic time that stands still while the event loop lags (R10.5).

    A beat is due every `BEAT_US`; if the time is read and the beat is overdue by more than the
    limit, then the loop was held up, and the time since the beat was due never passed, but for what
    an earlier reading handed out already: no reading is below an earlier one.
    """

    def __init__(self, clock: Clock, lag_us: int) -> None:
        self._clock = clock
        self._limit = lag_us
        self._lag = 0
        self.last = clock()
        """The time when it was read last; all that happens in one turn of the loop happens then."""
        self._read = self.last
        """The real time of that reading: what was handed out then is not taken back."""
        self._due = self.last + BEAT_US
        self._handle: asyncio.TimerHandle | None = None

    @property
    def lag_us(self) -> int:
        """All time excused so far, microseconds."""
        return self._lag

    def __call__(self) -> int:
        """Return the time that passed for bots, microseconds."""
        real = self._clock()
        if real - self._due > self._limit:
            self._lag += real - max(self._due, self._read)
            self._due = real + BEAT_US
        self._read = real
        self.last = real - self._lag
        return self.last

    def start(self) -> None:
        """Begin to beat on the running loop."""
        self()
        self._due = self._clock() + BEAT_US
        self._handle = asyncio.get_running_loop().call_later(BEAT_US / 1e6, self.start)

    def stop(self) -> None:
        """Stop beating."""
        if self._handle is not None:
            self._handle.cancel()


class BotClock:
    """The clock of one bot: while k decisions are outstanding each is charged 1/k of the time.

    It keeps one virtual time that advances by dt/k; a decision is charged the virtual time that
    passed since it was asked. So all charges together are the time the bot was busy, whatever the
    batch. All times are microseconds. Nothing is charged until `charging` is set: the first answer
    has a limit of its own (R10.5).
    """

    def __init__(self, now: int) -> None:
        self.charging = False
        self._now = now
        self._virtual = 0.0
        self._starts: dict[int, float] = {}
        """Virtual time at which each running decision was asked."""
        self._ends: dict[int, float] = {}
        """Virtual time at which its bank is empty."""

    def advance(self, now: int) -> None:
        """Let the time pass up to `now`."""
        if self.charging and self._ends:
            self._virtual += (now - self._now) / len(self._ends)
        self._now = now

    def start(self, decision: int, bank: int) -> None:
        """Ask a decision with `bank` left, now."""
        self._starts[decision] = self._virtual
        self._ends[decision] = self._virtual + bank

    def charged(self, decision: int) -> int:
        """Return what a running decision has been charged so far."""
        return round(self._virtual - self._starts[decision])

    def stop(self, decision: int) -> int:
        """Stop a decision now and return what it was charged."""
        del self._ends[decision]
        return round(self._virtual - self._starts.pop(decision))

    def next_end(self) -> int | None:
        """Return when the first bank runs empty if nothing changes; None: never."""
        if not (self.charging and self._ends):
            return None
        left = min(self._ends.values()) - self._virtual
        return self._now + round(left * len(self._ends)) + 1

    def empty(self) -> list[int]:
        """Return the running decisions whose bank is used up, the one asked first leading."""
        return [decision for decision, end in self._ends.items() if end <= self._virtual]
