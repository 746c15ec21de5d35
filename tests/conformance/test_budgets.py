"""The budgets of CONTRIBUTING: they keep functions and modules small enough to read at once.

Complexity and annotations are measured by ruff and mypy, which `gin-arena test` runs.
"""

import ast
import io
import statistics
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("arena", "worker", "dashboard")


def modules(*folders: str) -> list[Path]:
    """Return our Python files under the folders; migrations apart."""
    found = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return sorted(path for path in found if "migrations" not in path.parts)


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def docstring_lines(node: ast.AST) -> int:
    """Return the lines of a node's own docstring."""
    body = getattr(node, "body", None)
    first = body[0] if isinstance(body, list) and body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        return (first.end_lineno or 0) - first.lineno + 1
    return 0


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the lines of a function without decorators and docstring."""
    return (function.end_lineno or 0) - function.lineno + 1 - docstring_lines(function)


def code_lines(source: str) -> tuple[int, int, int]:
    """Return the lines of code, of comments alone on a line or beside code, and of docstrings."""
    tokens = tuple(tokenize.generate_tokens(io.StringIO(source).readline))
    comments = sum(token.type == tokenize.COMMENT for token in tokens)
    strings = {
        line
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    passive = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    code = {
        line
        for token in tokens
        if token.type not in passive and token.type != tokenize.ENDMARKER
        for line in range(token.start[0], token.end[0] + 1)
    }
    return len(code - strings), comments, len(strings)


@pytest.fixture(scope="module")
def lengths() -> dict[str, int]:
    return {
        f"{path.relative_to(ROOT)}:{function.lineno} {function.name}": length(function)
        for path in modules(*PACKAGES)
        for function in functions(ast.parse(path.read_text()))
    }


def test_no_function_is_long(lengths: dict[str, int]) -> None:
    assert {name: lines for name, lines in lengths.items() if lines > 60} == {}


def test_most_functions_are_short(lengths: dict[str, int]) -> None:
    nine_in_ten = statistics.quantiles(lengths.values(), n=10)[-1]
    assert (statistics.median(lengths.values()) <= 10, nine_in_ten <= 35) == (True, True)


@pytest.mark.parametrize("path", modules(*PACKAGES), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_is_long(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 450


def test_comments_are_sparse_and_docstrings_are_not_novels() -> None:
    counted = [code_lines(path.read_text()) for path in modules("arena")]
    code, comments, docstrings = (sum(column) for column in zip(*counted, strict=True))
    assert 100 * comments / code <= 8
    assert 20 <= 100 * docstrings / code <= 50


def test_there_is_at_least_as_much_test_as_code() -> None:
    code, tests = (
        sum(code_lines(path.read_text())[0] for path in modules(*folders))
        for folders in (PACKAGES, ("tests",))
    )
    assert tests >= code


def test_a_function_is_measured_without_its_docstring() -> None:
    source = (
        'def f() -> None:\n    """One.\n\n    Two.\n    """\n    g()\n    # a comment\n    h()\n'
    )
    (function,) = functions(ast.parse(source))
    assert length(function) == 4
    assert code_lines(source) == (3, 1, 4)
