"""Short matches of scripted players in virtual time."""

from collections.abc import Callable
from typing import Any

from arena.engine.rules import Rules
from arena.notation.files import write_record
from arena.referee.match import play_match
from arena.referee.outcome import MatchOutcome
from arena.schedule.plan import BoardMode, MatchPlan, TimeControl
from tests.unit.referee.scripted import ScriptedPlayer
from tests.unit.referee.virtual import run, virtual_us

MASTER = bytes(range(32))


def plan_of(games: int = 1, **values: Any) -> MatchPlan:
    """A plan of short games: the first round that scores ends a game."""
    control = values.pop("control", TimeControl())
    mode = values.pop("mode", BoardMode.PRIVATE)
    rules = Rules.preset("classic", target=1, **values)
    return MatchPlan(rules, control, mode, MASTER, games)


def play(
    first: ScriptedPlayer | Callable[[], ScriptedPlayer],
    second: ScriptedPlayer | Callable[[], ScriptedPlayer],
    plan: MatchPlan | None = None,
    **options: Any,
) -> MatchOutcome:
    """Play a match in virtual time; a player given as such is used for every connection."""

    def maker(
        player: ScriptedPlayer | Callable[[], ScriptedPlayer],
    ) -> Callable[[], ScriptedPlayer]:
        return (lambda: player) if isinstance(player, ScriptedPlayer) else player

    async def work() -> MatchOutcome:
        makers = [maker(first), maker(second)]
        return await play_match(makers, plan or plan_of(), clock=virtual_us, **options)

    return run(work())


def forfeits(outcome: MatchOutcome) -> list[tuple[int, int, str]]:
    """Game, player and cause of each forfeit."""
    records = [game.record for game in outcome.games]
    return [(r.index, r.forfeit.player, r.forfeit.cause) for r in records if r.forfeit]


def record_of(outcome: MatchOutcome) -> str:
    """The record's text."""
    assert outcome.header is not None
    return write_record(outcome.header, [game.record for game in outcome.games])
