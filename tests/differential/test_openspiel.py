"""The engine against OpenSpiel's gin rummy: whole rounds, step by step (design §9)."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from arena.engine.cards import PIPS
from arena.engine.result import Ending, RoundResult
from arena.engine.round import Round
from arena.engine.rules import UPCARD
from arena.engine.view import Phase
from arena.notation import openspiel
from arena.notation.openspiel import OpenSpielRound, Refusal, UnrepresentableError, export_round
from arena.notation.text import Played
from tests.differential.conftest import COUNTS
from tests.differential.differences import Difference
from tests.differential.mirror import Mirror
from tests.differential.rounds import RULES, Plan, plans

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel (package open_spiel) is not installed")

ROUNDS = 540
"""Of each of the rule sets."""
LEAST = 300
"""Rounds of each kind of ending."""
REFUSALS = {
    Difference.ESTIMATE: Refusal.KNOCK_NOT_OFFERED,
    Difference.ESTIMATE_GIN: Refusal.KNOCK_NOT_OFFERED,
    Difference.RETURN_TWICE: Refusal.RETURNED_TWICE,
    Difference.UPCARD_CAP: Refusal.UPCARD_CAP,
    Difference.TURN_CAP: Refusal.TURN_CAP,
}
"""How the export refuses a round that a difference has ended."""


class Arena:
    """OpenSpiel's states before the deal, by game, and what was counted."""

    def __init__(self) -> None:
        self.utils = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
        self.starts: dict[str, Any] = {}
        self.seen: Counter[Difference] = Counter()
        self.endings: Counter[Ending] = Counter()
        self.cut = 0
        self.knocking_at_once = 0

    def start(self, game: str) -> Any:
        if game not in self.starts:
            self.starts[game] = pyspiel.load_game(game).new_initial_state()
        return self.starts[game]

    def mirror(self, table: Round) -> Mirror:
        fixed = table.rules.knock_limit
        limit = PIPS[table.upcard] if fixed == UPCARD else fixed
        return Mirror(
            self.start(openspiel.game_text(table.rules, limit)), self.utils, table, self.seen
        )

    def play(self, rng: random.Random, plan: Plan, table: Round) -> None:
        """Play a round in both and compare, then compare what the export writes."""
        deal = table.copy()
        played: list[Played] = []
        mirror = self.mirror(table)
        while table.phase != Phase.OVER:
            action, declaration = plan.policy(rng, table)
            played.append((action, declaration))
            mirror.play(action, declaration)
        assert table.result is not None
        self.endings[table.result.ending] += 1
        self.knocking_at_once += plan.knocks_at_once
        self.cut += mirror.ended_by is not None
        compare_export(mirror, deal, played)


def exported(deal: Round, played: list[Played]) -> OpenSpielRound | Refusal:
    try:
        return export_round(deal, played)
    except UnrepresentableError as error:
        return error.refusal


def expected_refusal(mirror: Mirror, result: RoundResult) -> Refusal | None:
    """Return why a round cannot be written, by what OpenSpiel did with it."""
    if mirror.ended_by is not None:
        return REFUSALS[mirror.ended_by]
    if result.ending == Ending.BIG_GIN:
        return Refusal.BIG_GIN
    if not mirror.kept:
        return None
    return Refusal.LAYOFF_NOT_OFFERED if result.knocker_deadwood else Refusal.LAYOFF_ON_GIN


def compare_export(mirror: Mirror, deal: Round, played: list[Played]) -> None:
    """Check that a round is written as OpenSpiel played it, or refused where it could not."""
    assert mirror.table.result is not None
    written = exported(deal, played)
    if isinstance(written, Refusal):
        assert written == expected_refusal(mirror, mirror.table.result)
        return
    assert expected_refusal(mirror, mirror.table.result) is None
    assert list(written.returns) == mirror.state.returns()
    assert sorted(written.actions) == sorted(mirror.state.history())


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_whole_rounds_differ_in_known_ways_only(
    record_property: Callable[[str, object], None],
) -> None:
    arena = Arena()
    for name, rules in RULES.items():
        rng = random.Random(name)
        for number, plan in enumerate(plans(rng, ROUNDS)):
            table = Round(rules, plan.deals(rng), rng.randrange(2))
            try:
                arena.play(rng, plan, table)
            except AssertionError as error:
                error.add_note(f"round {number} of {name!r}, dealer {table.dealer}")
                raise
    record_property(COUNTS, summary(arena))
    played = arena.endings.total()
    assert played >= 5_000
    assert arena.knocking_at_once * 2 >= played
    assert {ending for ending in Ending if arena.endings[ending] < LEAST} == set()
    assert {difference for difference in Difference if not arena.seen[difference]} == set()


def summary(arena: Arena) -> str:
    played = arena.endings.total()
    lines = [f"{played} rounds, {arena.knocking_at_once} of them knocking whenever legal"]
    lines += [f"{arena.endings[ending]:6} {ending}" for ending in Ending]
    lines += [f"{arena.seen[known]:6} times {known}" for known in Difference]
    lines += [f"{arena.cut:6} rounds that OpenSpiel could not play to the end"]
    return "\n".join(lines)
