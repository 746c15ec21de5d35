"""How a benchmark measures: CPU time of several runs, a calibration loop between them."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final, TypeAlias

RUNS: Final = 5
"""Runs of each figure."""
_LOOPS: Final = 1_000_000
"""Steps of the calibration loop."""

Counts: TypeAlias = Mapping[str, int]
"""What a piece of work did, by unit: ``{"rounds": 300}``."""
Work: TypeAlias = Callable[[], Counts]


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured quantity over several runs."""

    name: str
    unit: str
    runs: tuple[float, ...]
    """The value of each run."""
    reference: str = ""
    """What `ratios` compare with; empty: nothing."""
    ratios: tuple[float, ...] = ()
    """Of each run: the value over that of the reference in the same run."""

    @property
    def value(self) -> float:
        """The median."""
        return median(self.runs)

    @property
    def ratio(self) -> float | None:
        """The median of the ratios, None without a reference."""
        return median(self.ratios) if self.ratios else None

    def against(self, reference: "Figure", *, name: str) -> "Figure":
        """Return the figure with its ratio to another one of the same runs.

        Args:
            reference: the other figure.
            name: what the reference is called.
        """
        ratios = [own / other for own, other in zip(self.runs, reference.runs, strict=True)]
        return Figure(self.name, self.unit, self.runs, name, tuple(ratios))


@dataclass(frozen=True, slots=True)
class Task:
    """A named piece of work; each unit that it counts becomes a figure."""

    name: str
    work: Work
    per_call: str = ""
    """A unit to be told as its CPU time, in µs; all others as their number per CPU-second."""


def calibrate() -> Counts:
    """Run the calibration loop, plain additions: how fast this machine is just now."""
    total = 0
    for number in range(_LOOPS):
        total ^= number
    return {"steps": _LOOPS}


CALIBRATION: Final = Task("calibration loop", calibrate)


def measure(
    tasks: Sequence[Task], *, runs: int = RUNS, on_run: Callable[[int], None] = lambda _: None
) -> list[Figure]:
    """Run all tasks in turn, several times, and return a figure for each unit of each.

    One run of every task follows another, so that a change of the machine's load meets all alike.

    Args:
        tasks: what to run.
        runs: how often.
        on_run: told of each run before it begins, from 0.
    """
    values: dict[tuple[str, str], list[float]] = {}
    for run in range(runs):
        on_run(run)
        for task in tasks:
            for unit, value in _run(task):
                values.setdefault((task.name, unit), []).append(value)
    return [Figure(name, unit, tuple(found)) for (name, unit), found in values.items()]


def _run(task: Task) -> Iterable[tuple[str, float]]:
    before = time.process_time()
    counts = task.work()
    spent = time.process_time() - before
    for unit, count in counts.items():
        if unit == task.per_call:
            yield f"µs a {unit}", spent / count * 1e6
        else:
            yield f"{unit}/s", count / max(spent, 1e-9)


def compare(figures: Iterable[Figure], pairs: Mapping[str, str]) -> list[Figure]:
    """Return the figures, with ratios where a figure of the reference has the same unit.

    Args:
        figures: all figures of one measurement.
        pairs: names of references by the name of what is compared with them.
    """
    figures = list(figures)
    by_key = {(figure.name, figure.unit): figure for figure in figures}
    compared = []
    for figure in figures:
        name = pairs.get(figure.name, "")
        reference = by_key.get((name, figure.unit))
        compared.append(figure if reference is None else figure.against(reference, name=name))
    return compared
