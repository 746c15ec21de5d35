"""One table: a game with its banks, its refusals, and the record that grows with it."""

import secrets
from dataclasses import replace
from typing import Final

from arena.engine.actions import SHOW, Action, Declaration
from arena.engine.game import Game
from arena.engine.result import RoundResult, price
from arena.engine.view import Observation, Phase
from arena.notation.advice import Counsel, Given, write_mark, write_marks
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
_TWO: Final = 2
"""Players of a game without captain and adviser."""
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
        self.advice_banks = [match.time_control.advice_bank_us] * match.rules.players
        """Time left to advise by player, microseconds."""
        self.refusals = [0] * match.rules.players
        """Refused answers by player."""
        self.begun_us = 0
        """When the first decision was asked."""
        self.charged_us = 0
        """Charged for the decision open now, refused answers to it included."""
        self.given: Given = Counsel.UNASKED
        """What the adviser gave for the decision open now."""
        self.note = ""
        """The adviser's words with it."""
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
    def adviser(self) -> int | None:
        """The player who may advise the one on turn; None where that is no captain."""
        roles = self.game.roles
        if roles is None or self.game.turn != roles.captain:
            return None
        return self.plan.seating[roles.adviser]

    @property
    def place(self) -> tuple[int, int]:
        """Where the game stands: the round's number, and the actions of the captain in it."""
        return self._number, len(self._marks)

    def is_active(self, player: int) -> bool:
        """Whether a player plays the round now, and does not sit out."""
        return self.game.adviser is None or self.plan.seating[self.game.adviser] != player

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

    def counsel(self, given: Given, note: str = "") -> None:
        """Enter what the adviser gave for the decision that is open."""
        self.given, self.note = given, note

    def counsel_late(self, place: tuple[int, int]) -> None:
        """Enter that advice came after it was given up, while its round is still open."""
        number, count = place
        if place == self.place:
            self.given = Counsel.LATE
        elif number == self._number and count < len(self._marks):
            self._marks[count] = Counsel.LATE.value

    def play(self, action: Action, declaration: Declaration | None) -> None:
        """Apply an action and write it down, with all that was charged for it.

        Raises:
            IllegalActionError: the rules refuse it; nothing has changed.
        """
        by_captain = self.adviser is not None
        result = self.game.apply(action, declaration)
        if by_captain:
            self._mark(action)
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
            rounds += (self._round_record(),)
        elif self.game.result is not None:
            result = self.game.result
            points, totals = self._by_player(result.points), self._by_player(result.totals)
            winner = None if result.winner is None else self.plan.seating[result.winner]
        record = GameRecord(
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
        return record if forfeit is None else replace(record, winner=record.first)

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
        self._seats = self.game.seats
        self._dealer = self.game.dealer
        self._marks: list[str] = []
        self._notes: list[tuple[int, str]] = []
        self._actions: list[str] = []
        self._charges: list[int] = []

    def _close_round(self, result: RoundResult) -> None:
        winner = None if result.winner is None else self._seats[result.winner]
        points = price(self._rules, result)
        done = replace(self._round_record(), ending=result.ending, winner=winner, points=points)
        self._rounds.append(done)
        self._ticks.append(tuple(self._charges))
        if not self.game.over:
            self._open_round()

    def _round_record(self) -> RoundRecord:
        """Return the round as it stands, open."""
        return RoundRecord(
            number=self._number,
            dealer=self._dealer,
            actions="".join(self._actions),
            captain=self._seats[1] if len(self._seats) > _TWO else None,
            advice=write_marks(self._marks),
            notes=tuple(self._notes),
        )

    def _mark(self, action: Action) -> None:
        """Write down what the captain was advised for the action that it took."""
        if self.note:
            self._notes.append((len(self._marks), self.note))
        self._marks.append(write_mark(self.given, action))
        self.counsel(Counsel.UNASKED)
