"""Records of captain: roles, places, advice, and the proof of them (R7)."""

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from arena.engine.errors import InvalidNotationError
from arena.engine.rules import Rules
from arena.notation.advice import Counsel, count_advice, read_marks
from arena.notation.chain import RecordError, chain, unchain
from arena.notation.files import write_record
from arena.notation.pack import pack, unpack
from arena.notation.record import Forfeit, GameRecord, RoundRecord
from arena.notation.replay import derive_game, replay_game
from arena.notation.verify import verify_record
from tests.unit.notation.playing import at_random
from tests.unit.notation.playing import play_match as play_two
from tests.unit.notation.trios import play_match

CAPTAIN = Rules.preset("captain")
HEADER, GAMES = play_match(CAPTAIN, games=3)
TEXT = write_record(HEADER, GAMES)
SHORT = write_record(*play_match(CAPTAIN.with_options({"target": 1}), games=1, seed="short"))


def edited(line: int, **values: Any) -> str:
    """TEXT with values of a line replaced (counted from 1), all links right."""
    lines = [dict(read.values) for read in unchain(TEXT)]
    changed = lines[line - 1] | values
    lines[line - 1] = {name: value for name, value in changed.items() if value is not None}
    return chain(lines)


def refused(text: str) -> RecordError:
    with pytest.raises(RecordError) as caught:
        verify_record(text)
    return caught.value


def test_a_record_of_captain_is_read_back_and_holds() -> None:
    record = verify_record(TEXT)
    assert (record.header, list(record.games)) == (HEADER, GAMES)
    assert write_record(record.header, record.games) == TEXT
    assert unpack(pack(TEXT)) == TEXT


def test_a_round_names_box_and_captain_by_their_seats() -> None:
    for game in GAMES:
        before = None
        for done in game.rounds:
            assert done.captain is not None
            assert len({done.dealer, done.captain}) == 2
            if before is not None and before.winner == before.dealer:
                assert done.dealer == before.dealer
                assert done.captain not in before.active
            if before is not None and before.winner == before.captain:
                assert done.dealer == before.captain
                assert done.captain not in before.active
            before = done


def test_places_boxes_and_margins_by_player() -> None:
    for game in GAMES:
        assert game.winner is not None
        assert game.places[game.winner] == 1
        assert game.first == game.winner
        order = sorted(range(3), key=lambda player: -game.points[player])
        assert order[0] == game.winner
        assert sum(game.boxes) == sum(done.winner is not None for done in game.rounds)
        assert sum(sum(game.margins(player)) for player in range(3)) == 0
        assert sum(len(game.margins(player)) for player in range(3)) == 2 * len(game.rounds)


def lost(game: GameRecord, player: int) -> GameRecord:
    """The game, forfeited by a player in the middle of the last round it played."""
    seat = game.seating.index(player)
    place = max(k for k, done in enumerate(game.rounds) if seat in done.active)
    done = game.rounds[place]
    cut = done.actions[: done.actions.index("d")]
    rounds = (*game.rounds[:place], RoundRecord(done.number, done.dealer, cut))
    return derive_game(CAPTAIN, replace(game, rounds=rounds, forfeit=Forfeit(player, "TIMEOUT")))


@pytest.mark.parametrize("player", range(3))
def test_r10_2_the_forfeiter_is_third_and_the_others_keep_their_order(player: int) -> None:
    game = lost(GAMES[0], player)
    assert game.places[player] == 3
    first, second = (other for other in range(3) if other != player)
    assert (game.places[first] < game.places[second]) == (game.points[first] > game.points[second])
    assert game.winner == game.first
    marks = [game.open_round(other) for other in range(3)]
    assert marks[player] == -1
    assert sorted(marks) == [-1, 0, 1]
    verify_record(write_record(HEADER, [game]))


def test_advice_is_read_back_decision_by_decision() -> None:
    counted: Counter[Counsel] = Counter()
    for game in GAMES:
        for count in count_advice(game).values():
            counted.update(count)
        steps = [step for step in replay_game(CAPTAIN, game) if step.advice is not None]
        told = [step.advice.action == step.action for step in steps if step.advice]
        count = sum(count_advice(game).values(), Counter[Counsel]())
        assert told.count(True) == count[Counsel.FOLLOWED]
        assert told.count(False) == count[Counsel.DIFFERED]
        assert all(step.seat == 1 for step in steps)
        notes = [step.advice.note for step in steps if step.advice and step.advice.note]
        assert notes == [note for done in game.rounds for _, note in done.notes]
    assert set(counted) == set(Counsel) - {Counsel.UNASKED}


def test_a_round_without_advice_has_none_in_its_line() -> None:
    rounds = tuple(replace(done, advice="", notes=()) for done in GAMES[0].rounds)
    text = write_record(HEADER, [replace(GAMES[0], rounds=rounds)])
    verify_record(text)
    assert '"advice":' not in text
    assert '"notes":' not in text


def round_with(mark: str) -> tuple[int, str]:
    """The line of a round with a mark, and its marks."""
    for line in unchain(TEXT):
        marks = str(line.values.get("advice", ""))
        if mark in read_marks(marks):
            return line.number, marks
    raise AssertionError(mark)


LINE, MARKS = round_with("=")
WRONG = [
    ("advice", MARKS + "-", "marks; the captain acts"),
    ("advice", MARKS[:-1], "marks; the captain acts"),
    ("advice", MARKS.replace("=", "w", 1), "advises what is not legal"),
    ("advice", "x" + MARKS[1:], "'x' is no mark of advice"),
    ("advice", "-" * len(read_marks(MARKS)), "does not belong there"),
    ("notes", [[0, "x" * 201]], ""),
    ("notes", [[999, "late"]], "belongs to no action"),
    ("notes", [["0", "x"]], "not a list of places and notes"),
    ("captain", 5, "it should be"),
    ("dealer", 5, "it should be"),
    ("winner", 5, "it should be"),
]


@pytest.mark.parametrize(("field", "value", "message"), WRONG)
def test_what_replay_does_not_bear_out_is_found(field: str, value: Any, message: str) -> None:
    notes = None if field == "advice" else dict(unchain(TEXT)[LINE - 1].values).get("notes")
    error = refused(edited(LINE, **({"notes": notes} | {field: value})))
    assert (error.line, error.field) == (LINE, field)
    assert message in str(error)


def test_advice_that_was_followed_has_one_form() -> None:
    line, marks = next(
        (line.number, line.values["advice"])
        for line in unchain(TEXT)
        if str(line.values.get("advice", "")).startswith("=")
    )
    action = str(unchain(TEXT)[line - 1].values["actions"])[0]
    error = refused(edited(line, advice=action + marks[1:]))
    assert (error.line, error.field) == (line, "advice")


def test_places_are_proven() -> None:
    line = next(read.number for read in unchain(TEXT) if "places" in read.values)
    assert refused(edited(line, places=[1, 1, 1])).field == "places"


@pytest.mark.parametrize(
    "values", [{"captain": 1}, {"advice": "="}, {"notes": [[0, "hello"]]}], ids=str
)
def test_a_record_of_two_has_nothing_of_captain(values: dict[str, Any]) -> None:
    decide = at_random(random.Random(1))
    lines = [
        dict(r.values) for r in unchain(write_record(*play_two(Rules(), (decide, decide), games=1)))
    ]
    first = lines[2]
    head = {name: first.pop(name) for name in ("round", "dealer")}
    tail = {name: first.pop(name) for name in ("actions",)}
    captain = {name: value for name, value in values.items() if name == "captain"}
    rest = {name: value for name, value in values.items() if name != "captain"}
    lines[2] = head | captain | tail | rest | first
    error = refused(chain(lines))
    assert (error.line, error.field) == (3, next(iter(values)))


def test_any_changed_character_is_caught() -> None:
    rng = random.Random(5)
    for place, character in enumerate(SHORT):
        other = rng.choice([c for c in '0123456789{}",:[]=~.!?-sdtkTJQK\n' if c != character])
        error = refused(SHORT[:place] + other + SHORT[place + 1 :])
        assert error.offset <= place + 1


@pytest.mark.parametrize("text", ["=-", "dTd=ptsbw", "", "~.!?"])
def test_marks_are_split_and_joined_exactly(text: str) -> None:
    assert "".join(read_marks(text)) == text


@pytest.mark.parametrize("text", ["d", "dT", "dXd", "k", "9", "=\n", "é"])
def test_no_marks(text: str) -> None:
    with pytest.raises(InvalidNotationError, match="no mark of advice"):
        read_marks(text)
