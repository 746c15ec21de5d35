"""A version of a reference bot never changes: ratings of years compare with it."""

import hashlib

import pytest

from arena.engine.actions import SHOW, Kind
from arena.engine.deal import board_seed
from arena.engine.game import Game
from arena.engine.rules import Rules
from arena.engine.view import Phase
from arena.sdk import Bot, load_bot
from arena.sdk.load import REFERENCE_BOTS

DIGESTS = {
    "random": "04e2ed15b3b4a0a6",
    "simple": "799c682848fdb8e5",
    "greedy": "cd502462b9495fe0",
    "patient": "5511e7b405d41578",
}
"""What each did on the boards below; another digest is another version."""


def actions_of(bot: Bot, rules: Rules, seed: bytes) -> str:
    """Play one game against `simple`, the bot in seat 0, and return all it did."""
    game, opponent = Game(rules, seed), load_bot("simple")
    done = []
    while not game.over:
        seat = game.turn
        seen = game.observe(seat)
        action = SHOW if seen.phase == Phase.SHOWDOWN else (opponent if seat else bot).act(seen)
        if not seat:
            done.append(f"{Kind(action.kind).name}{action.card}")
        game.apply(action)
    return " ".join(done)


@pytest.mark.parametrize("name", REFERENCE_BOTS)
def test_a_version_of_a_reference_bot_never_changes(name: str) -> None:
    done = [
        actions_of(load_bot(name), Rules.preset(preset), board_seed(b"frozen", number))
        for number, preset in enumerate(["classic", "modern", "oklahoma", "straight"] * 4)
    ]
    assert hashlib.sha256("\n".join(done).encode()).hexdigest()[:16] == DIGESTS[name]


@pytest.mark.parametrize("name", REFERENCE_BOTS)
@pytest.mark.parametrize("change", [{"stock_end": "last_discard"}, {"return_taken_card": True}])
def test_a_reference_bot_plays_legally_by_rarer_rules(name: str, change: dict[str, str]) -> None:
    rules = Rules.preset("oklahoma", oklahoma_ace="one", **change)
    for number in range(8):
        assert actions_of(load_bot(name), rules, board_seed(b"rare", number))
