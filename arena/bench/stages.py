"""What a decision costs by part, measured in one process: the same games, no wire between.

Tables advance in step: all decisions of a bot go through each stage as one batch, as they do over
the wire, and each stage is timed by itself.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from ginarena.v1 import bot_pb2 as pb

from arena.engine.game import Game
from arena.notation.files import write_record
from arena.notation.times import write_times
from arena.referee.match import play_match
from arena.referee.outcome import MatchOutcome
from arena.referee.player import Answer, BotInfo, Decision
from arena.rpc.codec import decode_answers, decode_decisions, encode_answers, encode_decisions
from arena.schedule.plan import MatchPlan
from arena.sdk.answers import answer
from arena.sdk.bot import Bot
from arena.sdk.load import load_bot

_BANK_US: Final = 30_000_000

_T = TypeVar("_T")


class Stopwatch:
    """CPU seconds by part."""

    def __init__(self) -> None:
        self.spent: Counter[str] = Counter()

    def time(self, part: str, work: Callable[[], _T]) -> _T:
        """Do the work and add its CPU time to a part."""
        before = time.process_time()
        result = work()
        self.spent[part] += time.process_time() - before  # type: ignore[assignment]
        return result


class _Instant:
    """A player whose bot answers within `send`, in the referee's own process."""

    def __init__(self, bot: Bot, watch: Stopwatch) -> None:
        self._bot = bot
        self._watch = watch
        self._answers: asyncio.Queue[Sequence[Answer]] = asyncio.Queue()

    async def connect(self) -> BotInfo:
        return self._bot.info()

    async def open(self) -> None:
        self._answers = asyncio.Queue()

    async def send(self, decisions: Sequence[Decision]) -> None:
        self._answers.put_nowait(self._watch.time("policy", lambda: answer(self._bot, decisions)))

    async def receive(self) -> Sequence[Answer]:
        return await self._answers.get()

    async def close(self) -> None:
        pass


def parts(plan: MatchPlan, spec: str, *, tables: int) -> dict[str, float]:
    """Return the CPU time of each part, in µs a decision.

    The referee's own part is the whole match, bots answering within the process, less the engine
    and the bots.

    Args:
        plan: the games.
        spec: the bot on both sides.
        tables: tables in step.
    """
    watch = Stopwatch()
    decisions = _in_step(plan, load_bot(spec), tables=tables, watch=watch)
    whole = Stopwatch()
    outcome = whole.time("match", lambda: _match(plan, spec, tables=tables, watch=whole))
    engine = watch.spent["referee: observe"] + watch.spent["referee: apply"]
    spent = dict(watch.spent)
    spent["referee: clocks, tables and facts"] = (
        whole.spent["match"] - whole.spent["policy"] - engine
    )
    whole.time("record", lambda: write_files(outcome))
    spent["referee: record and times"] = whole.spent["record"]
    return {part: seconds / decisions * 1e6 for part, seconds in spent.items()}


def write_files(outcome: MatchOutcome) -> str:
    """Write the record and the times of a match, as text."""
    if outcome.header is None:
        raise RuntimeError(f"the match did not take place: {outcome.detail}")
    record = write_record(outcome.header, [game.record for game in outcome.games])
    return record + write_times(record, [game.times for game in outcome.games])


def _match(plan: MatchPlan, spec: str, *, tables: int, watch: Stopwatch) -> MatchOutcome:
    players = [lambda: _Instant(load_bot(spec), watch)] * 2
    return asyncio.run(play_match(players, plan, max_tables=tables))


def _in_step(plan: MatchPlan, bot: Bot, *, tables: int, watch: Stopwatch) -> int:
    """Play all games through every stage; return the number of decisions."""
    waiting = [Game(plan.rules, game.seed) for game in plan.games]
    playing: list[Game] = []
    count = 0
    while waiting or playing:
        while waiting and len(playing) < tables:
            playing.append(waiting.pop())
        for player in (0, 1):
            asked = [game for game in playing if not game.over and game.turn == player]
            if asked:
                _through(asked, bot, watch)
                count += len(asked)
        playing = [game for game in playing if not game.over]
    return count


def _through(games: Sequence[Game], bot: Bot, watch: Stopwatch) -> None:
    seen = watch.time("referee: observe", lambda: [game.observe(game.turn) for game in games])
    batch = [Decision(n, f"{n:016x}", view, _BANK_US) for n, view in enumerate(seen)]
    sent = watch.time("referee: write decisions", lambda: encode_decisions(batch))
    got = watch.time("bot: read decisions", lambda: _read(sent))
    chosen = watch.time("bot: decide", lambda: answer(bot, got))
    back = watch.time("bot: write answers", lambda: _write(chosen))
    answers = watch.time(
        "referee: read answers", lambda: [a for m in back for a in decode_answers(m)]
    )
    watch.time("referee: apply", lambda: _apply(games, answers))


def _read(messages: Sequence[bytes]) -> list[Decision]:
    requests = map(pb.PlayRequest.FromString, messages)
    return [decision for request in requests for decision in decode_decisions(request)]


def _write(answers: Sequence[Answer]) -> list[bytes]:
    return [message.SerializeToString() for message in encode_answers(answers)]


def _apply(games: Sequence[Game], answers: Sequence[Answer]) -> None:
    for game, reply in zip(games, answers, strict=True):
        if reply.action is not None:
            game.apply(reply.action, reply.declaration)
