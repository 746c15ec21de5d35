"""The books of a match: games begun, finished and void, and what each bot has to answer for."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from arena.notation.record import Header, Void
from arena.referee.connection import Conduct
from arena.referee.outcome import Fault, FinishedGame, MatchEnd, MatchOutcome, VoidedGame
from arena.referee.table import Table
from arena.schedule.plan import BoardMode, GamePlan, MatchPlan

QUARANTINE_VOIDS: Final = 3
"""The void of a match that quarantines it (R10.3)."""
UNREADABLE: Final = "its result could not be read again"
"""Cause of the void of a game whose checkpoint is damaged."""
_INCIDENTS: Final = 3
"""Fewest incidents that end a match early (R10.2)."""
_INCIDENT_SHARE: Final = 10
"""A match ends early with more incidents than the games begun divided by this (R10.2)."""


@dataclass(frozen=True, slots=True)
class Reports:
    """Whom the referee tells what happens, as it happens."""

    begin: Callable[[GamePlan], None]
    finish: Callable[[FinishedGame], None]
    void: Callable[[VoidedGame], None]


@dataclass
class Ledger:
    """The books of one match; the one place that decides what counts (R10.2, R10.3)."""

    plan: MatchPlan
    reports: Reports
    conducts: Sequence[Conduct]
    finished: dict[int, FinishedGame]
    """By index."""
    voided: list[VoidedGame]
    begun: dict[int, int]
    """Games begun and not finished, index to board."""
    begun_count: int = 0
    """Games begun in this attempt."""
    end: MatchEnd | None = None
    """How the match ends; None while it goes on."""
    culprit: int | None = None
    detail: str = ""
    _void_events: int = 0
    _taken: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        boards = [game.record.board for game in self.finished.values()]
        boards += [game.void.board for game in self.voided]
        self._taken.update(boards, self.begun.values())
        self._void_events = max((game.event for game in self.voided), default=0)

    def open_games(self) -> list[GamePlan]:
        """Return the games without a result, in schedule order, each on the board it plays next.

        After a void that is the next reserve board, one for a whole seating set (R10.3).
        """
        boards: dict[int, tuple[int, bytes]] = {}
        games = []
        for game in self.plan.games:
            key = self.set_of(game.index)
            if key not in boards:
                boards[key] = self._board(game)
            if game.index not in self.finished:
                games.append(game.on(*boards[key]))
        return games

    def set_of(self, index: int) -> int:
        """Return the key of the games that are void together: a seating set, or the game alone."""
        return index % self.plan.slots if self.plan.mode is BoardMode.MIRRORED else index

    def voids_of(self, index: int) -> tuple[Void, ...]:
        """Return the earlier tries at a game, oldest first."""
        return tuple(game.void for game in self.voided if game.index == index)

    def is_void(self, game: GamePlan) -> bool:
        """Whether the try at this game on this board has been given up."""
        return any(
            self.set_of(old.index) == self.set_of(game.index) and old.void.board == game.board
            for old in self.voided
        )

    def begin(self, game: GamePlan) -> None:
        """Enter a game that is about to be asked for the first time."""
        self.begun_count += 1
        self.begun[game.index] = game.board
        self._taken.add(game.board)
        self.reports.begin(game)

    def finish(self, table: Table) -> None:
        """Enter the result of a game, or its forfeit."""
        game = FinishedGame(table.record(), table.times(), tuple(table.faults))
        del self.begun[table.plan.index]
        self.finished[table.plan.index] = game
        self.reports.finish(game)

    def void(
        self, tries: Iterable[tuple[int, int, Sequence[Fault]]], cause: str, *, counts: bool = True
    ) -> None:
        """Give up tries at games (index, board, faults) for one cause, finished halves included."""
        self._void_events += counts
        event = self._void_events if counts else 0
        for index, board, faults in list(tries):
            self._void(VoidedGame(index, Void(board, cause), tuple(faults), event))
            for other in list(self.finished):
                if other != index and self.set_of(other) == self.set_of(index):
                    self._void(VoidedGame(other, Void(board, cause), (), event))
        if event >= QUARANTINE_VOIDS and self.end is None:
            self.stop(MatchEnd.QUARANTINED, None, f"{event} voids, the last: {cause}")

    def incident(self, player: int) -> None:
        """Count an incident; with too many the match ends early."""
        conduct = self.conducts[player]
        conduct.incidents += 1
        count = conduct.incidents
        if count >= _INCIDENTS and count * _INCIDENT_SHARE > self.begun_count and self.end is None:
            detail = f"{count} incidents in {self.begun_count} games begun"
            self.stop(MatchEnd.ENDED_EARLY, player, detail)

    def stop(self, end: MatchEnd, player: int | None, detail: str) -> None:
        """Decide how the match ends; no further game begins."""
        self.end, self.culprit, self.detail = end, player, detail

    def outcome(self, header: Header | None) -> MatchOutcome:
        """Return everything that came of the match."""
        return MatchOutcome(
            header=header,
            end=self.end or MatchEnd.COMPLETE,
            games=tuple(self.finished[index] for index in sorted(self.finished)),
            voided=tuple(self.voided),
            incidents=tuple(conduct.incidents for conduct in self.conducts),
            ignored=tuple(conduct.ignored for conduct in self.conducts),
            begun=dict(self.begun),
            player=self.culprit,
            detail=self.detail,
        )

    def _void(self, game: VoidedGame) -> None:
        self.begun.pop(game.index, None)
        self.finished.pop(game.index, None)
        self.voided.append(game)
        self.reports.void(game)

    def _board(self, game: GamePlan) -> tuple[int, bytes]:
        key = self.set_of(game.index)
        for done in self.finished.values():
            if self.set_of(done.record.index) == key:
                return done.record.board, done.record.seed
        if any(self.set_of(old.index) == key for old in self.voided):
            return self._reserve()
        return game.board, game.seed

    def _reserve(self) -> tuple[int, bytes]:
        boards = map(self.plan.reserve, _naturals())
        board, seed = next(pair for pair in boards if pair[0] not in self._taken)
        self._taken.add(board)
        return board, seed


def _naturals() -> Iterator[int]:
    number = 0
    while True:
        yield number
        number += 1


def open_ledger(
    plan: MatchPlan,
    reports: Reports,
    *,
    finished: Iterable[FinishedGame],
    voided: Iterable[VoidedGame],
    begun: Mapping[int, int],
    unreadable: Mapping[int, int],
) -> Ledger:
    """Return the books, continued from earlier attempts.

    Games that an earlier attempt began and lost, or whose results cannot be read any more, are
    void by the arena's fault (R10.3).
    """
    ledger = Ledger(
        plan=plan,
        reports=reports,
        conducts=[Conduct() for _ in range(plan.rules.players)],
        finished={game.record.index: game for game in finished},
        voided=list(voided),
        begun={**begun, **unreadable},
    )
    for lost, cause in ((begun, "the worker was lost"), (unreadable, UNREADABLE)):
        if lost:
            ledger.void([(index, board, ()) for index, board in sorted(lost.items())], cause)
    return ledger
