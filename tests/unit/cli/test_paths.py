"""A file given twice is refused before anything is written."""

from pathlib import Path

import pytest

from arena.cli import USAGE, main
from arena.cli._paths import check_distinct

RECORD = Path(__file__).parents[2] / "golden" / "records" / "v1" / "classic.jsonl"


def test_record_and_times_of_a_match_are_two_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sub").mkdir()
    first, second = str(tmp_path / "a"), str(tmp_path / "sub" / ".." / "a")
    assert main(["play", "simple", "random", "--record", first, "--times", second]) == USAGE
    assert "--record and --times both name " in capsys.readouterr().err
    assert not Path(first).exists()


def test_a_record_is_not_exported_over_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, link = tmp_path / "record", tmp_path / "link"
    record.write_bytes(RECORD.read_bytes())
    link.hardlink_to(record)
    assert main(["export", str(record), "-o", str(link)]) == USAGE
    assert "the record and -o both name " in capsys.readouterr().err
    assert record.read_bytes() == RECORD.read_bytes()


def test_a_record_is_not_its_own_times(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(RECORD), "--times", str(RECORD)]) == USAGE
    assert "the record and --times both name " in capsys.readouterr().err


def test_what_is_not_asked_for_is_no_file_given_twice(tmp_path: Path) -> None:
    check_distinct(None, None, names="a and b")
    check_distinct(tmp_path / "a", None, names="a and b")
    check_distinct(tmp_path / "a", tmp_path / "b", names="a and b")
