"""Play a match: connect, play every game in waves of tables, replay voids, give the outcome."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from arena.notation.record import Header
from arena.referee.clock import Clock, SteadyClock, monotonic_us
from arena.referee.connection import Connection
from arena.referee.ledger import Ledger, Reports, open_ledger
from arena.referee.outcome import FinishedGame, MatchEnd, MatchOutcome, VoidedGame
from arena.referee.player import Player
from arena.referee.session import Session
from arena.referee.verdict import Cause, PlayerError
from arena.schedule.plan import BoardMode, GamePlan, MatchPlan

PlayerFactory: TypeAlias = Callable[[], Player]
"""Makes a fresh player; called again for each seating of mirrored boards (R9.4)."""

DEFAULT_TABLES: Final = 64
MAX_TABLES: Final = 128
"""Most tables of a match at once: a batch of decisions that fits in one message."""


def _ignore(_: Any) -> None:
    pass


async def play_match(
    players: Sequence[PlayerFactory],
    plan: MatchPlan,
    *,
    on_game: Callable[[FinishedGame], None] = _ignore,
    on_begin: Callable[[GamePlan], None] = _ignore,
    on_void: Callable[[VoidedGame], None] = _ignore,
    finished: Iterable[FinishedGame] = (),
    voided: Iterable[VoidedGame] = (),
    begun: Mapping[int, int] = MappingProxyType({}),
    unreadable: Mapping[int, int] = MappingProxyType({}),
    max_tables: int = DEFAULT_TABLES,
    clock: Clock = monotonic_us,
) -> MatchOutcome:
    """Play all games of a plan that have no result yet, many tables at once.

    Games begin in schedule order and end in any; the outcome holds them in schedule order. The
    callbacks run in the loop; an error out of one ends the match and is raised here.

    Args:
        players: a maker of the bot for each player of the plan.
        plan: the games, their boards and the clocks.
        on_game: told of each result; of no other player's fault until it is settled.
        on_begin: told of each game before its first decision goes out.
        on_void: told of each try given up; a result told before for that game is void too.
        finished: results of earlier attempts.
        voided: voids of earlier attempts.
        begun: games that an earlier attempt began and lost, index to board: void (R10.3).
        unreadable: games whose results of an earlier attempt are damaged, index to board: void too.
        max_tables: the most tables at once; what the bots accept may be less.
        clock: monotonic time in microseconds.

    Raises:
        ValueError: not as many players as the rules ask for, or `max_tables` out of range.
    """
    if len(players) != plan.rules.players:
        raise ValueError(f"{len(players)} players; the rules are for {plan.rules.players}")
    if not 1 <= max_tables <= MAX_TABLES:
        raise ValueError(f"max_tables is {max_tables}; it may be 1 to {MAX_TABLES}")
    reports = Reports(begin=on_begin, finish=on_game, void=on_void)
    ledger = open_ledger(
        plan, reports, finished=finished, voided=voided, begun=begun, unreadable=unreadable
    )
    now = SteadyClock(clock, plan.time_control.lag_us)
    now.start()
    try:
        return await _Match(players, ledger, now=now, tables=max_tables).play()
    finally:
        now.stop()


class _Match:
    """One attempt at a match."""

    def __init__(
        self, players: Sequence[PlayerFactory], ledger: Ledger, *, now: SteadyClock, tables: int
    ) -> None:
        self._players = players
        self._ledger = ledger
        self._now = now
        self._tables = tables
        self._header: Header | None = None

    async def play(self) -> MatchOutcome:
        """Play until every game has a result or the match ends; voids are played again after."""
        ledger = self._ledger
        while ledger.end is None and (games := ledger.open_games()):
            for wave in self._waves(games):
                still = [game for game in wave if not ledger.is_void(game)]
                if still and ledger.end is None:
                    await self._play_wave(still)
        return ledger.outcome(self._header)

    def _waves(self, games: Sequence[GamePlan]) -> list[list[GamePlan]]:
        """Split games into those that may be open together: in mirrored, one seating (R9.4)."""
        if self._ledger.plan.mode is BoardMode.PRIVATE:
            return [list(games)]
        seatings = self._ledger.plan.seatings
        return [[game for game in games if game.seating == seating] for seating in seatings]

    async def _play_wave(self, games: Sequence[GamePlan]) -> None:
        connections = self._connections()
        try:
            await asyncio.gather(*map(self._connect, connections))
            if self._ledger.end is None:
                self._note_header(connections)
                tables = min([self._tables, *(max(1, c.info.max_tables) for c in connections)])
                session = Session(
                    connections, games, ledger=self._ledger, now=self._now, tables=tables
                )
                await session.play()
        finally:
            await asyncio.gather(*(connection.close() for connection in connections))

    def _connections(self) -> list[Connection]:
        control = self._ledger.plan.time_control
        return [
            Connection(index, make(), control=control, conduct=self._ledger.conducts[index])
            for index, make in enumerate(self._players)
        ]

    async def _connect(self, connection: Connection) -> None:
        try:
            await connection.connect()
            if not connection.info.plays(self._ledger.plan.rules):
                sets = ", ".join(connection.info.rule_sets) or "rule sets for two players"
                raise PlayerError(Cause.REFUSED, f"it plays other rules; its info says {sets}")
        except PlayerError as error:
            refused = error.cause is Cause.REFUSED and not self._ledger.begun_count
            end = MatchEnd.REFUSED if refused else MatchEnd.ABSENT
            if self._ledger.end is not MatchEnd.REFUSED:
                self._ledger.stop(end, connection.index, str(error))

    def _note_header(self, connections: Sequence[Connection]) -> None:
        if self._header is None:
            plan = self._ledger.plan
            self._header = Header(
                rules=plan.rules,
                players=tuple((c.info.name, c.info.version) for c in connections),
                time_control=plan.time_control.as_dict(),
                boards=str(plan.mode),
            )
