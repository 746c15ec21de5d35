"""Words, numbers, charts and the sprite."""

import math
import re

import pytest

from arena.engine.actions import BIG_GIN, DISCARD, KNOCK, PASS, SHOW, STOCK, TAKE, Action
from arena.engine.cards import CARD_TEXT, parse_card
from arena.engine.result import Ending
from arena.engine.rules import PRESETS, Rules
from arena.referee.verdict import Cause
from arena.store.models import LeagueState, MatchState
from dashboard import sprite, words
from dashboard.charts import Axis, draw_axis, draw_interval, draw_margin

TEN = parse_card("Td")


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (PASS, "passes on the 10♦"),
        (TAKE, "takes the 10♦ from the pile"),
        (STOCK, "draws the K♠ from the stock"),
        (DISCARD[TEN], "discards the 10♦"),
        (KNOCK[TEN], "knocks, discarding the 10♦"),
        (BIG_GIN, "shows big gin: all eleven cards melded"),
        (SHOW, "shows melds and lays off"),
    ],
)
def test_actions_in_words(action: Action, said: str) -> None:
    assert words.describe_action(action, drawn=parse_card("Ks"), upcard=TEN) == said


@pytest.mark.parametrize("preset", PRESETS)
def test_rules_of_every_preset_in_words(preset: str) -> None:
    rules = PRESETS[preset]
    said = " ".join(words.describe_rules(rules))
    assert f"First to {rules.target} points" in said
    assert f"Gin scores {rules.gin_bonus} more" in said
    assert "  " not in said
    assert "None" not in said


def test_options_change_the_words() -> None:
    said = " ".join(
        words.describe_rules(
            Rules.preset(
                "oklahoma", oklahoma_ace="one", stock_end="last_discard", undercut_on_tie=False,
                return_taken_card=True, winner_by="total", shutout="double_total",
            )
        )
    )  # fmt: skip
    assert "an ace means 1; a spade doubles the round" in said
    assert "unless the other seat can knock with the last discard" in said
    assert "Equal deadwood is a tie" in said
    assert "may go back" in said
    assert "by the total after bonuses" in said
    assert "doubles the winner's total" in said


def test_every_cause_ending_and_state_has_words() -> None:
    assert set(words.CAUSES) == {cause.value for cause in Cause}
    assert set(words.ENDINGS) == set(Ending)
    assert set(words.STATES) == {s.value for s in (*LeagueState, *MatchState)}


def test_cards_in_signs_and_names() -> None:
    assert [words.card_sign(parse_card(t)) for t in ("As", "Td", "7h", "Qc")] == [
        "A♠", "10♦", "7♥", "Q♣",
    ]  # fmt: skip
    assert words.card_name(TEN) == "10 of diamonds"
    assert len({words.card_name(card) for card in range(52)}) == 52


def test_numbers() -> None:
    assert words.signed(3.25, 1) == "+3.2"
    assert words.signed(-0.04, 1) == "0.0"
    assert words.signed(-2, 0) == "\u22122"
    assert words.count(1234567) == "1\u202f234\u202f567"
    assert words.percent(1, 3) == "33 %"
    assert words.percent(0, 0) == "\u2013"


@pytest.mark.parametrize(
    ("us", "said"),
    [
        (1_500, "1.5 ms"),
        (15_000_000, "15 s"),
        (600_000_000, "10 min"),
        (9_000_000_000, "2 h 30 min"),
    ],
)
def test_durations_have_units(us: int, said: str) -> None:
    assert words.duration(us) == said


def test_axis_holds_all_intervals_at_round_ticks() -> None:
    axis = Axis.spanning([1380, 1720, 1500])
    assert axis.low < 1380
    assert axis.high > 1720
    assert 2 <= len(axis.ticks) <= 6
    assert all(tick % 10 == 0 for tick in axis.ticks)
    assert axis.place(1380) < axis.place(1500) < axis.place(1720)


def test_axis_of_nothing_and_of_the_unknown_is_still_one() -> None:
    assert Axis.spanning([]).ticks
    assert Axis.spanning([-math.inf, math.inf]) == Axis.spanning([])
    assert len(Axis.spanning([-9e6, 9e6]).ticks) <= 8


def test_interval_is_drawn_where_the_axis_says() -> None:
    axis = Axis.spanning([1400, 1600])
    drawn = draw_interval(axis, 1400, 1510, 1600, anchor=1500)
    assert f'cx="{axis.place(1510)}"' in drawn
    assert f'x="{axis.place(1400)}"' in drawn
    assert "anchor-line" in drawn
    assert draw_axis(axis).count("<text") == len(axis.ticks)
    unknown = draw_interval(axis, -math.inf, 1500, math.inf, anchor=1500)
    assert "inf" not in unknown
    assert "nan" not in unknown


def test_margin_line_has_a_point_for_each_round() -> None:
    drawn = draw_margin([5, -20, 30])
    match = re.search(r'points="([^"]+)"', drawn)
    assert match
    heights = [float(point.split(",")[1]) for point in match.group(1).split()]
    assert len(heights) == 4
    assert heights[0] == 18
    assert heights[2] > 18 > heights[3]
    assert "polyline" in draw_margin([])


def test_sprite_file_is_what_the_script_draws() -> None:
    assert sprite.PATH.read_text(encoding="utf-8") == sprite.draw_sprite()


def test_sprite_has_every_card() -> None:
    ids = re.findall(r'<symbol id="(\w\w)"', sprite.draw_sprite())
    assert sorted(ids) == sorted(CARD_TEXT)
    assert "style=" not in sprite.draw_sprite()
