"""Plans of matches: boards, seatings, time controls (R9, R10.3, R10.5)."""

from collections import Counter
from typing import Any

import pytest

from arena.engine.deal import board_seed
from arena.engine.errors import InvalidRulesError
from arena.engine.rules import PRESETS, Rules
from arena.schedule.plan import TIME_CONTROLS, BoardMode, MatchPlan, TimeControl

MASTER = bytes(range(32))


def plan(mode: BoardMode, *, slots: int = 4, number: int = 0, rules: str = "classic") -> MatchPlan:
    return MatchPlan(PRESETS[rules], TimeControl(), mode, MASTER, slots, number)


def test_r9_4_private_games_have_a_board_each_and_seats_in_turn() -> None:
    games = plan(BoardMode.PRIVATE, number=3).games
    assert [game.index for game in games] == [0, 1, 2, 3]
    assert [game.board for game in games] == [3 << 16 | slot for slot in range(4)]
    assert [game.seating for game in games] == [(0, 1), (1, 0), (0, 1), (1, 0)]


def test_r9_4_mirrored_games_play_all_boards_in_one_seating_then_in_the_next() -> None:
    games = plan(BoardMode.MIRRORED, slots=2).games
    assert [(game.board, game.seating) for game in games] == [
        (0, (0, 1)), (1, (0, 1)), (0, (1, 0)), (1, (1, 0)),
    ]  # fmt: skip


def test_r7_7_three_players_have_six_seatings() -> None:
    games = plan(BoardMode.MIRRORED, slots=2, rules="captain").games
    assert len({game.seating for game in games}) == 6
    assert set(Counter(game.board for game in games).values()) == {6}


def test_r9_1_a_board_has_its_seed_from_master_and_number() -> None:
    for game in plan(BoardMode.PRIVATE, number=7).games:
        assert game.seed == board_seed(MASTER, game.board)


def test_r10_3_reserve_boards_follow_the_main_ones_and_meet_no_other() -> None:
    boards = []
    for number in range(3):
        own = plan(BoardMode.PRIVATE, number=number)
        boards += [game.board for game in own.games] + [own.reserve(i)[0] for i in range(20)]
    assert len(set(boards)) == len(boards)
    assert plan(BoardMode.PRIVATE, number=2).reserve(0) == (2 << 16 | 4, board_seed(MASTER, 131076))


def test_r10_3_a_game_goes_to_a_reserve_board_with_its_seating() -> None:
    own = plan(BoardMode.PRIVATE)
    again = own.games[1].on(*own.reserve(0))
    assert (again.index, again.seating) == (1, (1, 0))
    assert (again.board, again.seed) == own.reserve(0)


@pytest.mark.parametrize("index", [-1, 65_536 - 4])
def test_a_match_owns_its_boards_only(index: int) -> None:
    with pytest.raises(InvalidRulesError, match="reserve board"):
        plan(BoardMode.PRIVATE).reserve(index)


@pytest.mark.parametrize("slots", [0, -1, 65_536])
def test_a_match_has_at_least_one_board_and_room_for_reserves(slots: int) -> None:
    with pytest.raises(InvalidRulesError, match="boards"):
        plan(BoardMode.PRIVATE, slots=slots)


def test_the_largest_match_keeps_reserves() -> None:
    own = plan(BoardMode.PRIVATE, slots=64_512)
    assert own.reserve(1023)[0] == 65_535


def test_r10_5_named_time_controls() -> None:
    values = {
        name: (control.bank_us, control.increment_us, control.silence_us)
        for name, control in TIME_CONTROLS.items()
    }
    assert values == {
        "fast": (10_000_000, 20_000, 15_000_000),
        "standard": (30_000_000, 50_000, 15_000_000),
        "thinking": (300_000_000, 500_000, 120_000_000),
    }
    for name, control in TIME_CONTROLS.items():
        assert TimeControl.named(name) is control
        assert control.name == name
        assert (control.connect_us, control.first_answer_us) == (5_000_000, 10_000_000)
        assert (control.advice_bank_us, control.advice_increment_us) == (15_000_000, 20_000)
        assert (control.lag_us, control.reopen_us) == (50_000, 10_000_000)


def test_r10_5_all_values_can_be_set_and_read_back() -> None:
    own = TimeControl.named("fast").with_values({"name": "own", "bank_us": 1})
    assert own.bank_us == 1
    assert TimeControl(**own.as_dict()) == own  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "values",
    [{"bank_us": -1}, {"bank_us": 1.5}, {"bank_us": True}, {"lag_us": 10**12}, {"bank": 1}],
)
def test_impossible_clock_values_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(InvalidRulesError, match=next(iter(values))):
        TimeControl().with_values(values)


def test_an_unknown_time_control_is_refused() -> None:
    with pytest.raises(InvalidRulesError, match="fast, standard, thinking"):
        TimeControl.named("slow")


def test_a_plan_is_the_same_each_time() -> None:
    assert plan(BoardMode.MIRRORED).games == plan(BoardMode.MIRRORED).games
    assert Rules() == plan(BoardMode.MIRRORED).rules
