"""Scripted players of captain, and short matches of them in virtual time."""

from typing import Any

from arena.engine.rules import Rules
from arena.notation.verify import verify_record
from arena.referee.match import play_match
from arena.referee.outcome import MatchOutcome
from arena.referee.player import Answer, Decision
from arena.referee.verdict import Cause, PlayerError
from arena.schedule.plan import BoardMode, MatchPlan, TimeControl
from tests.unit.referee.matches import MASTER, record_of
from tests.unit.referee.scripted import ScriptedPlayer, Step, choose
from tests.unit.referee.virtual import run, virtual_us

CONTROL = TimeControl()
DOWN = PlayerError(Cause.DISCONNECT, "connection refused")


def trio(**options: Any) -> list[ScriptedPlayer]:
    """Three players of captain that advise and want advice."""
    defaults: dict[str, Any] = {"advises": True, "wants_advice": True, "rule_sets": ["captain"]}
    return [ScriptedPlayer(name=name, **(defaults | options)) for name in "abc"]


def plan_of(games: int = 1, *, mode: BoardMode = BoardMode.PRIVATE, target: int = 60) -> MatchPlan:
    return MatchPlan(Rules.preset("captain", target=target), CONTROL, mode, MASTER, games)


def play(
    players: list[ScriptedPlayer], plan: MatchPlan | None = None, **options: Any
) -> MatchOutcome:
    async def work() -> MatchOutcome:
        makers = [lambda player=player: player for player in players]
        return await play_match(makers, plan or plan_of(), clock=virtual_us, **options)

    outcome = run(work())
    if outcome.header is not None:
        verify_record(record_of(outcome))
    return outcome


def noted(text: str) -> Step:
    """Advise well, with a note."""

    def step(player: ScriptedPlayer, decision: Decision) -> None:
        player.reply(Answer(decision.id, choose(decision), note=text))

    return step
