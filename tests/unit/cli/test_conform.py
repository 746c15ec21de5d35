"""`gin-arena conform`: verdicts, messages and exit statuses."""

import json
from pathlib import Path

import pytest

from arena.cli import main

GOOD = {
    "id": "good",
    "check": "deadwood",
    "rules": {"preset": "classic"},
    "hands": {"hand": ["As", "2s", "3s", "Kd"]},
    "expected": {"deadwood": 10},
}


def write(tmp_path: Path, *lines: object) -> str:
    path = tmp_path / "cases.jsonl"
    text = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    return str(path)


def test_all_agree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", write(tmp_path, GOOD, "", {**GOOD, "id": "again"})]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "ok good",
        "ok again",
        "2 passed, 0 failed, 0 skipped",
    ]


def test_a_difference_says_what_was_expected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = {**GOOD, "id": "wrong", "expected": {"deadwood": 9, "n_arrangements": 1}}
    assert main(["conform", write(tmp_path, wrong, GOOD)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        'FAIL wrong: expected {"deadwood": 9}, got {"deadwood": 10}',
        "ok good",
        "1 passed, 1 failed, 0 skipped",
    ]


def test_a_value_that_no_check_computes_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["conform", write(tmp_path, {**GOOD, "expected": {"dead": 10}})]) == 1
    assert 'expected {"dead": 10}, got {"dead": null}' in capsys.readouterr().out


def test_an_unknown_check_is_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", write(tmp_path, {**GOOD, "check": "tarot"})]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "skip good: no check 'tarot'",
        "0 passed, 0 failed, 1 skipped",
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "it is no JSON: "),
        ("[]", "it is no JSON object"),
        ({**GOOD, "expected": {}}, "`expected` is no object with a value"),
        ({**GOOD, "expected": [1]}, "`expected` is no object with a value"),
        ({**GOOD, "hands": None}, "a value has another form"),
        ({**GOOD, "check": "captain", "order": "ABC", "results": ["x"]}, "no result 'x'; it is"),
        ({**GOOD, "rules": {"preset": "whist"}}, "no preset 'whist'"),
        ({**GOOD, "rules": {"preset": "classic", "wild": 1}}, "no option 'wild'"),
        ({**GOOD, "hands": {"hand": ["Xs"]}}, "'Xs' is not a card"),
        ({**GOOD, "hands": {"hand": ["As", "As"]}}, "holds a card twice"),
        ({**GOOD, "hands": {}}, "it has no key `hand`"),
        ({key: value for key, value in GOOD.items() if key != "expected"}, "no key `expected`"),
    ],
)
def test_a_line_that_cannot_be_read_gives_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: object, reason: str
) -> None:
    path = write(tmp_path, GOOD, line)
    assert main(["conform", path]) == 2
    captured = capsys.readouterr()
    assert f"{path}:2: cannot be read" in captured.err
    assert reason in captured.err
    assert captured.out.splitlines()[-1] == "1 passed, 0 failed, 0 skipped"


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_a_file_without_a_case_gives_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    assert main(["conform", write(tmp_path, text)]) == 2
    assert "cases.jsonl: holds no case" in capsys.readouterr().err


def test_a_missing_file_gives_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", str(tmp_path / "none.jsonl")]) == 2
    assert "none.jsonl: cannot be read" in capsys.readouterr().err
