"""The commands `show` and `verify`."""

from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli import FAILED, OK, USAGE, main
from arena.notation.files import read_record, write_record

GOLDEN = Path(__file__).parents[2] / "golden" / "records" / "v1"
CLASSIC = str(GOLDEN / "classic.jsonl")
TIMES = str(GOLDEN / "classic.times.jsonl")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Return the exit status of a command, and all it wrote."""
    status = main(arguments)
    written = capsys.readouterr()
    return status, written.out + written.err


def test_verify_says_what_it_replayed(capsys: pytest.CaptureFixture[str]) -> None:
    for extra in ([], ["--times", TIMES]):
        status, text = run(capsys, "verify", CLASSIC, *extra)
        assert status == OK
        assert text == f"{CLASSIC}: holds; 2 games, {rounds()} rounds replayed\n"


def rounds() -> int:
    return Path(CLASSIC).read_text().count('{"round":')


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (b'"winner":0', b'"winner":1', "line 3, byte 947, winner: is 1; it should be 0"),
        (b'"boards":"private"', b'"boards":"privat\xe9"', "line 1, byte 0: "),
        (b'{"games":2', b'{"games":3', "games: is 3; it should be 2"),
    ],
)
def test_verify_names_line_byte_and_field(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, old: bytes, new: bytes, told: str
) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(Path(CLASSIC).read_bytes().replace(old, new, 1))
    status, text = run(capsys, "verify", str(bad))
    assert status == FAILED
    assert text.startswith(f"{bad}: ")
    assert told in text


def test_verify_checks_the_times_of_this_record(capsys: pytest.CaptureFixture[str]) -> None:
    status, text = run(capsys, "verify", str(GOLDEN / "eaai.jsonl"), "--times", TIMES)
    assert status == FAILED
    assert text.startswith(f"{TIMES}: line 1, byte 0, record")


def test_show_lists_the_games(capsys: pytest.CaptureFixture[str]) -> None:
    status, text = run(capsys, "show", CLASSIC)
    assert status == OK
    first, _, *games = text.splitlines()
    assert first == "simple 1 against greedy 1, private boards, standard clocks"
    assert len(games) == 2
    assert games[1].endswith("simple 1 wins, greedy 1 forfeits (TIMEOUT)")


def test_show_lists_the_rounds_of_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    status, text = run(capsys, "show", CLASSIC, "--game", "1")
    assert status == OK
    assert "greedy 1 and simple 1 at seats 0 and 1" in text
    assert " open " in text.splitlines()[-2]
    assert text.splitlines()[-1].startswith("points ")


def test_show_prints_a_round(capsys: pytest.CaptureFixture[str]) -> None:
    status, text = run(capsys, "show", CLASSIC, "--game", "0", "--round", "1")
    assert status == OK
    for words in ("deals", "first upcard ", "draws ", "throws ", "knocks with ", "lays off "):
        assert words in text, words
    assert text.splitlines()[-1].strip().startswith("knock: ")


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*[a-z].jsonl")), ids=lambda path: path.name)
def test_show_prints_rounds_of_all_golden_records(
    capsys: pytest.CaptureFixture[str], path: Path
) -> None:
    if ".times" in path.name:
        status, text = run(capsys, "show", str(path))
        assert (status, "ginarena-record/1" in text) == (USAGE, True)
        return
    for game in ("0", "1"):
        status, text = run(capsys, "show", str(path), "--game", game)
        assert status == OK
        for number in (1, len(text.splitlines()) - 3):
            assert run(capsys, "show", str(path), "--game", game, "--round", str(number))[0] == OK


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("show", "absent.jsonl"), "cannot read absent.jsonl"),
        (("verify", "absent.jsonl"), "cannot read absent.jsonl"),
        (("show", CLASSIC, "--round", "1"), "--round goes with --game"),
        (("show", CLASSIC, "--game", "2"), "no game 2; there are 0 to 1"),
        (("show", CLASSIC, "--game", "0", "--round", "0"), "no round 0; there are 1 to "),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str
) -> None:
    status, text = run(capsys, *arguments)
    assert status == USAGE
    assert told in text
    assert text.count("\n") == 1


def test_control_characters_of_a_record_reach_no_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    strange = tmp_path / "strange.jsonl"
    record = read_record(Path(CLASSIC).read_text())
    header = replace(record.header, players=(("a\x1b[31m", "1"), ("b\x9b2J", "1")))
    strange.write_text(write_record(header, record.games))
    status, text = run(capsys, "show", str(strange))
    assert status == OK
    assert text.startswith(r"a\x1b[31m 1 against b\x9b2J 1, ")
