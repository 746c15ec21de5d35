"""P1: on mirrored boards the luck of the deal cancels out, to the point (R9.4, R10.4)."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping

import pytest

from arena.engine.rules import Rules
from arena.notation.record import GameRecord
from arena.ratings.bradley_terry import GameFact, fit
from arena.referee.match import play_match
from arena.schedule.plan import BoardMode, MatchPlan, TimeControl
from arena.sdk.bot import Bot
from arena.sdk.bots.greedy import Greedy
from arena.sdk.bots.random import Random
from arena.sdk.bots.simple import Simple
from arena.sdk.local import LocalPlayer

SHORT = {"target": 40, "max_turns": 40}


def play(bots: tuple[type[Bot], ...], *, boards: int, preset: str = "classic") -> list[GameRecord]:
    """Play every seating of the boards and return the records."""
    rules = Rules.preset(preset, **SHORT)
    plan = MatchPlan(rules, TimeControl(), BoardMode.MIRRORED, bytes(range(32)), boards)
    makers = [lambda bot=bot: LocalPlayer(bot()) for bot in bots]
    outcome = asyncio.run(play_match(makers, plan, on_game=lambda game: None))
    return [game.record for game in outcome.games]


def margins(games: list[GameRecord]) -> Mapping[int, tuple[int, ...]]:
    """Return by board how far each player is above the mean of its game, in sum, times players."""
    sums: dict[int, list[int]] = defaultdict(lambda: [0] * len(games[0].seating))
    for game in games:
        for player, points in enumerate(game.totals):
            sums[game.board][player] += points * len(game.totals) - sum(game.totals)
    return {board: tuple(found) for board, found in sums.items()}


@pytest.mark.parametrize("bot", [Simple, Greedy, Random])
def test_a_bot_against_itself_sums_to_nothing_on_every_board(bot: type[Bot]) -> None:
    games = play((bot, bot), boards=20)
    assert len(games) == 40
    assert set(margins(games).values()) == {(0, 0)}
    assert len({game.totals for game in games}) > 20


def test_a_bot_against_itself_twice_sums_to_nothing_on_every_board() -> None:
    """R9.4: six seatings of a board in captain."""
    games = play((Simple, Simple, Simple), boards=3, preset="captain")
    assert len(games) == 18
    assert set(margins(games).values()) == {(0, 0, 0)}


def test_different_bots_do_not_sum_to_nothing() -> None:
    """What the tests above assert is no matter of course."""
    assert any(map(any, margins(play((Greedy, Random), boards=5)).values()))


def test_the_ratings_of_a_bot_and_itself_are_the_same_to_the_bit() -> None:
    facts = [
        GameFact(entries=("one", "two"), places=game.places, cluster=(0, game.board))
        for game in play((Greedy, Greedy), boards=20)
    ]
    one, two = fit(facts, anchor=None).ratings
    assert (one.elo, one.score) == (two.elo, two.score)
    assert one.elo == pytest.approx(1500)
