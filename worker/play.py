"""One attempt at a match: take it, play it, write what came of it."""

import asyncio
import contextlib
import logging
import os
import traceback
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Final

from arena.notation.record import Forfeit, GameRecord, GameTimes
from arena.referee.match import play_match
from arena.referee.outcome import FinishedGame, MatchEnd, MatchOutcome, VoidedGame
from arena.referee.verdict import Cause
from arena.schedule.plan import GamePlan
from arena.settings import Settings
from arena.store import leases, results
from arena.store.database import Store, now_us
from arena.store.leases import Lease, LeaseLostError
from arena.store.models import MatchState
from arena.store.results import Assignment
from worker.remote import RemotePlayer

log = logging.getLogger(__name__)

ABSENCE: Final = timedelta(seconds=30)
"""How long a bot that could not be reached is not asked again."""
EARLY_END: Final = timedelta(minutes=10)
"""When the games left by a match that ended early are played (R10.2)."""
RETRY: Final = timedelta(seconds=5)
"""How long a match rests after an error of the arena's own."""
_MICROSECOND: Final = timedelta(microseconds=1)


def show_worker(store: Store, name: str, *, processes: int, attempts: int) -> None:
    """Show that a worker is alive, and take back the matches of its children that are not.

    Args:
        store: the database.
        name: the worker's, before the colon of its children's leases.
        processes: how many children it has.
        attempts: most attempts at a match.
    """
    at = now_us()
    with store.writing() as session:
        leases.show_worker(session, name, processes=processes, at_us=at)
        for owner in leases.owners(session, name):
            if _is_dead(owner, name):
                leases.reap(session, at_us=at, attempts=attempts, owner=owner)


def _is_dead(owner: str, worker: str) -> bool:
    """Whether an owner of leases, ``worker:pid``, is a process of this worker that has ended."""
    name, _, pid = owner.rpartition(":")
    if name != worker:
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    return False


class Attempt:
    """A process's way to play matches, one at a time.

    Args:
        store: the database.
        settings: the lease, the limit of a match, the number of attempts.
        owner: this process, ``worker:pid``; the part before the colon is shared with its siblings.
    """

    def __init__(self, store: Store, settings: Settings, *, owner: str) -> None:
        self._store = store
        self._settings = settings
        self._owner = owner

    def play(self, match_key: int) -> None:
        """Play a match to its end, or as far as it goes; nothing if it is not to be taken."""
        lease = self._claim(match_key)
        if lease is None:
            self._bury_holder(match_key)
            return
        try:
            self._play(lease)
        except LeaseLostError:
            log.warning("match %d: the lease is lost, another worker goes on", match_key)
        except Exception as error:  # an error of the arena voids and never reaches a bot (R10.3)
            log.exception("match %d: attempt %d failed", match_key, lease.attempt)
            self._fail(lease, error)

    def _claim(self, match_key: int) -> Lease | None:
        at = now_us()
        with self._store.writing() as session:
            return leases.claim(
                session,
                match_key,
                owner=self._owner,
                at_us=at,
                until_us=at + self._settings.lease // _MICROSECOND,
                attempts=self._settings.attempts,
            )

    def _bury_holder(self, match_key: int) -> None:
        """Take a match back from a sibling that has died with it; its message came again."""
        with self._store.reading() as session:
            holder = leases.holder(session, match_key)
        worker = self._owner.rpartition(":")[0]
        if holder is None or holder == self._owner or not _is_dead(holder, worker):
            return
        with self._store.writing() as session:
            leases.reap(session, at_us=now_us(), attempts=self._settings.attempts, owner=holder)

    def _play(self, lease: Lease) -> None:
        with self._store.reading() as session:
            task = results.read_assignment(session, lease)
        if task.withdrawn:
            self._end(lease, MatchState.LAPSED, "an entry was withdrawn")
            return
        if task.unreadable:
            games = ", ".join(map(str, task.unreadable))
            log.error("match %d: kept results of games %s are damaged", lease.match_key, games)
        keeper = Keeper(self._store, task, self._hold_us(task))
        try:
            outcome = asyncio.run(self._referee(task, keeper))
        except TimeoutError:
            self._put_back(lease, keeper)
        else:
            self._settle(task, outcome)

    def _hold_us(self, task: Assignment) -> int:
        """Return how long a match is held without an answer: no less than a bot may be silent."""
        control = task.plan.time_control
        longest = max(control.silence_us, control.connect_us, control.reopen_us)
        if task.plan.rules.players == 3:
            longest = max(longest, control.advice_bank_us)
        return self._settings.lease // _MICROSECOND + longest

    async def _referee(self, task: Assignment, keeper: "Keeper") -> MatchOutcome:
        control = task.plan.time_control
        players = [
            partial(RemotePlayer, address, control, on_message=keeper.hear)
            for address in task.players
        ]
        async with asyncio.timeout(self._settings.match_limit.total_seconds()), keeper.holding():
            return await play_match(
                players,
                task.plan,
                on_begin=keeper.begin,
                on_game=keeper.save,
                on_void=keeper.void,
                finished=task.finished,
                voided=task.voided,
                begun=task.begun,
                unreadable=task.unreadable,
            )

    def _put_back(self, lease: Lease, keeper: "Keeper") -> None:
        """Hand a match that ran out of time to a new task; without a result it was an attempt."""
        limit = self._settings.match_limit.total_seconds()
        cause = f"the match ran for {limit:g} s, the limit of one task"
        if not keeper.saved:
            raise RuntimeError(cause)
        with self._store.writing() as session:
            leases.postpone(session, lease, cause=cause, until_us=now_us())

    def _fail(self, lease: Lease, error: Exception) -> None:
        trace = "".join(traceback.format_exception(error))
        at = now_us()
        with contextlib.suppress(LeaseLostError), self._store.writing() as session:
            leases.fail(
                session,
                lease,
                cause=f"{type(error).__name__}: {error}"[:200],
                trace=trace[-20_000:],
                at_us=at,
                again_us=at + RETRY // _MICROSECOND,
                attempts=self._settings.attempts,
            )

    def _end(self, lease: Lease, state: MatchState, cause: str) -> None:
        with self._store.writing() as session:
            leases.end_match(session, lease, state, cause=cause, at_us=now_us())

    def _settle(self, task: Assignment, outcome: MatchOutcome) -> None:
        """Write how the match ended."""
        match outcome.end:
            case MatchEnd.COMPLETE:
                self._finish(task, outcome.games)
            case MatchEnd.ENDED_EARLY if task.early_ends:
                self._finish(task, with_lost_games(task, outcome))
            case MatchEnd.ENDED_EARLY:
                self._postpone(task, outcome, after=EARLY_END, early_end=1)
            case MatchEnd.ABSENT if now_us() < task.deadline_us:
                self._postpone(task, outcome, after=ABSENCE)
            case MatchEnd.ABSENT:
                self._end(task.lease, MatchState.LAPSED, outcome.detail)
            case MatchEnd.REFUSED:
                self._refuse(task, outcome)
            case MatchEnd.QUARANTINED:
                self._end(task.lease, MatchState.QUARANTINED, outcome.detail)

    def _finish(self, task: Assignment, games: Sequence[FinishedGame]) -> None:
        with self._store.writing() as session:
            results.finish_match(session, task.lease, task.header, games, at_us=now_us())

    def _postpone(
        self, task: Assignment, outcome: MatchOutcome, *, after: timedelta, early_end: int = 0
    ) -> None:
        until = now_us() + after // _MICROSECOND
        with self._store.writing() as session:
            leases.postpone(
                session, task.lease, cause=outcome.detail, until_us=until, early_end=early_end
            )
            if outcome.end is MatchEnd.ABSENT and outcome.player is not None:
                leases.mark_absent(session, task.lease.match_key, outcome.player, until_us=until)

    def _refuse(self, task: Assignment, outcome: MatchOutcome) -> None:
        with self._store.writing() as session:
            results.refuse_match(
                session, task.lease, outcome.player or 0, cause=outcome.detail, at_us=now_us()
            )


class Keeper:
    """Writes down what happens in a match as it happens, and holds the lease while it goes on."""

    def __init__(self, store: Store, task: Assignment, hold_us: int) -> None:
        self.saved = 0
        """Games finished in this attempt."""
        self._heard = False
        self._store = store
        self._task = task
        self._hold_us = hold_us

    def begin(self, game: GamePlan) -> None:
        """Note that a game begins."""
        with self._store.writing() as session:
            results.begin_game(session, self._task.lease, game, until_us=self._until())

    def save(self, game: FinishedGame) -> None:
        """Keep a finished game."""
        with self._store.writing() as session:
            results.save_game(
                session, self._task.lease, self._task.header, game, until_us=self._until()
            )
        self.saved += 1

    def void(self, voided: VoidedGame) -> None:
        """Note a void."""
        with self._store.writing() as session:
            results.void_game(session, self._task.lease, voided, until_us=self._until())

    def hear(self) -> None:
        """Note a message of a bot: what counts as progress."""
        self._heard = True

    @contextlib.asynccontextmanager
    async def holding(self) -> AsyncIterator[None]:
        """Renew the lease for as long as the bots answer; a lost lease ends what runs inside.

        Raises:
            LeaseLostError: another worker may hold the match by now.
        """
        try:
            async with asyncio.TaskGroup() as group:
                renewal = group.create_task(self._renew_often())
                yield
                renewal.cancel()
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None

    async def _renew_often(self) -> None:
        while True:
            await asyncio.sleep(self._hold_us / 3e6)
            if self._heard:
                self._heard = False
                with self._store.writing() as session:
                    leases.renew(session, self._task.lease, until_us=self._until())

    def _until(self) -> int:
        return now_us() + self._hold_us


def with_lost_games(task: Assignment, outcome: MatchOutcome) -> list[FinishedGame]:
    """Return all games of a match that ended early again: those without a result are lost (R10.2).

    They are forfeited under the cause of the bot's last forfeit in this match.
    """
    player = outcome.player or 0
    games = {game.record.index: game for game in outcome.games}
    causes = [
        game.record.forfeit.cause
        for game in outcome.games
        if game.record.forfeit and game.record.forfeit.player == player
    ]
    cause = causes[-1] if causes else Cause.DISCONNECT.value
    return [
        games.get(game.index) or _lost(game, Forfeit(player, cause), outcome)
        for game in task.plan.games
    ]


def _lost(game: GamePlan, forfeit: Forfeit, outcome: MatchOutcome) -> FinishedGame:
    nothing = (0,) * len(game.seating)
    record = GameRecord(
        index=game.index,
        board=game.board,
        seed=game.seed,
        seating=game.seating,
        rounds=(),
        winner=None,
        points=nothing,
        totals=nothing,
        forfeit=forfeit,
        voids=tuple(voided.void for voided in outcome.voided if voided.index == game.index),
    )
    return FinishedGame(replace(record, winner=record.first), GameTimes(game.index, ()))
