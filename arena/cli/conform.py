"""`gin-arena conform`: run rule cases against the engine."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from arena.cli._cases import compute, same

if TYPE_CHECKING:
    from arena.cli import SubParsers

PASSED: Final = "ok"
FAILED: Final = "FAIL"
SKIPPED: Final = "skip"
UNREADABLE: Final = "unreadable"


def register(commands: "SubParsers") -> None:
    """Add the command."""
    parser = commands.add_parser(
        "conform",
        help="run rule cases and say which agree with the engine",
        description="Run rule cases, one JSON object a line. Exit status 0: all agree; 1: some "
        "fail; 2: a file or line cannot be read.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path, help="file of rule cases")
    parser.set_defaults(handler=conform)


def conform(args: argparse.Namespace) -> int:
    """Run the files' cases, print a line each and the counts, and return the exit status."""
    counts: Counter[str] = Counter()
    for path in args.files:
        for verdict, line in run_file(path):
            counts[verdict] += 1
            print(line, file=sys.stderr if verdict == UNREADABLE else sys.stdout)
    print(f"{counts[PASSED]} passed, {counts[FAILED]} failed, {counts[SKIPPED]} skipped")
    if counts[UNREADABLE]:
        return 2
    return 1 if counts[FAILED] else 0


def run_file(path: Path) -> Iterator[tuple[str, str]]:
    """Yield for each case of a file its verdict and the line that says so."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        yield UNREADABLE, f"{path}: cannot be read: {error}"
        return
    if not any(map(str.strip, lines)):
        yield UNREADABLE, f"{path}: holds no case; write one JSON object a line"
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield run_line(line, where=f"{path}:{number}")


def run_line(line: str, *, where: str) -> tuple[str, str]:
    """Run the case of one line.

    Args:
        line: a JSON object of the case format.
        where: file and line, for the message where it cannot be read.

    Returns:
        The verdict and the line to print.
    """
    try:
        case = _read(line)
        name, expected, computed = case["id"], case["expected"], compute(case)
        if computed is None:
            return SKIPPED, f"{SKIPPED} {name}: no check {case['check']!r}"
        wrong = _differences(expected, computed)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        return UNREADABLE, f"{where}: cannot be read: {_reason(error)}"
    if wrong:
        shown = [json.dumps(values, ensure_ascii=False) for values in wrong]
        return FAILED, f"{FAILED} {name}: expected {shown[0]}, got {shown[1]}"
    return PASSED, f"{PASSED} {name}"


def _read(line: str) -> dict[str, Any]:
    case = json.loads(line)
    if not isinstance(case, dict):
        raise ValueError("it is no JSON object")
    if not (isinstance(case["expected"], dict) and case["expected"]):
        raise ValueError("`expected` is no object with a value to compare")
    return case


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"it is no JSON: {error}"
    if isinstance(error, KeyError):
        return f"it has no key `{error.args[0]}`"
    if isinstance(error, ValueError):
        return str(error)
    return f"a value has another form than its check asks for ({error})"


def _differences(
    expected: dict[str, Any], computed: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Return the expected values that differ, and what was computed for them."""
    wrong = {
        key: value
        for key, value in expected.items()
        if key not in computed or not same(key, value, computed[key])
    }
    return (wrong, {key: computed.get(key) for key in wrong}) if wrong else None
