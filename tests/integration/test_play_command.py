"""`gin-arena play` as a user types it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.cli import FAILED, OK, USAGE, main
from arena.notation.files import read_record
from arena.notation.times import read_times
from arena.notation.verify import verify_record

FAULTY = """
from arena.sdk import Bot

class Faulty(Bot):
    def act(self, observation):
        {body}
"""


def write_bot(folder: Path, name: str, body: str) -> str:
    path = folder / f"{name}.py"
    path.write_text(FAULTY.format(body=body))
    return str(path)


def test_a_match_of_reference_bots_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "simple", "random", "--games", "4", "--seed", "1"]) == OK
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0].startswith(
        "simple 1 against random 1: classic, 4 games, private boards, seed 1"
    )
    assert [line.split()[:2] for line in lines[1:5]] == [["game", str(n)] for n in range(4)]
    assert lines[5].startswith("simple 1 won 4, random 1 won 0, drawn 0; ")
    assert lines[6].startswith("points per round  +")
    assert lines[7].startswith("Elo difference    +∞, 95 % interval ")
    assert lines[7].endswith("to +∞, from 4 boards")
    assert err == ""


def test_one_seed_gives_one_record_and_times_that_fit(tmp_path: Path) -> None:
    texts = []
    for run, seed in enumerate(["ab12", "AB12", "ab13"]):
        record, times = tmp_path / f"{run}.jsonl", tmp_path / f"{run}.times"
        files = ["--record", str(record), "--times", str(times)]
        options = ["--games", "6", "--boards", "mirrored", "--quiet", "--seed", seed]
        assert main(["play", "simple", "greedy", *options, *files]) == OK
        texts.append(record.read_bytes())
        read_times(times.read_text(), record.read_text(), read_record(record.read_text()))
    assert texts[0] == texts[1] != texts[2]
    games = verify_record(texts[0].decode()).games
    assert [game.board for game in games] == [0, 1, 2, 0, 1, 2]
    assert [game.seating for game in games] == [(0, 1)] * 3 + [(1, 0)] * 3


def test_json_holds_every_game(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--games", "2", "--seed", "5", "--set", "target=20", "--set", "big_gin_bonus=31"]
    assert main(["play", "simple", "simple", "--json", *options]) == OK
    result = json.loads(capsys.readouterr().out)
    assert result["end"] == "complete"
    assert result["rules"]["target"] == 20
    assert result["rules"]["big_gin_bonus"] == 31
    assert [game["game"] for game in result["games"]] == [0, 1]
    assert result["forfeits"] == []
    assert result["seed"].endswith("05")


def test_many_games_are_folded_to_a_sign_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "simple", "random", "--games", "60", "--set", "target=1"]) == OK
    out = capsys.readouterr().out
    signs = [line.split()[1] for line in out.splitlines()[2:4]]
    assert [len(line) for line in signs] == [50, 10]
    assert set("".join(signs)) <= set("+-=")


def test_captain_is_played_by_three(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "captain.jsonl"
    options = ["--rules", "captain", "--boards", "mirrored", "--games", "6", "--seed", "1"]
    names = ["simple", "greedy", "simple"]
    assert main(["play", *names, *options, "--set", "target=30", "--record", str(path)]) == OK
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("simple 1 (A) against greedy 1 (B) against simple 1 (C): ")
    assert sum(" wins in " in line for line in lines) == 6
    places = [line.split()[3] for line in lines[8:11]]
    assert [sum(map(int, text.split(":"))) for text in places] == [6, 6, 6]
    assert sum("by places" in line for line in lines) == 4
    advice = [line for line in lines if line.startswith("advice of ")]
    assert [line.split(":")[0] for line in advice] == [
        "advice of simple 1 (A) to greedy 1 (B)",
        "advice of simple 1 (C) to greedy 1 (B)",
    ]
    assert len({game.seating for game in verify_record(path.read_text()).games}) == 6
    assert main(["show", str(path), "--game", "0"]) == OK
    assert "dealer, captain, winner" in capsys.readouterr().out
    shown = ""
    for number in range(1, 1 + len(read_record(path.read_text()).games[0].rounds)):
        assert main(["show", str(path), "--game", "0", "--round", str(number)]) == OK
        shown += capsys.readouterr().out
    assert "  as advised" in shown


def test_the_json_of_captain_holds_places_and_advice(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--rules", "captain", "--games", "6", "--seed", "2", "--set", "target=1"]
    assert main(["play", "simple", "greedy", "random", "--json", *options]) == OK
    result = json.loads(capsys.readouterr().out)
    assert [len(game["places"]) for game in result["games"]] == [3] * 6
    assert [sum(found["places"]) for found in result["standings"]] == [6, 6, 6]
    scores = [found["score"]["value"] for found in result["standings"]]
    assert sum(scores) == pytest.approx(1.5)
    assert [elo["players"] for elo in result["elo_differences"]] == [[0, 1], [0, 2], [1, 2]]
    assert {entry["captain"] for entry in result["advice"]} == {1}


def test_hollywood_is_played_in_three_columns(tmp_path: Path) -> None:
    path = tmp_path / "hollywood.jsonl"
    options = ["--rules", "hollywood", "--games", "2", "--seed", "1", "--quiet"]
    assert main(["play", "simple", "greedy", *options, "--record", str(path)]) == OK
    for game in verify_record(path.read_text()).games:
        assert game.winner is not None
        assert game.places == (1 + game.winner, 2 - game.winner)
        assert max(game.points) >= 3 * 150


def test_quiet_prints_the_result_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "simple", "random", "--games", "2", "--quiet"]) == OK
    assert len(capsys.readouterr().out.splitlines()) == 4


def test_a_forfeit_is_shown_with_its_evidence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = write_bot(tmp_path, "liar", "return observation.legal[0]._replace(card=51)")
    assert main(["play", bot, "simple", "--games", "2", "--seed", "3"]) == OK
    lines = capsys.readouterr().out.splitlines()
    assert "faulty 1 forfeits: ILLEGAL_ACTION" in lines[1]
    place = lines.index("forfeit: game 0, faulty 1, ILLEGAL_ACTION")
    assert lines[place + 1].startswith("  asked     round 1, seat ")
    assert lines[place + 2].startswith("  answered  ")
    assert lines[place + 3].startswith("  time      ")


def test_a_match_that_ends_early_is_no_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = write_bot(tmp_path, "mad", "return 'fold'")
    assert main(["play", "simple", bot, "--games", "9", "--tables", "1"]) == FAILED
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "not completed (ended_early): faulty 1: 3 incidents in 3 games begun"


def test_a_bot_that_raises_is_reported_with_the_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = "return observation.legal[0] if observation.round_number < 2 else 1 / 0"
    bot = write_bot(tmp_path, "raises", body)
    main(["play", "simple", bot, "--games", "2", "--seed", "8"])
    out = capsys.readouterr().out
    assert "CRASH" in out
    assert "ZeroDivisionError" in out
    assert "raises.py:6" in out


BAD_ARGUMENTS = [
    (["nobody", "simple"], "no bot 'nobody'"),
    (["missing.py", "simple"], "missing.py: there is no such file"),
    (["arena.sdk:Missing", "simple"], "no class Missing"),
    (["simple", "simple", "--rules", "poker"], "no preset 'poker'; there are classic"),
    (["simple", "simple", "--rules", "captain"], "--rules captain seats 3"),
    (["simple", "simple", "simple"], "--rules classic seats 2; 3 bots are named"),
    (
        ["simple"] * 3 + ["--rules", "captain", "--games", "8", "--boards", "mirrored"],
        "a multiple of 6",
    ),
    (
        ["simple", "simple", "--set", "columns=3", "--set", "players=3"],
        "Hollywood has no third score sheet",
    ),
    (["simple", "simple", "--set", "target"], "write KEY=VALUE"),
    (["simple", "simple", "--set", "aces=high"], "no option 'aces'"),
    (["simple", "simple", "--set", "target=0"], "target is 0"),
    (["simple", "simple", "--games", "0"], "--games is 0"),
    (["simple", "simple", "--games", "65000"], "65000 boards"),
    (["simple", "simple", "--games", "3", "--boards", "mirrored"], "a multiple of 2"),
    (["simple", "simple", "--tables", "129"], "--tables is 129; it may be 1 to 128"),
    (["simple", "simple", "--seed", "xyz"], "1 to 64 hex digits"),
    (["simple", "simple", "--seed", "0" * 65], "1 to 64 hex digits"),
    (["simple", "simple", "--clock", "blitz"], "no time control 'blitz'"),
    (["simple", "simple", "--record", "/nowhere/at/all"], "no folder /nowhere/at"),
    (["simple", "simple", "--times", "/"], "cannot write /"),
    (["simple", "127.0.0.1:0"], "port 0 is out of range"),
    (["simple", "127.0.0.1:99999"], "port 99999 is out of range"),
    (["simple", "198.51.100.7:7000"], "needs a key"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_ARGUMENTS, ids=lambda value: str(value)[:60])
def test_bad_arguments_give_one_line_that_says_what_is_right(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", *arguments]) == USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert len(err.splitlines()) == 1


def test_a_bot_that_is_not_there_is_absent(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "simple", "127.0.0.1:1"]) == FAILED
    out = capsys.readouterr().out
    assert "not completed (absent): 127.0.0.1:1: UNREACHABLE" in out


@pytest.fixture
def served() -> Iterator[str]:
    """The address of `simple`, served by a process of its own."""
    command = [sys.executable, "-m", "arena.cli", "bot", "serve", "simple"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().rpartition(" ")[2].strip()
        finally:
            server.terminate()


def test_a_bot_over_grpc_gives_the_record_of_the_bot_in_process(
    served: str, tmp_path: Path
) -> None:
    texts = []
    for place, bot in enumerate(["simple", served]):
        record = tmp_path / str(place)
        options = ["--games", "4", "--seed", "77", "--quiet", "--record", str(record)]
        assert main(["play", bot, "greedy", *options]) == OK
        texts.append(record.read_bytes())
    assert texts[0] == texts[1]


def test_it_plays_without_the_server_extra() -> None:
    code = (
        "import sys; sys.modules.update(dict.fromkeys(['numpy', 'rich', 'celery', 'flask', "
        "'sqlalchemy', 'scipy']))\n"
        "from arena.cli import main\n"
        "sys.exit(main(['play', 'simple', 'random', '--games', '2', '--quiet']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Elo difference" in done.stdout


def test_each_seating_of_mirrored_boards_gets_bots_made_anew(tmp_path: Path) -> None:
    made = tmp_path / "made"
    bot = tmp_path / "memory.py"
    bot.write_text(
        "from arena.sdk import Bot\n"
        "class Memory(Bot):\n"
        "    def __init__(self):\n"
        f"        with open({str(made)!r}, 'a') as file: file.write('made ')\n"
        "    def act(self, observation):\n"
        "        return observation.legal[0]\n"
    )
    options = ["--games", "4", "--boards", "mirrored", "--quiet"]
    assert main(["play", str(bot), "simple", *options]) == OK
    assert made.read_text().split() == ["made"] * 3  # at the check of the arguments, each seating
