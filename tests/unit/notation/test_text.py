"""Actions as text: read and written exactly (record format 1)."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.engine.actions import (
    BIG_GIN,
    DISCARD,
    KNOCK,
    PASS,
    SHOW,
    STOCK,
    TAKE,
    Action,
    Declaration,
    Kind,
)
from arena.engine.cards import parse_card, parse_set
from arena.engine.errors import InvalidNotationError
from arena.engine.melds import MELDS
from arena.engine.rules import PRESETS
from arena.notation.text import Played, read_action, read_actions, write_action, write_actions
from tests.unit.notation.playing import at_random, play_match

TD = parse_card("Td")
MELDS_SHOWN = Declaration((parse_set("7c8c9c"), parse_set("2c2d2h")))
LAID_OFF = Declaration((parse_set("2c2d2h"),), ((TD, 0), (parse_card("Jd"), 0)))

CASES = [
    (PASS, None, "p"),
    (TAKE, None, "t"),
    (STOCK, None, "s"),
    (DISCARD[TD], None, "dTd"),
    (KNOCK[TD], None, "kTd"),
    (KNOCK[TD], MELDS_SHOWN, "kTd[7c8c9c.2c2d2h]"),
    (BIG_GIN, None, "b"),
    (BIG_GIN, MELDS_SHOWN, "b[7c8c9c.2c2d2h]"),
    (SHOW, None, "w"),
    (SHOW, Declaration(), "w[]"),
    (SHOW, Declaration((), ((TD, 1),)), "w[/Td1]"),
    (SHOW, LAID_OFF, "w[2c2d2h/Td0Jd0]"),
]


@pytest.mark.parametrize(("action", "declaration", "text"), CASES)
def test_each_kind_of_action_has_one_text(
    action: Action, declaration: Declaration | None, text: str
) -> None:
    assert write_action(action, declaration) == text
    assert read_action(text) == (action, declaration)


@pytest.mark.parametrize(
    "text",
    ["", "x", "d", "dTx", "d1d", "dTd ", "P", "dtd", "k", "kTd[", "kTd[7c8c9c", "kTd]", "p[]",
     "dTd[]", "kTd[8c7c9c]", "kTd[7c7c9c]", "kTd[7c8c9c.]", "kTd[.]", "w[2c2d2h/]", "w[2c2d2h/Td]",
     "w[2c2d2h/TdA]", "w[2c2d2h//Td0]", "pp", "w[\u0967]", "w[/Td\u0967]"],
)  # fmt: skip
def test_other_text_is_no_action(text: str) -> None:
    with pytest.raises(InvalidNotationError):
        read_action(text)


@pytest.mark.parametrize(
    ("action", "declaration"),
    [
        (PASS, Declaration()),
        (DISCARD[TD], MELDS_SHOWN),
        (KNOCK[TD], Declaration((0,))),
        (SHOW, Declaration((), ((TD, 10),))),
    ],
)
def test_what_has_no_text_is_refused(action: Action, declaration: Declaration) -> None:
    with pytest.raises(InvalidNotationError):
        write_action(action, declaration)


def test_an_error_names_the_character() -> None:
    with pytest.raises(InvalidNotationError, match="character 4"):
        read_actions("pdTdxs")


cards = st.integers(0, 51)
declarations = st.builds(
    Declaration,
    st.lists(st.sampled_from(sorted(MELDS)), max_size=3).map(tuple),
    st.lists(st.tuples(cards, st.integers(0, 9)), max_size=4).map(tuple),
)
plain: st.SearchStrategy[Played] = st.one_of(
    st.sampled_from([PASS, TAKE, STOCK]), cards.map(DISCARD.__getitem__)
).map(lambda action: (action, None))
declaring: st.SearchStrategy[Played] = st.tuples(
    st.one_of(st.sampled_from([BIG_GIN, SHOW]), cards.map(KNOCK.__getitem__)),
    st.none() | declarations,
)


@given(st.lists(plain | declaring, max_size=30))
def test_any_actions_are_read_back(played: list[Played]) -> None:
    text = write_actions(played)
    assert read_actions(text) == played
    assert "".join(write_action(*one) for one in played) == text


@given(st.text("ptsdkbw[]./0127AcdhsTJQK", max_size=40))
def test_text_that_is_read_is_the_one_text_of_its_actions(text: str) -> None:
    try:
        played = read_actions(text)
    except InvalidNotationError:
        return
    assert write_actions(played) == text


@pytest.mark.parametrize("preset", ["classic", "modern", "oklahoma"])
def test_real_rounds_are_read_back(preset: str) -> None:
    decide = at_random(random.Random(preset))
    _, games = play_match(PRESETS[preset], (decide, decide), games=10)
    texts = [record.actions for game in games for record in game.rounds]
    assert [write_actions(read_actions(text)) for text in texts] == texts
    declared = sum("[" in text for text in texts)
    shown = [played[-1][0].kind for text in texts if (played := read_actions(text))]
    assert declared > 0
    assert Kind.SHOW in shown


def test_the_example_of_the_documentation_is_read_as_it_says() -> None:
    example = "ptdKcsdKhsk9h[2c2d2h.7s8s9s]w"
    assert f"`{example}`" in (Path(__file__).parents[3] / "docs" / "notation.md").read_text()
    spread = Declaration((parse_set("2c2d2h"), parse_set("7s8s9s")))
    assert read_actions(example) == [
        (PASS, None),
        (TAKE, None),
        (DISCARD[parse_card("Kc")], None),
        (STOCK, None),
        (DISCARD[parse_card("Kh")], None),
        (STOCK, None),
        (KNOCK[parse_card("9h")], spread),
        (SHOW, None),
    ]
