"""Records written by earlier versions still hold, to the byte."""

from pathlib import Path

import pytest

from arena.notation.files import read_record, write_record
from arena.notation.times import read_times, write_times
from arena.notation.verify import verify_record
from tests.unit.notation.golden import FOLDER, PRESET_NAMES

RECORDS = sorted(path for path in FOLDER.glob("*.jsonl") if ".times" not in path.name)


def test_all_golden_records_are_there() -> None:
    assert [path.stem for path in RECORDS] == sorted(["captain", "classic", *PRESET_NAMES])


@pytest.mark.parametrize("path", RECORDS, ids=[path.stem for path in RECORDS])
def test_a_golden_record_holds_and_is_written_the_same(path: Path) -> None:
    text = path.read_bytes().decode("ascii")
    record = verify_record(text)
    assert write_record(record.header, record.games) == text


def test_golden_times_hold_and_are_written_the_same() -> None:
    text = (FOLDER / "classic.jsonl").read_text()
    times = (FOLDER / "classic.times.jsonl").read_text()
    assert write_times(text, read_times(times, text, read_record(text))) == times


def test_the_golden_records_hold_every_kind_of_ending_and_declaration() -> None:
    games = [game for path in RECORDS for game in read_record(path.read_text()).games]
    rounds = [record for game in games for record in game.rounds]
    endings = {record.ending for record in rounds}
    assert endings >= {None, "knock", "undercut", "gin", "big_gin", "dead"}
    assert any(game.forfeit for game in games)
    assert any(game.voids for game in games)
    marks = "".join(record.advice for record in rounds)
    assert set("=~.!?-d") <= set(marks)
    assert any(record.notes for record in rounds)
    for part in ("w[", "]w", "w[]", "/"):
        assert any(part in record.actions for record in rounds), part
