"""Figures: medians, spreads, ratios within a run, and what is printed of them."""

import json
import time
from collections.abc import Callable

import pytest

from arena.bench import bots, engine
from arena.bench.measure import Counts, Figure, Task, compare, measure
from arena.bench.openspiel import NAMES
from arena.bench.report import as_json, lines, number
from arena.cli import main


def clocked(monkeypatch: pytest.MonkeyPatch, *costs: float) -> Callable[[], Counts]:
    """Return work that takes as long as told, on a process clock of its own."""
    now = [0.0]
    left = list(costs)
    monkeypatch.setattr(time, "process_time", lambda: now[0])

    def work() -> Counts:
        now[0] += left.pop(0)
        return {"rounds": 30, "decision": 600}

    return work


def test_a_unit_is_a_number_per_cpu_second_or_the_time_of_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work = clocked(monkeypatch, 0.5, 1.5, 1.0)
    rounds, decision = measure([Task("play", work, "decision")], runs=3)
    assert (rounds.name, rounds.unit, rounds.runs) == ("play", "rounds/s", (60, 20, 30))
    assert rounds.value == 30
    assert decision.unit == "µs a decision"
    assert decision.value == pytest.approx(1e6 / 600)


def test_tasks_take_turns_so_that_load_meets_all_alike() -> None:
    order: list[str] = []

    def task(name: str) -> Task:
        def work() -> Counts:
            order.append(name)
            return {"steps": 1}

        return Task(name, work)

    begun: list[int] = []
    measure([task("a"), task("b")], runs=2, on_run=begun.append)
    assert (order, begun) == (["a", "b", "a", "b"], [0, 1])


def test_a_ratio_compares_runs_one_by_one() -> None:
    own, other = Figure("own", "rounds/s", (30, 40, 90)), Figure("other", "rounds/s", (10, 20, 30))
    unlike = Figure("other", "decisions/s", (1, 1, 1))
    compared, *rest = compare([own, other, unlike], {"own": "other"})
    assert (compared.ratios, compared.ratio, compared.reference) == ((3, 2, 3), 3, "other")
    assert rest == [other, unlike]
    assert compare([own], {"own": "other"}) == [own]
    assert own.ratio is None


def test_lines_show_median_unit_spread_and_ratio() -> None:
    own = Figure("play", "rounds/s", (1500, 1234.4, 900), "other", (2, 3, 4))
    (line,) = lines([own])
    assert " ".join(line.split()) == "play 1,234 rounds/s 900 to 1,500 3.00 x other"


@pytest.mark.parametrize(
    ("value", "text"), [(0.4567, "0.46"), (12.345, "12.35"), (123.4, "123"), (54321.0, "54,321")]
)
def test_a_number_has_three_digits_or_two_places(value: float, text: str) -> None:
    assert number(value) == text


def test_json_holds_every_run() -> None:
    found = json.loads(as_json("engine", [Figure("play", "rounds/s", (3, 1, 2))]))
    assert found["benchmark"] == "engine"
    (figure,) = found["figures"]
    assert (figure["value"], figure["low"], figure["high"]) == (2, 1, 3)
    assert figure["runs"] == [3, 1, 2]
    assert figure["ratio"] is None


def test_the_engine_is_measured_part_by_part() -> None:
    figures = engine.figures(size=2, runs=2, on_run=lambda _: None)
    names = {figure.name for figure in figures}
    assert {"calibration loop", "uniform play", "best discard of 11 cards", "deal"} <= names
    assert all(len(figure.runs) == 2 for figure in figures)
    assert all(value >= 0 for figure in figures for value in figure.runs)


def test_play_that_knocks_ends_sooner_than_uniform_play() -> None:
    knocking, uniform = (engine.play(20, knocks=knocks) for knocks in (True, False))
    assert knocking["rounds"] == uniform["rounds"] == 20
    assert knocking["decisions"] < uniform["decisions"]


def test_every_reference_bot_is_measured() -> None:
    figures = bots.figures(size=1, runs=1, on_run=lambda _: None)
    names = {figure.name for figure in figures}
    assert {"random against random", "simple against simple", "play-outs by simple"} <= names


def test_openspiel_stands_beside_our_own_where_it_is_installed() -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel (package open_spiel) is not installed")
    figures = engine.figures(size=1, runs=1, on_run=lambda _: None)
    own = {f.unit: f for f in figures if f.name == "uniform play"}
    assert own["rounds/s"].reference == NAMES["uniform play"]
    assert (own["rounds/s"].ratio or 0) > 0


def test_the_command_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "engine", "--size", "1", "--runs", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["figures"]


@pytest.mark.parametrize("size", ["0", "many", "1000001"])
def test_a_size_that_makes_no_sense_is_refused(
    size: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as error:
        main(["bench", "engine", "--size", size])
    assert error.value.code == 2
    assert "it may be 1 to 1000000" in capsys.readouterr().err


@pytest.mark.parametrize("tables", ["0", "129", "all"])
def test_more_tables_than_a_message_holds_are_refused(
    tables: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as error:
        main(["bench", "wire", "--tables", tables])
    assert error.value.code == 2
    assert "it may be 1 to 128" in capsys.readouterr().err
