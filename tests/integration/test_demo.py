import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psutil
import pytest

DEMO = (sys.executable, "-m", "arena.cli", "demo")
SMALL = ("--games", "2", "--bots", "simple", "greedy", "--port", "0")
"""A league of four matches of two games."""


def demo(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*DEMO, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """Run the demo until it has said that it serves; yield it and what it printed."""
    with subprocess.Popen([*DEMO, *arguments], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process, read_to(process, "The dashboard is at")
        finally:
            process.kill()


def read_to(process: subprocess.Popen[str], start: str) -> list[str]:
    """Return the lines to the first that begins so."""
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        if line.lstrip().startswith(start):
            return lines
    raise AssertionError(f"the demo ended: {''.join(lines)}")


def processes_of(data: Path) -> list[psutil.Process]:
    """Return the processes that run on a data folder, the demo itself apart."""
    found = []
    for process in psutil.process_iter():
        try:
            variables = process.environ()
        except psutil.Error:
            continue
        command = " ".join(process.cmdline()) if process.is_running() else ""
        if variables.get("GIN_ARENA_DATA") == str(data) or f"{data}/" in command:
            found.append(process)
    return found


def wait_until_gone(data: Path) -> None:
    """Wait until nothing runs on a data folder; the test's own time limit ends a vain wait."""
    while processes_of(data):
        time.sleep(0.05)


def others_may(path: Path) -> int:
    """Return the permissions of other users."""
    return path.stat().st_mode & 0o077


def rows(data: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(data / "arena.sqlite3")) as database:
        return database.execute(query).fetchall()


def test_once_plays_the_league_stops_everything_and_finds_it_again(tmp_path: Path) -> None:
    data = tmp_path / "data"
    done = demo("--once", "--data", str(data), *SMALL)
    assert (done.returncode, done.stderr) == (0, "")
    assert "4/4 matches" in done.stdout
    assert re.search(r"95 % interval .*\n +1 +\w+ 1 .* -?\d+ to \d+ ", done.stdout)
    assert re.search(r"First match finished after [\d.]+ s, league after [\d.]+ s", done.stdout)
    assert processes_of(data) == []

    again = demo("--once", "--data", str(data), *SMALL)
    assert again.returncode == 0
    assert "The league was over before" in again.stdout
    assert re.findall(r"leagues/(\w+)", again.stdout) == re.findall(r"leagues/(\w+)", done.stdout)
    assert rows(data, "SELECT count(*) FROM game") == [(8,)]

    with closing(sqlite3.connect(data / "arena.sqlite3")) as database:
        database.execute("UPDATE match SET state = 'quarantined' WHERE number = 0")
        database.commit()
    spoilt = demo("--once", "--data", str(data), *SMALL)
    assert spoilt.returncode == 1
    assert "Quarantined and not rated: 1 " in spoilt.stdout
    assert "gin-arena match requeue ID" in spoilt.stdout


def test_it_serves_until_a_signal_then_stops_every_process(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with serving("--data", str(data), *SMALL) as (process, lines):
        page = re.search(r"http://\S+/leagues/\w+", "".join(lines))
        assert page is not None
        with urllib.request.urlopen(page[0], timeout=30) as answer:  # noqa: S310 - loopback
            assert "greedy" in answer.read().decode()
        assert {path.name: mode for path in data.rglob("*") if (mode := others_may(path))} == {}
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
    assert processes_of(data) == []


def test_everything_dies_with_a_killed_demo_and_the_next_goes_on(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with subprocess.Popen(
        [*DEMO, "--once", "--data", str(data), "--games", "20", *SMALL[2:]],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        read_to(process, "0/4 matches")
        while rows(data, "SELECT count(*) FROM game") == [(0,)]:
            time.sleep(0.05)
        process.kill()
    wait_until_gone(data)
    done = demo("--once", "--data", str(data), "--games", "20", *SMALL[2:])
    assert done.returncode == 0, done.stderr
    assert rows(data, "SELECT state, count(*) FROM match GROUP BY state") == [("done", 4)]
    assert rows(data, "SELECT count(*), count(DISTINCT match_id * 1000 + number) FROM game") == [
        (80, 80)
    ]
    assert rows(data, "SELECT count(*) FROM game WHERE forfeiter IS NOT NULL") == [(0,)]


def test_a_data_folder_in_use_is_told_in_one_line(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path), *SMALL) as (process, _):
        second = demo("--once", "--data", str(tmp_path), *SMALL)
    assert second.returncode == 2
    assert second.stderr == (
        f"gin-arena: the data folder {tmp_path} is in use by another arena (process "
        f"{process.pid}); stop that one, or choose another folder with --data\n"
    )


def test_a_taken_port_is_told_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = demo("--once", "--data", str(tmp_path), "--port", str(port))
    assert done.returncode == 2
    assert done.stderr == (
        f"gin-arena: the dashboard cannot listen on 127.0.0.1 port {port} (Address already in "
        "use); stop what listens there, or choose another port with --port\n"
    )


def test_an_unwritable_data_folder_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = demo("--once", "--data", str(tmp_path / "file" / "data"))
    assert done.returncode == 2
    assert done.stderr == (
        f"gin-arena: cannot write the data folder {tmp_path}/file/data (Not a directory); "
        "choose another one with --data or GIN_ARENA_DATA\n"
    )


def test_a_silent_redis_url_is_told_in_one_line(tmp_path: Path) -> None:
    done = demo("--once", "--data", str(tmp_path), REDIS_URL="redis://127.0.0.1:1/0")
    assert done.returncode == 2
    assert re.fullmatch(
        r"gin-arena: the Redis server of REDIS_URL does not answer \(.+\); start it, or unset "
        r"REDIS_URL to use the arena's own\n",
        done.stderr,
    )


def test_a_database_of_a_newer_release_is_told_in_one_line(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "arena.sqlite3")) as database:
        database.execute("CREATE TABLE alembic_version (version_num TEXT)")
        database.execute("INSERT INTO alembic_version VALUES ('9999')")
        database.commit()
    done = demo("--once", "--data", str(tmp_path), "--port", "0")
    assert done.returncode == 2
    assert done.stderr == (
        "gin-arena: the database has schema 9999, made by a newer release of Gin Arena: install "
        "that release, or choose another data folder\n"
    )


def test_a_bot_that_does_not_start_is_told_in_one_line(tmp_path: Path) -> None:
    bots = ("--bots", "simple", str(tmp_path / "nobot.py"))
    done = demo("--once", "--data", str(tmp_path), "--port", "0", *bots)
    assert done.returncode == 2
    assert re.fullmatch(
        r"gin-arena: bot-\S+ did not start: .*nobot\.py: there is no such file \(log: .+\)\n",
        done.stderr,
    )
    assert processes_of(tmp_path) == []


@pytest.mark.parametrize(
    "arguments", [("--games", "3"), ("--games", "0"), ("--bots", "simple")], ids=" ".join
)
def test_a_league_that_cannot_be_is_told_in_one_line(arguments: tuple[str, ...]) -> None:
    done = demo("--once", *arguments)
    assert done.returncode == 2
    assert done.stderr == (
        "gin-arena: a league needs two bots or more, and --games an even number from 2\n"
    )
