"""`gin-arena test`: the checks and tests of a checkout, in stages, the quick ones first."""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from arena.cli import FAILED, OK, CommandError, SubParsers

_QUICK: Final = ("tests/unit", "tests/property", "tests/conformance", "tests/differential")
_REAL: Final = ("tests/integration", "tests/fault")

_CHECKS: Final[dict[str, tuple[str, ...]]] = {
    "lint": ("ruff", "check", "."),
    "format": ("ruff", "format", "--check", "."),
    "types": ("mypy",),
    "imports": ("lint-imports",),
}


@dataclass(frozen=True, slots=True)
class Stage:
    """Tests that run together: where they are, and which of them by marker."""

    name: str
    folders: tuple[str, ...]
    markers: str
    processes: int = 1
    """Test processes at once; tests that start servers of their own run one after another."""


FAST: Final = (Stage("fast", _QUICK, "not slow and not postgres and not browser", 2),)
SLOW: Final = (
    Stage("slow", _QUICK, "slow and not postgres and not browser", 2),
    Stage("integration", _REAL, "not postgres and not browser"),
    Stage("postgres", ("tests",), "postgres and not browser"),
    Stage("browser", ("tests",), "browser"),
)
STAGES: Final = {"fast": FAST, "slow": SLOW, "all": (*FAST, *SLOW)}


@dataclass(frozen=True, slots=True)
class Counts:
    """How many tests passed, failed (errors too) and were skipped."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped
        )

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def register(commands: SubParsers) -> None:
    """Add `test`."""
    parser = commands.add_parser("test", help="check and test a checkout of the project")
    parser.add_argument(
        "--stage", choices=tuple(STAGES), default="all", help="which stages run (default: all)"
    )
    parser.set_defaults(handler=_test)


def _test(arguments: argparse.Namespace) -> int:
    root = Path(__file__).parents[2]
    if not (root / "tests" / "conftest.py").exists():
        raise CommandError("there are no tests here; run ./gin-arena test in a checkout")
    counts = Counts()
    if arguments.stage != "slow":
        for name in _CHECKS:
            counts += _check(name, root)
    for stage in STAGES[arguments.stage]:
        if counts.failed:
            print(f"-- {stage.name}: not run, something before it failed", flush=True)
        else:
            counts += run_stage(stage, root)
    print(counts)
    return FAILED if counts.failed else OK


def _check(name: str, root: Path) -> Counts:
    """Run one static check, which counts as a test; print its output only if it fails."""
    start = time.monotonic()
    command = [str(Path(sys.executable).with_name(_CHECKS[name][0])), *_CHECKS[name][1:]]
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)  # noqa: S603
    except FileNotFoundError:
        raise CommandError(f"{command[0]} is missing; run ./gin-arena test") from None
    good = done.returncode == 0
    print(f"-- {name}: {'ok' if good else 'FAILED'} ({time.monotonic() - start:.0f} s)", flush=True)
    if not good:
        print(done.stdout + done.stderr, flush=True)
    return Counts(passed=int(good), failed=int(not good))


def run_stage(stage: Stage, root: Path) -> Counts:
    """Run the tests of a stage in `root`.

    A run that fails as a whole counts as a failed test, and so does one that selects no test: a
    marker or a folder has another name by now.
    """
    print(f"-- {stage.name}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        done = subprocess.run(_pytest(stage, root, report), cwd=root, check=False)  # noqa: S603
        counts = count(report.read_text()) if report.exists() else Counts()
    if done.returncode != OK and not counts.failed:
        counts += Counts(failed=1)
    return counts


def _pytest(stage: Stage, root: Path, report: Path) -> Sequence[str]:
    folders = [folder for folder in stage.folders if (root / folder).is_dir()]
    processes = stage.processes if stage.processes > 1 else 0
    options = ["-q", "-m", stage.markers, f"--junitxml={report}", "-n", str(processes)]
    return [sys.executable, "-m", "pytest", *options, *folders]


def count(report: str) -> Counts:
    """Return the counts of a JUnit report."""
    suite = ElementTree.fromstring(report).find("testsuite")  # noqa: S314 - pytest's own
    if suite is None:
        return Counts()
    tests, failures, errors, skipped = (
        int(suite.attrib[name]) for name in ("tests", "failures", "errors", "skipped")
    )
    return Counts(tests - failures - errors - skipped, failures + errors, skipped)
