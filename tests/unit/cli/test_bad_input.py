"""Bad input to every command: one line that says what would be right, status 2, no traceback."""

import os
import sys
from pathlib import Path

import pytest

from arena.cli import FAILED, USAGE, main

CLASSIC = str(Path(__file__).parents[2] / "golden" / "records" / "v1" / "classic.jsonl")
BOTS = {
    "none.py": "x = 1\n",
    "broken.py": "def f(:\n",
    "raises.py": "raise RuntimeError('no\\nluck')\n",
    "exits.py": "raise SystemExit(9)\n",
    "asks.py": (
        "from arena.sdk import Bot\n"
        "class Asks(Bot):\n"
        "    def __init__(self, size): pass\n"
        "    def act(self, observation): return observation.legal[0]\n"
    ),
}
CASE = (
    '{"id": "a", "check": "deadwood", "rules": {"preset": "classic"},'
    ' "hands": {"hand": ["As", "2s", "3s", "Kd"]}, "expected": {"deadwood": 10}}\n'
)
HERE = "127.0.0.1:7000"

FILES = [
    (("show", "empty"), "line 1, byte 0: cut"),
    (("show", "binary"), "line 1, byte 0: not a linked JSON object"),
    (("show", "folder"), "cannot read folder"),
    (("show", CLASSIC, "--game", "-1"), "no game -1; there are 0 to 1"),
    (("show", CLASSIC, "--game", "0", "--round", "99"), "no round 99; there are 1 to "),
    (("verify", CLASSIC, "--times", "nowhere"), "cannot read nowhere"),
    (("verify", CLASSIC, "--times", "folder"), "cannot read folder"),
    (("verify", "--league", "http://"), "is no league's address"),
    (("verify", "--league", "http://127.0.0.1:1/matches/x"), "http://HOST:PORT/leagues/ID is"),
    (("verify", "--league", "nowhere"), "cannot read nowhere"),
    (("export", "empty"), "line 1, byte 0: cut"),
    (("export", "binary"), "not a linked JSON object"),
    (("export", "folder"), "folder"),
    (("export", CLASSIC, "-o", "folder"), "folder"),
    (("export", CLASSIC, "-o", "nowhere/x"), "nowhere/x"),
    (("export", CLASSIC, "--format", "parquet", "-o", "folder"), "cannot use folder"),
    (("rate", "nowhere"), "cannot read nowhere"),
]
BOT_FILES = [
    (("bot", "serve", "nobody"), "give one of random, simple, greedy, patient"),
    (("bot", "serve", ""), "no bot ''"),
    (("bot", "serve", "folder"), "no bot 'folder'"),
    (("bot", "serve", "none.py"), "has no class that subclasses arena.sdk.Bot"),
    (("bot", "serve", "broken.py"), "line 1: SyntaxError"),
    (("bot", "serve", "raises.py"), "RuntimeError: no\\nluck"),
    (("bot", "serve", "exits.py"), "SystemExit: 9"),
    (("bot", "serve", "asks.py"), "size"),
    (("bot", "serve", "os:path"), "path is not a subclass of arena.sdk.Bot"),
    (("bot", "serve", "arena.sdk:Bot"), "Bot has no method act"),
    (("bot", "serve", "simple", "--host", "256.1.1.1"), "choose another with --host or --port"),
    (("play", "broken.py", "simple"), "line 1: SyntaxError"),
    (("play", "simple", "exits.py"), "SystemExit: 9"),
    (("play", "simple", "arena.sdk:Bot"), "Bot has no method act"),
    (("play", "simple", "[::1]:0"), "port 0 is out of range"),
    (("play", "simple", "simple", "--clock", ""), "there are fast, standard, thinking"),
    (("play", "simple", "simple", "--record", "folder"), "cannot write folder"),
]
LEAGUES = [
    (("league", "standings", ""), "`gin-arena league list` shows them"),
    (("league", "export", "x", "-o", "y"), "no league x"),
    (("league", "import", "empty"), "the bundle does not hold"),
    (("league", "import", "folder"), "league.json: is missing"),
    (("league", "import", CLASSIC), "the archive cannot be read"),
    (("league", "withdraw", "x", "a"), "no league x"),
    (("league", "close", "x"), "no league x"),
    (("league", "create", "L", "a@b"), "no bot 'a@b'"),
    (("league", "create", "", "a"), "league name ''"),
    (("league", "create", "L\n", "a"), "printable"),
    (("league", "create", "L", "a", "--legs", "0"), "0 legs; both are at least 1"),
    (("league", "create", "L", "a", "--games", "-1"), "-1 games"),
    (("league", "create", "L", "a", "--licence", "<b>"), "SPDX"),
    (("league", "create", "L", "a", "--set", "=1"), "no option ''"),
    (("league", "create", "L", "a", "--set", "target=x"), "it may be 1 to 1000000"),
    (("entry", "add", "a", ":1"), "write HOST:PORT"),
    (("entry", "add", "a", "127.0.0.1:0"), "it may be 1 to 65535"),
    (("entry", "add", "a", "127.0.0.1:²"), "write HOST:PORT"),
    (("entry", "add", "a", "127.0.0.1:" + "9" * 50), "it may be 1 to 65535"),
    (("entry", "add", "", HERE), "bot name ''"),
    (("entry", "add", "a\u200b", HERE), "printable"),
    (("entry", "add", "\u202ea", HERE), "printable"),
    (("entry", "add", "a" * 10_000, HERE), "1 to 64"),
    (("entry", "add", "a", HERE, "--bot-version", ""), "version name ''"),
    (("match", "void", "x", "--why", "y"), "no match x"),
    (("match", "requeue", "x"), "no match x"),
]
WRONG_WORDS = [
    (("deal",), "invalid choice: 'deal'"),
    (("show",), "required: file"),
    (("verify",), "one of the arguments file --league is required"),
    (("verify", CLASSIC, "--league", "x"), "not allowed with"),
    (("show", CLASSIC, "--game", "one"), "--game: invalid int value: 'one'"),
    (("export", CLASSIC, "--format", "xml"), "invalid choice: 'xml'"),
    (("conform",), "required: FILE"),
    (("league",), "required: ACTION"),
    (("league", "create", "L"), "required: BOT"),
    (("league", "create", "L", "a", "--boards", "shared"), "invalid choice: 'shared'"),
    (("league", "create", "L", "a", "--clock", "blitz"), "invalid choice: 'blitz'"),
    (("entry", "add", "a"), "required: HOST:PORT"),
    (("match", "void", "x"), "required: --why"),
    (("bench", "luck"), "invalid choice: 'luck'"),
    (("bench", "engine", "--size", "0"), "0 is no count; it may be 1 to 1000000"),
    (("bench", "wire", "--runs", "many"), "many is no count"),
    (("bot", "serve", "simple", "--port", "65536"), "65536 is no port; a port is 0 to 65535"),
    (("bot", "serve", "simple", "--port", "-1"), "-1 is no port"),
    (("play", "simple"), "required: B"),
    (("play", "simple", "simple", "--games", "many"), "--games: invalid int value"),
    (("play", "simple", "simple", "--boards", "open"), "invalid choice: 'open'"),
    (("play", "simple", "simple", "--qui"), "unrecognized arguments: --qui"),
    (("league", "standings", "x", "--js"), "unrecognized arguments: --js"),
]
BAD_CONTENT = [
    (("verify", "empty"), "empty: line 1, byte 0: cut"),
    (("verify", "binary"), "binary: line 1, byte 0: not a linked JSON object"),
    (("verify", "folder"), "folder: league.json: is missing"),
    (("verify", "--league", "empty"), "empty: the archive cannot be read"),
    (("rate", "empty"), "empty: the archive cannot be read"),
    (("rate", "folder"), "folder: league.json: is missing"),
    (("rate", CLASSIC), "the archive cannot be read"),
]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sqlite_template: Path) -> None:
    """A folder with files that are no good, and an empty arena."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").touch()
    (tmp_path / "binary").write_bytes(bytes(range(256)) * 4)
    (tmp_path / "folder").mkdir()
    for name, text in BOTS.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setenv("GIN_ARENA_DATA", str(tmp_path / "arena"))
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{sqlite_template}")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)


@pytest.mark.parametrize(
    ("arguments", "told"), [*FILES, *BOT_FILES, *LEAGUES], ids=lambda value: str(value)[:70]
)
def test_what_cannot_be_done_is_one_line(
    arguments: tuple[str, ...], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(os.listdir(tmp_path))
    assert main(arguments) == USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("gin-arena: ")
    assert err.count("\n") == 1
    assert told in err
    assert "None" not in err
    assert sorted(os.listdir(tmp_path)) == before


@pytest.mark.parametrize(("arguments", "told"), WRONG_WORDS, ids=lambda value: str(value)[:70])
def test_a_wrong_word_is_told_with_the_usage(
    arguments: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match=f"^{USAGE}$"):
        main(arguments)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("usage: gin-arena")
    assert told in err.splitlines()[-1]


@pytest.mark.parametrize(("arguments", "told"), BAD_CONTENT, ids=lambda value: str(value)[:70])
def test_a_file_that_does_not_hold_is_an_answer(
    arguments: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == FAILED
    out, err = capsys.readouterr()
    assert (out.count("\n"), err) == (1, "")
    assert told in out


@pytest.mark.parametrize("name", ["nowhere", "folder", "binary", "empty"])
def test_conform_reads_on_after_a_file_that_it_cannot_read(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = tmp_path / "good.jsonl"
    good.write_text(CASE)
    status = main(["conform", name, str(good)])
    out, err = capsys.readouterr()
    assert status == USAGE
    assert err.startswith(f"{name}: ")
    assert err.count("\n") == 1
    assert out.endswith("1 passed, 0 failed, 0 skipped\n")


def test_of_an_organiser_no_wrong_word_leaves_a_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sqlite_template: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """A league that cannot be made is not made by half, though its bots are known."""
    database = tmp_path / "arena.sqlite3"
    database.write_bytes(sqlite_template.read_bytes())
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{database}")
    assert main(["entry", "add", "a", HERE]) == 0
    for entries in (["a"], ["a", "a@2"], ["a", "nobody"]):
        assert main(["league", "create", "L", *entries]) == USAGE
    capsys.readouterr()
    assert main(["league", "list"]) == 0
    assert capsys.readouterr().out == ""
