"""`gin-arena db`, `entry`, `league`: from an empty folder to standings."""

import json
from pathlib import Path

import pytest

from arena.cli import OK, USAGE, main
from arena.store import queries
from arena.store.database import Store
from tests.leagues import claim_next, play_claimed, play_league


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
    created = main((
        "league", "create", "Mine", "simple", "greedy@1", "--games", "2",
        "--set", "target=50", "--boards", "mirrored", "--clock", "fast",
    ))  # fmt: skip
    assert created == OK
    out, err = capsys.readouterr()
    assert "remote bots keep their processes between seatings" in err
    league = out.strip()
    assert _run(capsys, "league", "list") == f"{league}  running            0/1 matches  Mine"
    play_league(Store(f"sqlite:///{data / 'arena.sqlite3'}", pooled=False))
    shown = json.loads(_run(capsys, "league", "standings", league, "--json"))
    assert shown["games"] == 2
    assert {row["bot"]["name"] for row in shown["rows"]} == {"simple", "greedy"}
    table = _run(capsys, "league", "standings", league)
    assert "simple 1" in table
    assert "95 % interval" in table


def test_a_league_of_three_from_the_command_line(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _run(capsys, "db", "upgrade")
    names = ("simple", "greedy", "random")
    for port, name in enumerate(names, 7001):
        _run(capsys, "entry", "add", name, f"localhost:{port}")
    league = _run(
        capsys, "league", "create", "Three", *names, "--rules", "captain",
        "--set", "gin_bonus=20", "--set", "target=30", "--set", "max_dead_rounds=1000",
    )  # fmt: skip
    play_league(Store(f"sqlite:///{data / 'arena.sqlite3'}", pooled=False), strong=None)
    shown = json.loads(_run(capsys, "league", "standings", league, "--json"))
    assert shown["games"] == 24
    for row in shown["rows"]:
        assert len(row["places"]) == 3
        assert sum(row["places"]) == row["games"] == 24
    lines = _run(capsys, "league", "standings", league).splitlines()
    assert "places" in lines[0]
    first = shown["rows"][0]
    assert "-".join(map(str, first["places"])) in lines[1]


def test_an_organiser_withdraws_voids_and_closes(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _run(capsys, "db", "upgrade")
    for port, name in enumerate(("simple", "greedy"), 7001):
        _run(capsys, "entry", "add", name, f"127.0.0.1:{port}")
    league = _run(
        capsys, "league", "create", "L", "simple", "greedy", "--games", "2", "--legs", "3"
    )
    store = Store(f"sqlite:///{data / 'arena.sqlite3'}", pooled=False)
    lease = claim_next(store)
    assert lease is not None
    play_claimed(store, lease)
    with store.reading() as session:
        (match,) = queries.matches(session, state="done").rows
    assert "results stay" in _run(capsys, "league", "withdraw", league, "greedy@1")
    assert "rated no more" in _run(capsys, "match", "void", match.id, "--why", "power cut")
    assert _run(capsys, "league", "close", league) == "closed; 2 matches lapse unplayed"
    assert json.loads(_run(capsys, "league", "standings", league, "--json"))["games"] == 0
    assert main(["match", "requeue", match.id]) == USAGE
    assert "only a quarantined one" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("entry", "add", "a", "nowhere"), "write HOST:PORT"),
        (("entry", "add", "a", "192.0.2.7:50051"), "there is no key"),
        (("league", "create", "L", "a", "b"), "gin-arena entry add"),
        (
            ("league", "create", "L", "a", "--rules", "captain", "--set", "columns=3"),
            "Hollywood has no third score sheet",
        ),
        (("league", "create", "L", "a", "--set", "spade_double=true"), "need knock_limit upcard"),
        (("league", "create", "L", "a", "--set", "oklahoma_ace=one"), "need knock_limit upcard"),
        (("league", "create", "L", "a", "--set", "next_dealer=box"), "goes with players 3"),
        (("league", "create", "L", "a", "--set", "gin_bonus=-1"), "gin_bonus is '-1'"),
        (("league", "create", "L", "a", "--set", "bonus=1"), "no option 'bonus'"),
        (
            ("league", "create", "L", "a", "--rules", "captain", "--games", "20"),
            "to play every seating",
        ),
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


def test_the_database_is_for_this_user_alone(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _run(capsys, "db", "upgrade")
    assert data.stat().st_mode & 0o777 == 0o700
    assert (data / "arena.sqlite3").stat().st_mode & 0o777 == 0o600
