"""A match of captain over real gRPC: three bots, advice, records (R7)."""

import asyncio
import functools
from collections import Counter
from collections.abc import Callable, Sequence

from arena.engine.actions import PASS, Action
from arena.engine.rules import Rules
from arena.engine.view import Observation, Phase, Role
from arena.notation.advice import Counsel, count_advice
from arena.notation.files import write_record
from arena.notation.pack import pack, unpack
from arena.notation.verify import verify_record
from arena.referee.match import play_match
from arena.referee.outcome import MatchEnd, MatchOutcome
from arena.referee.player import Player
from arena.rpc.client import GrpcPlayer
from arena.rpc.server import BotServer
from arena.schedule.plan import BoardMode, MatchPlan, TimeControl
from arena.sdk import Bot, LocalPlayer
from arena.sdk.answers import answer
from arena.sdk.bots.greedy import Greedy
from arena.sdk.bots.simple import Simple

PLAN = MatchPlan(Rules.preset("captain"), TimeControl(), BoardMode.MIRRORED, bytes(32), slots=1)


class Listener(Simple):
    """Wants advice and follows it; advises with a note."""

    name = "listener"
    wants_advice = True

    def act(self, observation: Observation) -> Action:
        advice = observation.advice
        return super().act(observation) if advice is None else advice.action

    def advise(self, observation: Observation) -> Action | tuple[Action, str]:
        advised = super().advise(observation)
        return (advised, "as simple would") if isinstance(advised, Action) else advised


class Fool(Simple):
    """Plays well and advises what is illegal at most times."""

    name = "fool"
    wants_advice = True

    def advise(self, observation: Observation) -> Action:
        assert observation.role is Role.CAPTAIN
        return PASS if observation.phase is not Phase.UPCARD else observation.legal[0]


BOTS: Sequence[Callable[[], Bot]] = (Listener, Greedy, Fool)


async def over_grpc() -> MatchOutcome:
    bots = [make() for make in BOTS]
    servers = [BotServer(bot.info(), functools.partial(answer, bot)) for bot in bots]
    try:
        ports = [await server.start() for server in servers]
        makers = [functools.partial(GrpcPlayer, "127.0.0.1", port) for port in ports]
        return await play_match(makers, PLAN)
    finally:
        for server in servers:
            await server.stop(grace=0)


async def in_process() -> MatchOutcome:
    def maker(make: Callable[[], Bot]) -> Callable[[], Player]:
        return lambda: LocalPlayer(make())

    return await play_match([maker(make) for make in BOTS], PLAN)


def text_of(outcome: MatchOutcome) -> str:
    assert outcome.end is MatchEnd.COMPLETE
    assert outcome.header is not None
    return write_record(outcome.header, [game.record for game in outcome.games])


def test_captain_over_grpc_is_captain_in_process_and_its_record_holds() -> None:
    text = text_of(asyncio.run(over_grpc()))
    assert text == text_of(asyncio.run(in_process()))
    assert unpack(pack(text)) == text
    games = verify_record(text).games
    assert len({game.seating for game in games}) == len(games) == 6
    counts: dict[tuple[int, int], Counter[Counsel]] = {}
    for game in games:
        assert game.forfeit is None
        for pair, count in count_advice(game).items():
            counts.setdefault(pair, Counter()).update(count)
    listener, greedy, fool = range(3)
    assert (listener, greedy) in counts or not Greedy.wants_advice
    assert set(counts[greedy, listener]) == {Counsel.FOLLOWED}
    assert counts[fool, listener][Counsel.ILLEGAL] > counts[fool, listener][Counsel.FOLLOWED] > 0
    assert counts[listener, fool][Counsel.FOLLOWED] > 0
    assert not any(count[kind] for count in counts.values() for kind in (Counsel.MALFORMED,))
    notes = {note for game in games for done in game.rounds for _, note in done.notes}
    assert notes == {"as simple would"}
