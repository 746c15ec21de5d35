"""One table: a game with its banks, its refusals, and the record that grows with it."""

import secrets
from typing import Final

from arena.engine.actions import SHOW, Action, Declaration
from arena.engine.game import Game
from arena.engine.result import RoundResult, price
from arena.engine.view import Observation, Phase
from arena.notation.record import (
    FaultTime,
    Forfeit,
    GameRecord,
    GameTimes,
    RoundRecord,
    Void,
)
from arena.notation.text import write_action
from arena.referee.outcome import Fault
from arena.schedule.plan import GamePlan, MatchPlan

MAX_REFUSALS: Final = 3
"""The refusal of a game that forfeits it (R10.1)."""
_TICK_US: Final = 100
"""Unit of the times file, microseconds."""


class Table:
    """A game being played. It knows the rules and the record, nothing of time or wires."""

    def __init__(self, plan: GamePlan, match: MatchPlan, *, voids: tuple[Void, ...] = ()) -> None:
        self.plan = plan
        self.name = secrets.token_hex(8)
        self.game = Game(match.rules, plan.seed)
        self.banks = [match.time_control.bank_us] * match.rules.players
        """Time left by player, microseconds."""
        self.refusals = [0] * match.rules.players
        """Refused answers by player."""
        self.begun_us = 0
        """When the first decision was asked."""
        self.charged_us = 0
        """Charged for the decision open now, refused answers to it included."""
        self.waits_for: tuple[int, int] | None = None
        """The player asked and the id of the decision; None: nobody is asked."""
        self.faults: list[Fault] = []
        self.settle_us = 0
        """Until when a forfeit waits for a fault of the other bot (R10.7)."""
        self._rules = match.rules
        self._voids = voids
        self._rounds: list[RoundRecord] = []
        self._ticks: list[tuple[int, ...]] = []
        self._fault_times: list[FaultTime] = []
        self._open_round()

    @property
    def player(self) -> int:
        """The player on turn."""
        return self.plan.seating[self.game.turn]

    @property
    def over(self) -> bool:
        """Whether the game has been played to its end."""
        return self.game.over

    @property
    def at_showdown(self) -> bool:
        """Whether the defender is to show."""
        return self.game.round.phase is Phase.SHOWDOWN

    def observe(self) -> Observation:
        """Return what the seat on turn sees."""
        return self.game.observe(self.game.turn)

    def charge(self, player: int, charged_us: int) -> None:
        """Charge a bank for the decision that is open."""
        self.banks[player] -= charged_us
        self.charged_us += charged_us

    def play(self, action: Action, declaration: Declaration | None) -> None:
        """Apply an action and write it down, with all that was charged for it.

        Raises:
            IllegalActionError: the rules refuse it; nothing has changed.
        """
        result = self.game.apply(action, declaration)
        self._actions.append(write_action(action, declaration))
        self._charges.append(self.charged_us // _TICK_US)
        self.charged_us = 0
        if result is not None:
            self._close_round(result)

    def show_by_default(self) -> None:
        """Play the optimum for a defender who is not asked (R4.3)."""
        self.play(SHOW, None)

    def add_fault(self, fault: Fault, *, sent_us: int, received_us: int | None) -> None:
        """Enter a fault in the open decision and its times on the referee's clock."""
        begun = self.begun_us
        self.faults.append(fault)
        self._fault_times.append(
            FaultTime(
                round=self._number,
                action=len(self._actions),
                player=fault.player,
                cause=str(fault.cause),
                sent_us=sent_us - begun,
                received_us=None if received_us is None else received_us - begun,
            )
        )

    def record(self) -> GameRecord:
        """Return the record, of a forfeited game up to the forfeit."""
        forfeit = self.faults[0] if self.faults else None
        rounds = tuple(self._rounds)
        points = self._by_player(tuple(self.game.points))
        totals, winner = points, None
        if forfeit is not None:
            rounds += (RoundRecord(self._number, self._dealer, "".join(self._actions)),)
            winner = next(p for p in self.plan.seating if p != forfeit.player)
        elif self.game.result is not None:
            result = self.game.result
            points, totals = self._by_player(result.points), self._by_player(result.totals)
            winner = None if result.winner is None else self.plan.seating[result.winner]
        return GameRecord(
            index=self.plan.index,
            board=self.plan.board,
            seed=self.plan.seed,
            seating=self.plan.seating,
            rounds=rounds,
            winner=winner,
            points=points,
            totals=totals,
            forfeit=None if forfeit is None else Forfeit(forfeit.player, str(forfeit.cause)),
            voids=self._voids,
        )

    def times(self) -> GameTimes:
        """Return the times, round by round as the record."""
        ticks = tuple(self._ticks)
        if self.faults:
            ticks += (tuple(self._charges),)
        return GameTimes(self.plan.index, ticks, tuple(self._fault_times))

    def _by_player(self, by_seat: tuple[int, ...]) -> tuple[int, ...]:
        values = dict(zip(self.plan.seating, by_seat, strict=True))
        return tuple(values[player] for player in sorted(values))

    def _open_round(self) -> None:
        self._number = self.game.round_number
        self._dealer = self.game.round.dealer
        self._actions: list[str] = []
        self._charges: list[int] = []

    def _close_round(self, result: RoundResult) -> None:
        self._rounds.append(
            RoundRecord(
                number=self._number,
                dealer=self._dealer,
                actions="".join(self._actions),
                ending=result.ending,
                winner=result.winner,
                points=price(self._rules, result),
            )
        )
        self._ticks.append(tuple(self._charges))
        if not self.game.over:
            self._open_round()
