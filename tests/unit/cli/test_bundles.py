"""The commands export and rate, and verify, league export and league import of bundles."""

import sys
from pathlib import Path

import pytest

from arena.cli import FAILED, OK, USAGE, main
from arena.store.database import Store
from tests.leagues import make_league, play_league

CLASSIC = str(Path(__file__).parents[2] / "golden" / "records" / "v1" / "classic.jsonl")


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = main(arguments)
    written = capsys.readouterr()
    return status, written.out + written.err


@pytest.fixture
def arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Store:
    """An empty arena that the commands use."""
    return _use(tmp_path / "arena", monkeypatch, capsys)


def _use(data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Store:
    monkeypatch.setenv("GIN_ARENA_DATA", str(data))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert main(["db", "upgrade"]) == OK
    capsys.readouterr()
    return Store(f"sqlite:///{data / 'arena.sqlite3'}", pooled=False)


def test_a_league_goes_from_arena_to_arena(
    arena: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    league = make_league(arena, ["simple", "greedy"], name="Mine", licence="CC0-1.0")
    first, second = str(tmp_path / "first.tar.bz2"), str(tmp_path / "second.tar.bz2")
    status, text = _run(capsys, "league", "export", league, "-o", first)
    assert (status, list(tmp_path.glob("first*"))) == (USAGE, [])
    assert "league Mine is running; its bundle can be written when it has finished" in text
    play_league(arena)
    status, text = _run(capsys, "league", "export", league, "-o", first)
    assert (status, text.startswith(f"{first}: league Mine, 1 matches, ")) == (OK, True)

    for verify in (("verify", first), ("verify", "--league", first)):
        status, text = _run(capsys, *verify)
        assert (status, text.count("\n")) == (OK, 1)
        assert text.startswith(f"{first}: holds; league Mine: the seed fits its commitment, ")
    status, text = _run(capsys, "rate", first)
    assert status == OK
    assert text.endswith("all figures of 2 entries are those published, to the bit\n")
    assert "1500.0" in text

    _use(tmp_path / "other", monkeypatch, capsys)
    assert _run(capsys, "league", "import", first) == (OK, f"{league}\n")
    again = f"{league} is here already, the same; nothing changed\n"
    assert _run(capsys, "league", "import", first) == (OK, again)
    assert _run(capsys, "league", "export", league, "-o", second)[0] == OK
    assert Path(first).read_bytes() == Path(second).read_bytes()


def test_a_damaged_bundle_is_told(
    arena: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    league = make_league(arena, ["simple", "greedy"])
    play_league(arena)
    path = tmp_path / "league.tar.bz2"
    _run(capsys, "league", "export", league, "-o", str(path))
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    for command in (("verify",), ("rate",)):
        status, text = _run(capsys, *command, str(path))
        assert (status, "the archive cannot be read" in text) == (FAILED, True)
    status, text = _run(capsys, "league", "import", str(path))
    assert (status, "the bundle does not hold" in text) == (USAGE, True)


@pytest.mark.parametrize("command", [("verify",), ("rate",), ("league", "import"), ("export",)])
def test_a_file_that_is_not_there_is_told_in_one_line(
    arena: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    status, text = _run(capsys, *command, str(tmp_path / "none"))
    assert (status, text.count("\n")) == (USAGE, 1)
    assert "No such file" in text


def test_export_writes_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, text = _run(capsys, "export", CLASSIC)
    assert (status, text.startswith("game,board,round,dealer,other,")) == (OK, True)
    out = tmp_path / "games.csv"
    assert _run(capsys, "export", CLASSIC, "--table", "games", "-o", str(out)) == (OK, "")
    assert out.read_bytes().count(b"\n") == 3
    assert b"\r" not in out.read_bytes()
    parquet = tmp_path / "rounds.parquet"
    arguments = ("--format", "parquet", "-o", str(parquet))
    assert _run(capsys, "export", CLASSIC, *arguments) == (OK, "")
    assert parquet.read_bytes()[:4] == b"PAR1"
    status, text = _run(capsys, "export", CLASSIC, "--format", "openspiel")
    assert (status, text.startswith('{"game":0,"round":1,')) == (OK, True)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--format", "parquet"), "name it with -o"),
        (("--format", "openspiel", "--table", "games"), "openspiel writes rounds"),
        (("-o", "/nowhere/at/all.csv"), "cannot use /nowhere/at/all.csv"),
    ],
)
def test_export_says_what_it_cannot_do(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str
) -> None:
    status, text = _run(capsys, "export", CLASSIC, *arguments)
    assert (status, told in text) == (USAGE, True)


def test_parquet_without_its_extra_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    arguments = ("--format", "parquet", "-o", str(tmp_path / "x"))
    status, text = _run(capsys, "export", CLASSIC, *arguments)
    assert (status, 'pip install "gin-arena[parquet]"' in text) == (USAGE, True)
