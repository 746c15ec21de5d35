import subprocess
import sys

import pytest

import arena.sdk
from arena.engine.actions import BIG_GIN, DISCARD, KNOCK, PASS, STOCK, TAKE, Action
from arena.engine.cards import parse_card
from arena.engine.rules import Rules
from arena.engine.view import Phase
from arena.sdk import deadwood_after, forbidden_discards, set_text, unseen_cards
from tests.unit.sdk.observations import observation


def test_every_name_of_the_sdk_is_there() -> None:
    assert all(hasattr(arena.sdk, name) for name in arena.sdk.__all__)
    assert len(set(arena.sdk.__all__)) == len(arena.sdk.__all__)


def test_the_sdk_imports_no_grpc_until_a_bot_is_served() -> None:
    code = "import sys, arena.sdk; print([m for m in ('grpc', 'google') if m in sys.modules])"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert printed.stdout == "[]\n", printed.stderr


def test_unseen_cards_are_in_the_stock_or_unknown_in_the_opponents_hand() -> None:
    seen = observation(hand="Ac2c3c7d8dTdTsKh5s4h", discards="9d9s", known="Jd")
    unseen = unseen_cards(seen)
    assert unseen.bit_count() == 52 - 10 - 2 - 1
    assert not unseen & (seen.hand | seen.known)
    assert "9d" not in set_text(unseen)


@pytest.mark.parametrize(
    ("from_pile", "may_return", "barred"),
    [(True, False, "Kh"), (True, True, ""), (False, False, "")],
)
def test_r3_2_the_card_just_taken_may_not_be_thrown(
    barred: str, *, from_pile: bool, may_return: bool
) -> None:
    seen = observation(
        rules=Rules(return_taken_card=may_return),
        phase=Phase.DISCARD,
        drawn=parse_card("Kh"),
        drawn_from_pile=from_pile,
    )
    assert set_text(forbidden_discards(seen)) == barred


AFTER = {
    "pass": ("Ac2c3c7d8dTdTsKh5s4h", "9d", PASS, 54),
    "stock": ("Ac2c3c7d8dTdTsKh5s4h", "9d", STOCK, 54),
    "take and throw the king": ("Ac2c3c7d8dTdTsKh5s4h", "9d", TAKE, 19),
    "take, the card itself stays": ("Ac2c3c7d8d9d5s5h5dAs", "Kh", TAKE, 10),
    "discard": ("Ac2c3c7d8d9d5s5h5dAsKh", "2s", DISCARD[parse_card("Kh")], 1),
    "knock": ("Ac2c3c7d8d9d5s5h5dAsKh", "2s", KNOCK[parse_card("As")], 10),
    "big gin": ("Ac2c3c7d8d9dTd5s5h5d5c", "2s", BIG_GIN, 0),
}


@pytest.mark.parametrize(("hand", "upcard", "action", "deadwood"), AFTER.values(), ids=AFTER)
def test_deadwood_after_an_action(hand: str, upcard: str, action: Action, deadwood: int) -> None:
    assert deadwood_after(observation(hand=hand, discards=upcard), action) == deadwood
