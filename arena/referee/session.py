"""Many tables of a match at once: the loop that asks, judges and keeps the clocks (R10)."""

import logging
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final

from arena.engine.errors import IllegalActionError
from arena.engine.view import Advice, Observation
from arena.notation.advice import Counsel
from arena.referee.advice import read_advice
from arena.referee.clock import SteadyClock
from arena.referee.connection import (
    MAX_BREAKS,
    MAX_RETRY_S,
    RETRY_S,
    Asked,
    Connection,
    Letter,
    Mailbox,
    Reopened,
)
from arena.referee.evidence import answer_text, asked_text
from arena.referee.ledger import Ledger
from arena.referee.outcome import Fault, MatchEnd
from arena.referee.player import Answer, Decision
from arena.referee.table import MAX_REFUSALS, Table
from arena.referee.verdict import Cause, Evidence, PlayerError
from arena.schedule.plan import GamePlan

BOTH_AT_FAULT_US: Final = 1_000_000
"""Two faults of one game within this time void it, microseconds (R10.7)."""
_AT_START: Final = (Cause.UNREACHABLE, Cause.REFUSED)
"""Causes that only a match's start knows; later they mean a lost stream."""

_log = logging.getLogger(__name__)


class Session:
    """Plays games on open connections until all have their result or the match ends."""

    def __init__(
        self,
        connections: Sequence[Connection],
        games: Iterable[GamePlan],
        *,
        ledger: Ledger,
        now: SteadyClock,
        tables: int,
    ) -> None:
        self._connections = connections
        self._waiting = deque(games)
        self._ledger = ledger
        self._now = now
        self._limit = tables
        self._control = ledger.plan.time_control
        self._tables: dict[str, Table] = {}
        self._forfeited: list[Table] = []
        self._mailbox = Mailbox()

    async def play(self) -> None:
        """Play until nothing is open and nothing may begin."""
        for connection in self._connections:
            connection.run(self._mailbox, self._now())
        self._let_time_pass()
        self._open_tables()
        while self._goes_on:
            letters = await self._mailbox.drain(self._wait_us())
            self._let_time_pass()
            for letter in letters:
                self._read(letter)
            self._rule_on_time()
            self._settle()
            self._open_tables()

    @property
    def _goes_on(self) -> bool:
        return bool(self._tables or (self._waiting and self._ledger.end is None))

    # Tables

    def _open_tables(self) -> None:
        while (
            self._waiting
            and len(self._tables) < self._limit
            and self._ledger.end is None
            and all(connection.up for connection in self._connections)
        ):
            plan = self._waiting.popleft()
            table = Table(plan, self._ledger.plan, voids=self._ledger.voids_of(plan.index))
            table.begun_us = self._now.last
            self._ledger.begin(plan)
            self._tables[table.name] = table
            self._ask(table)

    def _ask(self, table: Table) -> None:
        try:
            observation = table.observe()
        except Exception as error:
            self._own_error([table], error)
            return
        if not self._asks_adviser(table, observation):
            self._ask_player(table, observation)

    def _ask_player(self, table: Table, observation: Observation) -> None:
        player = table.player
        table.banks[player] += self._control.increment_us
        if not isinstance(table.given, Counsel):
            observation = observation._replace(advice=Advice(table.given, table.note))
        self._send(table, player, observation)

    def _send(
        self, table: Table, player: int, observation: Observation, *, refusal: str = ""
    ) -> None:
        connection = self._connections[player]
        bank = table.banks[player]
        decision = Decision(_next_id(connection), table.name, observation, bank, refusal)
        self._put(connection, table, decision)

    def _put(self, connection: Connection, table: Table, decision: Decision) -> None:
        table.waits_for = (connection.index, decision.id)
        connection.ask(table, decision, now=self._now.last)

    def _finish(self, table: Table) -> None:
        del self._tables[table.name]
        self._ledger.finish(table)

    # Advice

    def _asks_adviser(self, table: Table, observation: Observation) -> bool:
        """Ask the adviser before a captain who wants it (R7.3); return whether it was asked."""
        adviser = table.adviser
        if adviser is None or not self._connections[table.player].info.wants_advice:
            return False
        connection = self._connections[adviser]
        if not connection.info.advises:
            return False
        table.advice_banks[adviser] += self._control.advice_increment_us
        bank = table.advice_banks[adviser]
        if not connection.up or bank <= 0:
            table.counsel(Counsel.MISSING)
            return False
        number = _next_id(connection)
        decision = Decision(number, table.name, observation, bank, advising=True)
        self._put(connection, table, decision)
        return True

    def _advised(self, asked: Asked, answer: Answer, *, adviser: int) -> None:
        """Enter advice and ask the captain; whatever it is, it costs nobody anything (R7.7)."""
        table, observation = asked.table, asked.decision.observation
        if table.advice_banks[adviser] < 0:
            table.counsel(Counsel.LATE)
        else:
            table.counsel(*read_advice(answer, observation.legal))
        self._ask_player(table, observation)

    def _give_up_advice(self, connection: Connection, decision: int) -> None:
        """Wait no longer for advice and ask the captain without."""
        asked = self._take_back(connection, decision)
        if not connection.clock.charging:
            asked.table.advice_banks[connection.index] -= self._now.last - asked.at_us
        connection.overdue[decision] = (asked.table.name, asked.table.place)
        asked.table.counsel(Counsel.MISSING)
        self._ask_player(asked.table, asked.decision.observation)

    def _late_advice(self, connection: Connection, decision: int) -> None:
        name, place = connection.overdue.pop(decision)
        if name in self._tables:
            self._tables[name].counsel_late(place)

    # Letters

    def _read(self, letter: Letter) -> None:
        connection, life, content = letter
        if isinstance(content, Exception):
            if connection.is_current(life):
                self._broken(connection, content)
        elif isinstance(content, Reopened):
            connection.run(self._mailbox, self._now.last)
        else:
            for answer in content:
                self._judge(connection, answer)

    def _judge(self, connection: Connection, answer: Answer) -> None:
        decision = answer.decision_id
        if decision is None:
            decision = next(iter(connection.asked), None)
        if decision in connection.overdue:
            self._late_advice(connection, decision)
            return
        if decision is None or decision not in connection.asked:
            connection.conduct.ignored += 1
            return
        asked = self._take_back(connection, decision)
        connection.hear(self._now.last)
        if asked.decision.advising:
            self._advised(asked, answer, adviser=connection.index)
            return
        table, player = asked.table, connection.index
        if table.banks[player] < 0:
            self._time_out(connection, asked, answered=answer_text(answer))
            return
        try:
            refusal = self._play(table, answer)
        except Exception as error:
            self._own_error([table], error)
            return
        if refusal is not None:
            self._refuse(connection, asked, answer, *refusal)
        elif table.over:
            self._finish(table)
        else:
            self._ask(table)

    def _play(self, table: Table, answer: Answer) -> tuple[Cause, str] | None:
        """Apply an answer; return why it is refused, None where it is not."""
        if answer.action is None:
            return Cause.PROTOCOL_ERROR, answer.error
        try:
            table.play(answer.action, answer.declaration)
        except IllegalActionError as error:
            return Cause.ILLEGAL_ACTION, str(error)
        if table.at_showdown and not self._connections[table.player].info.declares:
            table.show_by_default()
        return None

    def _refuse(
        self, connection: Connection, asked: Asked, answer: Answer, cause: Cause, why: str
    ) -> None:
        refusals = asked.table.refusals
        refusals[connection.index] += 1
        if refusals[connection.index] < MAX_REFUSALS:
            observation = asked.decision.observation
            self._send(asked.table, connection.index, observation, refusal=f"{cause}: {why}")
        else:
            answered = f"{answer_text(answer)} ({why})"
            self._forfeit(connection, asked, cause, answered, came=True)

    def _take_back(self, connection: Connection, decision: int) -> Asked:
        """Stop the clock of a decision and charge its bank."""
        asked, charged = connection.take_back(decision)
        if asked.decision.advising:
            asked.table.advice_banks[connection.index] -= charged
        else:
            asked.table.charge(connection.index, charged)
        return asked

    # Clocks

    def _wait_us(self) -> int | None:
        ends = [table.settle_us for table in self._forfeited]
        for connection in self._connections:
            clock, silence = connection.clock.next_end(), connection.silence_end()
            advice = connection.advice_end()
            times = (clock, silence, None if advice is None else advice[0])
            ends += [end for end in times if end is not None]
        return min(ends) - self._now.last if ends else None

    def _let_time_pass(self) -> None:
        now = self._now()
        for connection in self._connections:
            connection.clock.advance(now)

    def _rule_on_time(self) -> None:
        for connection in self._connections:
            self._rule_on_banks(connection)
            while (first := connection.advice_end()) and first[0] <= self._now.last:
                self._give_up_advice(connection, first[1])
            end = connection.silence_end()
            if end is not None and end <= self._now.last:
                self._silent(connection)

    def _rule_on_banks(self, connection: Connection) -> None:
        for decision in connection.clock.empty():
            if decision not in connection.asked:
                continue  # a void has taken it back
            if connection.asked[decision].decision.advising:
                self._give_up_advice(connection, decision)
            else:
                self._time_out(connection, self._take_back(connection, decision))

    def _silent(self, connection: Connection) -> None:
        """Forfeit the game asked first (R10.5); all of them once the match ends anyway."""
        owed = [i for i, asked in connection.asked.items() if not asked.decision.advising]
        most = len(owed) if self._ledger.end else 1
        answered = f"no answer to anything for {connection.silence_limit_us / 1e6:g} s"
        for decision in owed[:most]:
            asked = self._take_back(connection, decision)
            self._forfeit(connection, asked, Cause.TIMEOUT, answered)
        connection.heard_us = self._now.last

    def _time_out(self, connection: Connection, asked: Asked, *, answered: str = "") -> None:
        bank = asked.decision.bank_us / 1e6
        text = f"{answered or 'no answer'}, after the {bank:g} s of the bank"
        self._forfeit(connection, asked, Cause.TIMEOUT, text, came=bool(answered))

    # Faults

    def _forfeit(
        self,
        connection: Connection,
        asked: Asked,
        cause: Cause,
        answered: str,
        *,
        came: bool = False,
    ) -> None:
        """Rule that a bot forfeits one game alone: an incident (R10.2)."""
        table, now = asked.table, self._now.last
        text = asked_text(asked.decision.observation)
        evidence = Evidence(text, answered, table.charged_us, now - asked.at_us)
        self._convict(
            table,
            Fault(table.plan.index, connection.index, cause, evidence),
            sent=asked.at_us,
            received=now if came else None,
        )
        self._ledger.incident(connection.index)

    def _convict(self, table: Table, fault: Fault, *, sent: int, received: int | None) -> None:
        """Enter a fault; the game then waits a second for a fault of the other bot (R10.7)."""
        table.add_fault(fault, sent_us=sent, received_us=received)
        if len(table.faults) > 1:
            causes = " and ".join(each.cause for each in table.faults)
            self._void([table], f"both bots at fault: {causes}")
            return
        self._close(table)
        table.settle_us = self._now.last + BOTH_AT_FAULT_US
        self._forfeited.append(table)

    def _settle(self) -> None:
        for table in list(self._forfeited):
            if table.settle_us <= self._now.last:
                self._forfeited.remove(table)
                self._finish(table)

    def _close(self, table: Table) -> None:
        """Ask no more at a table."""
        if table.waits_for is not None:
            player, decision = table.waits_for
            connection = self._connections[player]
            if decision in connection.asked:
                self._take_back(connection, decision)
            table.waits_for = None

    # Streams

    def _broken(self, connection: Connection, error: Exception) -> None:
        """Rule on the end of a stream, or on the vain end of its reopening."""
        for decision in connection.advice_asked():
            self._give_up_advice(connection, decision)
        connection.overdue.clear()
        pause = 0.0
        if not isinstance(error, PlayerError):
            self._own_error(list(self._tables.values()), error)
        elif error.cause is Cause.REFUSED and not connection.conduct.answered:
            self._leave(MatchEnd.REFUSED, connection, error)
        elif self._sits_out(connection):
            pause = min(RETRY_S * 2**connection.conduct.idle_breaks, MAX_RETRY_S)
            connection.conduct.idle_breaks += 1
        else:
            connection.conduct.breaks += 1
            if not connection.up or connection.conduct.breaks > MAX_BREAKS:
                self._lost(connection, error)
        if self._goes_on:
            connection.reopen(self._mailbox, after_s=pause)

    def _sits_out(self, connection: Connection) -> bool:
        """Whether tables are open and the bot only advises at them: its loss is no fault (R7.7)."""
        tables = self._tables.values()
        return bool(tables) and not any(table.is_active(connection.index) for table in tables)

    def _lost(self, connection: Connection, error: PlayerError) -> None:
        """Forfeit every game open at a bot whose stream is gone: one incident (R10.2)."""
        if not connection.conduct.answered:
            self._leave(MatchEnd.ABSENT, connection, error)
            return
        cause = Cause.DISCONNECT if error.cause in _AT_START else error.cause
        player = connection.index
        tables = [
            table
            for table in self._tables.values()
            if table.is_active(player) and all(fault.player != player for fault in table.faults)
        ]
        for table in tables:
            self._convict_lost(connection, table, PlayerError(cause, error.detail))
        if tables:
            self._ledger.incident(player)
        if not connection.up and self._ledger.end is None:
            self._ledger.stop(MatchEnd.ENDED_EARLY, player, f"not to be reopened: {error}")

    def _leave(self, end: MatchEnd, connection: Connection, error: PlayerError) -> None:
        """End the match for a bot that never decided anything, by nobody's fault (R10.7)."""
        cause = "a bot left before its first decision"
        self._void(list(self._tables.values()), cause, counts=False)
        self._ledger.stop(end, connection.index, str(error))

    def _convict_lost(self, connection: Connection, table: Table, error: PlayerError) -> None:
        now = self._now.last
        player, decision = table.waits_for or (None, 0)
        if player == connection.index:
            asked = self._take_back(connection, decision)
            text, sent = asked_text(asked.decision.observation), asked.at_us
        else:
            text, sent = "nothing: another bot was on turn", now
        evidence = Evidence(text, error.detail, table.charged_us if sent < now else 0, now - sent)
        fault = Fault(table.plan.index, connection.index, error.cause, evidence)
        self._convict(table, fault, sent=sent, received=None)

    # Voids

    def _own_error(self, tables: Sequence[Table], error: Exception) -> None:
        """Void games for an error of our own side: it never convicts a bot (R10.3)."""
        _log.error("games void by an error of the arena", exc_info=error)
        self._void(tables, f"an error of the arena: {type(error).__name__}")

    def _void(self, tables: Sequence[Table], cause: str, *, counts: bool = True) -> None:
        for table in tables:
            self._close(table)
            del self._tables[table.name]
            if table in self._forfeited:
                self._forfeited.remove(table)
        tries = [(table.plan.index, table.plan.board, table.faults) for table in tables]
        self._ledger.void(tries, cause, counts=counts)
        if self._ledger.end is MatchEnd.QUARANTINED and self._tables:
            self._void(list(self._tables.values()), cause, counts=False)


def _next_id(connection: Connection) -> int:
    connection.conduct.decisions += 1
    return connection.conduct.decisions
