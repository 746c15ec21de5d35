"""The record as a file: one form, linked, replayed in full."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.engine.rules import PRESETS, Rules
from arena.notation.chain import RecordError, chain, mend, relink, unchain, unlink
from arena.notation.files import read_record, write_record
from arena.notation.pack import pack, unpack
from arena.notation.record import (
    FaultTime,
    Forfeit,
    GameRecord,
    GameTimes,
    Header,
    RoundRecord,
    Void,
)
from arena.notation.replay import ReplayError, derive_game, replay_game
from arena.notation.text import read_actions
from arena.notation.times import read_times, write_times
from arena.notation.verify import verify_record
from tests.unit.notation.playing import at_random, play_match


def match(rules: Rules, *, games: int = 2) -> tuple[Header, list[GameRecord]]:
    decide = at_random(random.Random(7))
    return play_match(rules, (decide, decide), games=games, names=("näme", "b"))


def open_game(game: GameRecord, *, player: int = 0) -> GameRecord:
    """The game, forfeited in the middle of its second round."""
    first, second = game.rounds[:2]
    cut = second.actions[: second.actions.index("d")]
    rounds = (first, RoundRecord(second.number, second.dealer, cut))
    forfeit = Forfeit(player, "TIMEOUT")
    return derive_game(Rules(), replace(game, rounds=rounds, forfeit=forfeit))


HEADER, GAMES = match(Rules())
VOIDED = replace(GAMES[0], voids=(Void(9, "the database was lost"),))
ALL = [VOIDED, replace(open_game(GAMES[1]), index=1)]
TEXT = write_record(HEADER, ALL)
SHORT = write_record(*match(Rules(target=1), games=1))


def times_of(text: str) -> list[GameTimes]:
    rng = random.Random(3)
    return [
        GameTimes(
            game.index,
            tuple(tuple(rng.randrange(90) for _ in read_actions(r.actions)) for r in game.rounds),
            (FaultTime(2, 1, 0, "TIMEOUT", 1_000, None),) if game.forfeit else (),
        )
        for game in read_record(text).games
    ]


def edited(line: int, **values: Any) -> str:
    """TEXT with values of a line replaced (counted from 1), all links right."""
    lines = [dict(read.values) for read in unchain(TEXT)]
    lines[line - 1] |= values
    return chain(lines)


def line_of(word: str) -> int:
    return next(read.number for read in unchain(TEXT) if word in read.values)


@pytest.mark.parametrize("preset", sorted(set(PRESETS) - {"captain"}))
def test_a_record_is_read_back_and_holds(preset: str) -> None:
    header, games = match(PRESETS[preset])
    text = write_record(header, games)
    record = verify_record(text)
    assert (record.header, list(record.games)) == (header, games)
    assert write_record(record.header, record.games) == text


def test_forfeits_and_voids_are_read_back_and_hold() -> None:
    record = verify_record(TEXT)
    assert record.games[0].voids == (Void(9, "the database was lost"),)
    lost = record.games[1]
    assert lost.forfeit == Forfeit(0, "TIMEOUT")
    assert lost.winner == 1
    assert lost.rounds[-1].ending is None
    assert lost.points == lost.totals


def test_a_game_never_begun_is_lost_without_a_round() -> None:
    unbegun = replace(GAMES[0], rounds=(), forfeit=Forfeit(1, "DISCONNECT"))
    derived = derive_game(Rules(), unbegun)
    assert (derived.winner, derived.points, derived.totals) == (0, (0, 0), (0, 0))
    verify_record(write_record(HEADER, [derived]))


def test_r10_2_margins_are_those_of_finished_rounds() -> None:
    for player in (0, 1):
        game = GAMES[0]
        margins = game.margins(player)
        assert len(margins) == len(game.rounds)
        assert sum(margins) == game.points[player] - game.points[1 - player]
    lost = open_game(GAMES[1])
    assert lost.has_open_round
    assert not GAMES[1].has_open_round
    assert lost.margins(0) == GAMES[1].margins(0)[:1]


def test_games_stand_in_the_order_of_the_schedule_and_may_be_missing() -> None:
    first, second = GAMES
    verify_record(write_record(HEADER, [replace(first, index=3), replace(second, index=5)]))
    with pytest.raises(RecordError, match="is 3; it should be 4 or more") as caught:
        verify_record(write_record(HEADER, [replace(first, index=3), replace(second, index=3)]))
    assert caught.value.field == "game"


def test_every_line_is_json_in_ascii() -> None:
    assert TEXT.isascii()
    for line in TEXT.splitlines():
        assert len(json.loads(line)["link"]) == 16


def other(character: str, rng: random.Random) -> str:
    return rng.choice([c for c in '0123456789abcdef{}",:[]sdtkTJQK\n' if c != character])


def test_any_changed_character_of_a_record_is_caught() -> None:
    rng = random.Random(5)
    for place, character in enumerate(SHORT):
        changed = SHORT[:place] + other(character, rng) + SHORT[place + 1 :]
        with pytest.raises(RecordError) as caught:
            verify_record(changed)
        line = SHORT.count("\n", 0, place) + 1
        assert caught.value.line in (line, line + 1)
        assert caught.value.offset <= place + 1


def test_any_changed_character_of_the_times_is_caught() -> None:
    rng = random.Random(6)
    text = write_times(SHORT, times_of(SHORT))
    record = read_record(SHORT)
    for place, character in enumerate(text):
        changed = text[:place] + other(character, rng) + text[place + 1 :]
        with pytest.raises(RecordError):
            read_times(changed, SHORT, record)


@given(st.integers(0, len(TEXT) - 1))
def test_a_cut_record_is_refused(length: int) -> None:
    with pytest.raises(RecordError):
        read_record(TEXT[:length])


@pytest.mark.parametrize("drop", range(1, TEXT.count("\n") + 1))
def test_a_missing_line_is_refused(drop: int) -> None:
    lines = TEXT.splitlines(keepends=True)
    del lines[drop - 1]
    with pytest.raises(RecordError) as caught:
        verify_record("".join(lines))
    last = TEXT.count("\n")
    assert caught.value.line == (last - 1 if drop == last else drop)


def test_a_record_ends_with_its_number_of_games() -> None:
    lines = [dict(line.values) for line in unchain(TEXT)]
    with pytest.raises(RecordError, match="follows the number of games"):
        read_record(chain([*lines, lines[-1]]))
    with pytest.raises(RecordError, match="ends with its number of games"):
        read_record(chain(lines[:1]))


def test_members_stand_in_one_order() -> None:
    lines = [dict(line.values) for line in unchain(TEXT)]
    lines[GAME - 1] = dict(reversed(lines[GAME - 1].items()))
    with pytest.raises(RecordError, match="the order is game, board, seed") as caught:
        read_record(chain(lines))
    assert caught.value.line == GAME


ROUND = line_of("round")
CLOSING = line_of("totals")
GAME = line_of("board")


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        (1, "format", "ginarena-record/2"),
        (1, "players", [["a", "1"]]),
        (1, "players", [["a", 1], ["b", "1"]]),
        (1, "time_control", {"bank_us": 1.5}),
        (1, "boards", "shared"),
        (GAME, "game", -1),
        (GAME, "seed", "00"),
        (GAME, "seed", "G" * 64),
        (GAME, "voids", [["9", "lost"]]),
        (ROUND, "round", 2),
        (ROUND, "dealer", 1 - GAMES[0].rounds[0].dealer),
        (ROUND, "ending", "big_gin"),
        (ROUND, "ending", "won"),
        (ROUND, "points", 1000),
        (ROUND, "points", True),
        (ROUND, "winner", 7),
        (ROUND, "actions", "pp"),
        (ROUND, "actions", "px"),
        (ROUND, "actions", GAMES[0].rounds[0].actions + "s"),
        (ROUND, "note", "extra"),
        (CLOSING, "winner", 1 - (GAMES[0].winner or 0)),
        (CLOSING, "points", [0, 0]),
        (CLOSING, "totals", [0, 0]),
        (CLOSING, "points", [0.5, 0]),
        (CLOSING, "forfeit", [0]),
        (TEXT.count("\n"), "games", 3),
    ],
)
def test_replay_finds_a_value_that_is_wrong_though_linked(
    line: int, field: str, value: object
) -> None:
    with pytest.raises(RecordError) as caught:
        verify_record(edited(line, **{field: value}))
    assert (caught.value.line, caught.value.field) == (line, field)
    assert caught.value.offset == len("".join(edited(line).splitlines(keepends=True)[: line - 1]))


def test_a_wrong_value_is_named_also_where_its_link_is_wrong() -> None:
    points = GAMES[0].rounds[0].points
    bad = TEXT.replace(f'"points":{points},', f'"points":{points + 1},', 1)
    with pytest.raises(RecordError, match=f"is {points + 1}; it should be {points}") as caught:
        verify_record(bad)
    assert caught.value.field == "points"


@pytest.mark.parametrize("option", ["columns", "layoff_on_gin", "knock_limit", "target", "luck"])
@pytest.mark.parametrize("value", [2.0, "1", None])
def test_rules_are_read_strictly(option: str, value: object) -> None:
    rules = {**Rules().as_dict(), option: value}
    with pytest.raises(RecordError) as caught:
        read_record(edited(1, rules=rules))
    assert (caught.value.line, caught.value.field) == (1, "rules")


def test_another_seed_gives_other_deals_and_is_caught() -> None:
    with pytest.raises(RecordError):
        verify_record(edited(GAME, seed="00" * 32))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"seating": (0, 0)}, "seat"),
        ({"rounds": GAMES[0].rounds[:1]}, "stops before its end"),
        ({"rounds": (*GAMES[0].rounds, GAMES[0].rounds[0])}, "was over before this round"),
        ({"forfeit": Forfeit(0, "CRASH")}, "no round of it is open"),
        ({"forfeit": Forfeit(2, "CRASH"), "rounds": ()}, "does not play"),
    ],
)
def test_a_game_that_cannot_have_been_is_refused(change: dict[str, Any], problem: str) -> None:
    with pytest.raises(ReplayError, match=problem):
        derive_game(Rules(), replace(GAMES[0], **change))


def test_a_round_may_not_be_cut_in_two() -> None:
    first = GAMES[0].rounds[0]
    halves = (
        RoundRecord(1, first.dealer, first.actions[:1]),
        replace(first, actions=first.actions[1:]),
    )
    with pytest.raises(ReplayError, match="stop before the end of the round"):
        derive_game(Rules(), replace(GAMES[0], rounds=halves + GAMES[0].rounds[1:]))


def test_replay_shows_the_deal_and_every_action() -> None:
    game = GAMES[0]
    steps = list(replay_game(Rules(), game))
    actions = sum(len(read_actions(record.actions)) for record in game.rounds)
    assert len(steps) == actions + len(game.rounds)
    assert sum(step.action is None for step in steps) == len(game.rounds)
    ends = [step.round.result for step in steps if step.round_number == len(game.rounds)]
    assert ends[-1] is not None
    assert ends[-1].ending is game.rounds[-1].ending


def test_times_are_read_back_and_belong_to_one_record() -> None:
    times = times_of(TEXT)
    text = write_times(TEXT, times)
    assert list(read_times(text, TEXT, read_record(TEXT))) == times
    with pytest.raises(RecordError, match="this record"):
        read_times(text, SHORT, read_record(SHORT))


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"ticks": [[1]]}, "ticks"),
        ({"ticks": [[-1]]}, "ticks"),
        ({"ticks": "1"}, "ticks"),
        ({"game": 5}, "ticks"),
        ({"faults": [[1, 2, 3]]}, "faults"),
        ({"late": 1}, ""),
    ],
)
def test_times_that_do_not_fit_are_refused(values: dict[str, Any], field: str) -> None:
    lines = [dict(line.values) for line in unchain(write_times(TEXT, times_of(TEXT)))]
    lines[1] |= values
    with pytest.raises(RecordError) as caught:
        read_times(chain(lines), TEXT, read_record(TEXT))
    assert (caught.value.line, caught.value.field) == (2, field)


def test_times_name_every_game() -> None:
    with pytest.raises(RecordError):
        read_times(write_times(TEXT, times_of(TEXT)[:1]), TEXT, read_record(TEXT))


def test_links_can_be_left_off_and_written_again() -> None:
    assert "link" not in unlink(TEXT)
    assert relink(unlink(TEXT)) == mend(TEXT) == TEXT


def test_packing_is_exact_and_checked() -> None:
    packed = pack(TEXT)
    assert unpack(packed) == TEXT
    for bad in (b"", b"\x01" + packed[1:], packed[:-1], packed[:1] + b"text"):
        with pytest.raises(ValueError, match="packed text"):
            unpack(bad)


members = st.text(max_size=5).filter("link".__ne__)
values = st.integers() | st.text(max_size=5) | st.none()


@given(st.lists(st.dictionaries(members, values, min_size=1, max_size=3), min_size=1, max_size=4))
def test_any_chain_is_read_back(lines: list[dict[str, Any]]) -> None:
    assert [dict(line.values) for line in unchain(chain(lines))] == lines


def test_times_below_zero_are_not_written_since_no_reader_takes_them() -> None:
    times = [GameTimes(0, ((3, -1),))]
    with pytest.raises(ValueError, match="game 0 has a time below zero"):
        write_times(SHORT, times)
