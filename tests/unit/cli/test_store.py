"""`gin-arena db`, `entry`, `league`: from an empty folder to standings."""

import json
from pathlib import Path

import pytest

from arena.cli import OK, USAGE, main
from arena.store.database import Store
from tests.leagues import play_league


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GIN_ARENA_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    return tmp_path / "data"


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == OK
    return capsys.readouterr().out.strip()


def test_a_league_from_the_command_line(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _run(capsys, "db", "upgrade")
    for name, port in (("simple", 7001), ("greedy", 7002)):
        _run(capsys, "entry", "add", name, f"127.0.0.1:{port}")
    league = _run(
        capsys, "league", "create", "Mine", "simple", "greedy@1", "--games", "2",
        "--set", "target=50", "--boards", "mirrored", "--clock", "fast",
    )  # fmt: skip
    assert _run(capsys, "league", "list") == f"{league}  running            0/1 matches  Mine"
    play_league(Store(f"sqlite:///{data / 'arena.sqlite3'}"))
    shown = json.loads(_run(capsys, "league", "standings", league, "--json"))
    assert shown["games"] == 2
    assert {row["bot"]["name"] for row in shown["rows"]} == {"simple", "greedy"}
    table = _run(capsys, "league", "standings", league)
    assert "simple 1" in table
    assert "95 % interval" in table


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("entry", "add", "a", "nowhere"), "write HOST:PORT"),
        (("league", "create", "L", "a", "b"), "gin-arena entry add"),
        (("league", "create", "L", "a", "b", "--set", "x"), "OPTION=VALUE"),
        (("league", "standings", "x"), "gin-arena league list"),
    ],
)
@pytest.mark.usefixtures("data")
def test_what_cannot_be_done_is_one_line(
    arguments: tuple[str, ...], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _run(capsys, "db", "upgrade")
    assert main(arguments) == USAGE
    said = capsys.readouterr().err
    assert error in said
    assert said.count("\n") == 1


def test_a_database_that_was_not_made_says_how(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data.mkdir()
    assert main(["league", "list"]) == USAGE
    assert "gin-arena db upgrade" in capsys.readouterr().err
