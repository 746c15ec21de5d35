"""The rule cases: all agree with the engine, and together they touch every option and cause."""

import json
from pathlib import Path
from typing import Any

import pytest

from arena.cli.conform import PASSED, run_file
from arena.engine.errors import Illegal
from arena.engine.rules import PRESETS

CASES = Path(__file__).parent.parent / "golden" / "cases"
FILES = sorted(CASES.glob("*.jsonl"))

OPTIONS: dict[str, tuple[Any, ...]] = {
    "knock_limit": (*range(11), "upcard"),
    "oklahoma_ace": ("gin", "one"),
    "gin_bonus": (0, 20, 25),
    "undercut_bonus": (0, 10, 25),
    "big_gin_bonus": (0, 31, 40),
    "undercut_on_tie": (True, False),
    "layoff_on_gin": (True, False),
    "return_taken_card": (True, False),
    "stock_end": ("dead", "last_discard"),
    "target": (60, 100, 150),
    "box_bonus": (0, 20, 25),
    "game_bonus": (0, 25, 100),
    "shutout": ("none", "plus_100", "double_game", "double_total"),
    "winner_by": ("race", "total"),
    "box_when": ("end", "at_once"),
    "columns": (1, 3),
    "players": (2, 3),
    "spade_double": (True, False),
    "max_turns": (2, 100),
    "max_dead_rounds": (2, 5),
}
"""Values of the options that R3 to R5 touch: all of them, or of numbers those of the presets and
at least one other."""


def cases() -> list[dict[str, Any]]:
    return [json.loads(line) for path in FILES for line in path.read_text("utf-8").splitlines()]


def rules_of(case: dict[str, Any]) -> dict[str, Any]:
    options = dict(case["rules"])
    return PRESETS[options.pop("preset")].with_options(options).as_dict()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_all_cases_of_a_file_pass(path: Path) -> None:
    verdicts = list(run_file(path))
    assert [line for verdict, line in verdicts if verdict != PASSED] == []
    assert len(verdicts) == len(path.read_text("utf-8").splitlines())


def test_there_are_the_cases_given_and_ours() -> None:
    assert [path.stem for path in FILES] == ["additional", "rules", "solver"]
    assert len(cases()) >= 1_076
    names = [case["id"] for case in cases()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("option", OPTIONS)
def test_each_value_of_an_option_occurs_r8(option: str) -> None:
    seen = {rules_of(case)[option] for case in cases()}
    assert set(OPTIONS[option]) <= seen


def test_each_preset_occurs_r8() -> None:
    seen = [case["rules"]["preset"] for case in cases()]
    assert {preset: seen.count(preset) > 0 for preset in PRESETS} == dict.fromkeys(PRESETS, True)


@pytest.mark.parametrize("cause", Illegal)
def test_each_cause_of_a_refusal_occurs(cause: Illegal) -> None:
    expected = [case["expected"] for case in cases()]
    count = sum(cause in (values.get("error"), *values.get("trace", ())) for values in expected)
    assert count >= 1
