import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli.test import FAST, SLOW, Counts, Stage, count, run_stage
from tests.conftest import allowed_skips

CONFTEST = Path(__file__).parents[2] / "conftest.py"
PASSING = "def test_one(): pass\n"
FAILING = "def test_two(): assert False\n"
SKIPPED = "import pytest\n@pytest.mark.skip(reason='no server')\ndef test_three(): pass\n"
SKIPPED_WHOLE = "import pytest\npytest.skip('no server', allow_module_level=True)\n"


def project(root: Path, **modules: str) -> Path:
    """Make a small project with the test modules given by name."""
    tests = root / "tests" / "unit"
    tests.mkdir(parents=True)
    (root / "pytest.ini").write_text("[pytest]\nmarkers = slow\n")
    for name, text in modules.items():
        (tests / f"test_{name}.py").write_text(text)
    return root


def run_with_policy(root: Path, skips: str, *, ci: str) -> subprocess.CompletedProcess[str]:
    """Run pytest on a project that has this project's conftest and the given list of skips."""
    (root / "conftest.py").write_text(CONFTEST.read_text())
    (root / "skips.txt").write_text(skips)
    environment = {**os.environ, "CI": ci}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/unit"]
    return subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, check=False
    )


def test_a_stage_counts_what_passed_failed_and_was_skipped(tmp_path: Path) -> None:
    root = project(tmp_path, a=PASSING, b=FAILING, c=SKIPPED, d="def test_x(broken): pass\n")
    assert run_stage(Stage("all", ("tests/unit",), ""), root) == Counts(1, 2, 1)


def test_a_stage_in_two_processes_counts_the_same(tmp_path: Path) -> None:
    root = project(tmp_path, a=PASSING, b=FAILING, c=SKIPPED)
    assert run_stage(Stage("all", ("tests/unit",), "", 2), root) == Counts(1, 1, 1)


def test_a_stage_takes_its_markers_only(tmp_path: Path) -> None:
    root = project(tmp_path, a=PASSING, b="import pytest\n@pytest.mark.slow\n" + FAILING)
    assert run_stage(Stage("fast", ("tests/unit",), "not slow"), root) == Counts(passed=1)


def test_a_stage_without_tests_fails(tmp_path: Path) -> None:
    root = project(tmp_path, a=PASSING)
    assert run_stage(Stage("slow", ("tests/unit",), "slow"), root) == Counts(failed=1)


def test_what_a_test_counted_is_shown(tmp_path: Path) -> None:
    counting = "def test_a(request): request.node.user_properties.append(('counts', '7 knocks'))\n"
    done = run_with_policy(project(tmp_path, a=counting), "", ci="")
    assert "7 knocks" in done.stdout.splitlines()


def test_a_run_that_breaks_counts_as_failed(tmp_path: Path) -> None:
    root = project(tmp_path)
    (root / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n")
    assert run_stage(Stage("fast", ("tests/unit",), ""), root) == Counts(failed=1)


@pytest.mark.parametrize("marker", ["slow", "postgres", "browser"])
def test_every_marker_has_a_stage_of_its_own(marker: str) -> None:
    assert all(f"not {marker}" in stage.markers for stage in FAST)
    assert any(stage.markers.startswith(marker) for stage in SLOW)


def test_an_empty_report_counts_nothing() -> None:
    assert count("<testsuites></testsuites>") == Counts()


def test_the_last_line_reads_as_scripts_expect() -> None:
    assert str(Counts(12, 0, 3)) == "12 passed, 0 failed, 3 skipped"


@pytest.mark.parametrize("module", [SKIPPED, SKIPPED_WHOLE], ids=["test", "module"])
def test_a_skip_that_is_not_listed_fails_under_ci(tmp_path: Path, module: str) -> None:
    done = run_with_policy(project(tmp_path, a=PASSING, b=module), "", ci="true")
    assert done.returncode == 1
    assert "SKIPPED, and not in skips.txt: tests/unit/test_b.py" in done.stdout


@pytest.mark.parametrize(
    ("skips", "ci"), [("tests/unit/test_b.py::test_three  # no server\n", "true"), ("", "")]
)
def test_a_listed_skip_or_one_elsewhere_is_fine(tmp_path: Path, skips: str, ci: str) -> None:
    done = run_with_policy(project(tmp_path, a=PASSING, b=SKIPPED), skips, ci=ci)
    assert done.returncode == 0, done.stdout


def test_the_list_of_skips_knows_remarks() -> None:
    assert allowed_skips("# why\n\na::b  # reason\nc::d[e]\n") == {"a::b", "c::d[e]"}
