"""Players that follow a script: the port of the referee without a wire, in virtual time."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from arena.engine.actions import DISCARD, SHOW, TAKE, Action, Kind
from arena.engine.cards import PIPS
from arena.referee.player import Answer, BotInfo, Decision
from arena.referee.verdict import Cause, PlayerError

Step = Callable[["ScriptedPlayer", Decision], None]
"""What a player does on a decision in place of a good answer."""


def choose(decision: Decision) -> Action:
    """A plain way to play: knock when possible, draw from the stock, throw the dearest card."""
    legal = decision.observation.legal
    for kind in (Kind.SHOW, Kind.BIG_GIN, Kind.KNOCK, Kind.STOCK, Kind.PASS):
        for action in legal:
            if action.kind is kind:
                return action
    return max(legal, key=lambda action: (PIPS[action.card], action.card))


def good(decision: Decision) -> Answer:
    return Answer(decision.id, choose(decision))


def late(seconds: float) -> Step:
    """Answer well, but late."""
    return lambda player, decision: player.reply(good(decision), after=seconds)


def silent(player: "ScriptedPlayer", decision: Decision) -> None:
    """Never answer."""


def illegal(player: "ScriptedPlayer", decision: Decision) -> None:
    """Throw a card that is not in hand."""
    hand = decision.observation.hand
    missing = next(card for card in range(52) if not hand >> card & 1)
    player.reply(Answer(decision.id, DISCARD[missing]))


def wrong_phase(player: "ScriptedPlayer", decision: Decision) -> None:
    """Do what this phase does not know."""
    phases = {action.kind for action in decision.observation.legal}
    player.reply(Answer(decision.id, SHOW if Kind.SHOW not in phases else TAKE))


def unreadable(player: "ScriptedPlayer", decision: Decision) -> None:
    """Answer with a text that is no action."""
    player.reply(Answer(decision.id, None, error="not an action: 'fold'", raw="fold"))


def garbage(player: "ScriptedPlayer", decision: Decision) -> None:
    """Send bytes that do not even name a decision."""
    player.reply(Answer(None, None, error="not a message", raw="ff00ff"))


def wrong_id(player: "ScriptedPlayer", decision: Decision) -> None:
    """Answer to a decision that nobody asked, then well."""
    player.reply(Answer(decision.id + 1_000_000, choose(decision)))
    player.reply(good(decision), after=0.01)


def duplicate(player: "ScriptedPlayer", decision: Decision) -> None:
    """Answer twice."""
    player.reply(good(decision), good(decision))


def stream_ends(cause: Cause = Cause.DISCONNECT) -> Step:
    """End the stream in place of the answer."""
    return lambda player, decision: player.fail(PlayerError(cause, "the stream ended"))


def referee_breaks(player: "ScriptedPlayer", decision: Decision) -> None:
    """An error of our own side in the reading of the stream."""
    player.fail(ZeroDivisionError("a bug of the client"))


class ScriptedPlayer:
    """Plays well except where its script says otherwise.

    Args:
        script: steps by the place of the decision among all it ever got, from 0.
        by_game: the step by the place of the game among those it saw and of the decision in it,
            both from 0; None: answer well.
        always: the step for all other decisions; None: answer well after `delay_s`.
        opens: what `open` does, call by call: None succeeds, an error is raised, a number of
            seconds is waited first; after the last, it succeeds.
        connect_error: what `connect` raises.
        advice: the step by the place of the question for advice among all it got, from 0; None:
            advise what it would do itself.
    """

    def __init__(
        self,
        script: Mapping[int, Step] | None = None,
        *,
        by_game: Callable[[int, int], Step | None] = lambda game, place: None,
        always: Step | None = None,
        opens: Sequence[Exception | float | None] = (),
        connect_error: Exception | None = None,
        connect_s: float = 0.0,
        delay_s: float = 0.001,
        max_tables: int = 128,
        declares: bool = False,
        name: str = "scripted",
        send_s: float = 0.0,
        rule_sets: Sequence[str] = (),
        advice: Callable[[int], Step | None] = lambda place: None,
        advises: bool = False,
        wants_advice: bool = False,
    ) -> None:
        self.batches: list[list[Decision]] = []
        self.batch_times: list[float] = []
        self.connects = 0
        self.closed = 0
        self._script = dict(script or {})
        self._by_game = by_game
        self._always = always
        self._tables: dict[str, int] = {}
        self._places: Counter[str] = Counter()
        self._opens = list(opens)
        self._connect_error = connect_error
        self._connect_s = connect_s
        self._delay = delay_s
        self._send_s = send_s
        self._advice = advice
        self._advised = 0
        self._info = BotInfo(
            name, "1", tuple(rule_sets), max_tables, declares, advises, wants_advice
        )
        self._seen = 0
        self._inbox: asyncio.Queue[list[Answer] | Exception] = asyncio.Queue()

    @property
    def decisions(self) -> list[Decision]:
        return [decision for batch in self.batches for decision in batch]

    async def connect(self) -> BotInfo:
        self.connects += 1
        await asyncio.sleep(self._connect_s)
        if self._connect_error is not None:
            raise self._connect_error
        return self._info

    async def open(self) -> None:
        step = self._opens.pop(0) if self._opens else None
        if isinstance(step, Exception):
            raise step
        if step is not None:
            await asyncio.sleep(step)
        self._inbox = asyncio.Queue()

    async def send(self, decisions: Sequence[Decision]) -> None:
        await asyncio.sleep(self._send_s)
        self.batches.append(list(decisions))
        self.batch_times.append(asyncio.get_running_loop().time())
        for decision in decisions:
            step = self._next_advice() if decision.advising else self._next_step(decision.table)
            if step is None:
                self.reply(good(decision), after=self._delay)
            else:
                step(self, decision)

    async def receive(self) -> Sequence[Answer]:
        item = await self._inbox.get()
        if isinstance(item, Exception):
            raise item
        return item

    async def close(self) -> None:
        self.closed += 1

    def _next_advice(self) -> Step | None:
        self._advised += 1
        return self._advice(self._advised - 1)

    def _next_step(self, table: str) -> Step | None:
        game = self._tables.setdefault(table, len(self._tables))
        step = self._script.get(self._seen) or self._by_game(game, self._places[table])
        self._seen += 1
        self._places[table] += 1
        return step or self._always

    def reply(self, *answers: Answer, after: float = 0.001) -> None:
        inbox = self._inbox
        asyncio.get_running_loop().call_later(after, inbox.put_nowait, list(answers))

    def fail(self, error: Exception, after: float = 0.001) -> None:
        inbox = self._inbox
        asyncio.get_running_loop().call_later(after, inbox.put_nowait, error)
