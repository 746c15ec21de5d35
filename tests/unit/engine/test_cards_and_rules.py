"""Cards as text, and rule sets (R1, R8)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.engine.cards import (
    CARD_TEXT,
    DECK,
    card_set,
    cards_text,
    iter_cards,
    parse_card,
    parse_cards,
    parse_set,
    pips,
    set_text,
    sorted_cards,
)
from arena.engine.errors import Illegal, IllegalActionError, InvalidNotationError, InvalidRulesError
from arena.engine.result import Ending, RoundResult, price
from arena.engine.round import round_limit
from arena.engine.rules import PRESETS, UPCARD, Rules

sets = st.integers(0, DECK)


def test_cards_by_number_r1_3() -> None:
    corners = [CARD_TEXT[card] for card in (0, 12, 13, 26, 39, 51)]
    assert corners == ["Ac", "Kc", "Ad", "Ah", "As", "Ks"]


@given(sets)
def test_a_set_is_its_text(cards: int) -> None:
    assert parse_set(set_text(cards)) == cards
    assert card_set(iter_cards(cards)) == cards
    assert pips(cards) == sum(min(card % 13 + 1, 10) for card in iter_cards(cards))
    assert sorted_cards(cards) == sorted(iter_cards(cards), key=lambda c: (c % 13, c // 13))


@given(st.lists(st.integers(0, 51)))
def test_a_pile_is_its_text(cards: list[int]) -> None:
    assert parse_cards(cards_text(cards)) == tuple(cards)


@pytest.mark.parametrize("text", ["", "T", "td", "1c", "10d", "Tx", "Td "])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(InvalidNotationError, match="not a card"):
        parse_card(text)


def test_a_set_holds_a_card_once() -> None:
    with pytest.raises(InvalidNotationError, match="twice"):
        parse_set("TdTd")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gin_bonus": -1}, "gin_bonus"),
        ({"target": 0}, "target"),
        ({"target": "many"}, "target"),
        ({"undercut_on_tie": "maybe"}, "undercut_on_tie"),
        ({"knock_limit": 11}, "knock_limit"),
        ({"shutout": "plus_200"}, "shutout"),
        ({"columns": 2}, "columns"),
        ({"columns": True}, "columns is True"),
        ({"players": 2.0}, "players is 2.0"),
        ({"knock_limit": True}, "knock_limit is True"),
        ({"aces": "high"}, "no option 'aces'"),
        ({"next_dealer": "box"}, "players 3"),
        ({"oklahoma_ace": "one"}, "knock_limit upcard"),
        ({"spade_double": True}, "knock_limit upcard"),
    ],
)
def test_impossible_rules_are_refused_r8(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidRulesError, match=message):
        Rules.preset("classic", **options)


def test_captain_has_one_column_and_the_box_deals_r8() -> None:
    with pytest.raises(InvalidRulesError, match="columns 3"):
        Rules.preset("captain", columns=3)
    with pytest.raises(InvalidRulesError, match="next_dealer box"):
        Rules.preset("captain", next_dealer="winner")


@pytest.mark.parametrize("name", PRESETS)
def test_a_rule_set_is_its_values(name: str) -> None:
    rules = Rules.preset(name)
    assert Rules().with_options(rules.as_dict()) == rules
    as_text = {key: str(value) for key, value in rules.as_dict().items()}
    assert Rules().with_options(as_text) == rules


@pytest.mark.parametrize(
    ("preset", "ace", "upcard", "limit"),
    [
        ("classic", "gin", "Ac", 10),
        ("straight", "gin", "9c", 0),
        ("oklahoma", "gin", "Ac", 0),
        ("oklahoma", "one", "Ac", 1),
        ("oklahoma", "gin", "2d", 2),
        ("oklahoma", "gin", "Th", 10),
        ("oklahoma", "gin", "Ks", 10),
    ],
)
def test_the_knock_limit_of_a_round_r6_1(preset: str, ace: str, upcard: str, limit: int) -> None:
    rules = Rules.preset(preset)
    if rules.knock_limit == UPCARD:
        rules = rules.with_options({"oklahoma_ace": ace})
    assert round_limit(rules, parse_card(upcard)) == limit


@pytest.mark.parametrize(
    ("ending", "own", "other", "points"),
    [
        (Ending.KNOCK, 5, 30, 25),
        (Ending.UNDERCUT, 8, 3, 30),
        (Ending.UNDERCUT, 8, 8, 25),
        (Ending.GIN, 0, 30, 55),
        (Ending.BIG_GIN, 0, 30, 61),
        (Ending.TIE, 8, 8, 0),
        (Ending.DEAD, 0, 0, 0),
    ],
)
def test_the_price_of_a_round_r4(ending: Ending, own: int, other: int, points: int) -> None:
    result = RoundResult(ending, knocker_deadwood=own, defender_deadwood=other, upcard_spade=True)
    assert price(Rules.preset("modern"), result) == points
    assert price(Rules.preset("oklahoma"), result) == 2 * points


def test_an_illegal_action_says_its_cause() -> None:
    assert str(IllegalActionError(Illegal.NOT_A_MELD, "KsKh")) == "not_a_meld: KsKh"
    assert str(IllegalActionError(Illegal.ROUND_OVER)) == "round_over"
