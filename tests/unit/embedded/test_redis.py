import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import redis

from arena.embedded.errors import StartError
from arena.embedded.ports import free_port
from arena.embedded.redis import RedisServer, answering_pid, find_program


@pytest.fixture
def no_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)


def test_a_server_answers_and_stops(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as server:
        assert answering_pid(server.port) == server.process.pid
    assert answering_pid(server.port) is None


def test_what_was_queued_survives_a_restart(tmp_path: Path) -> None:
    for expected in (1, 2):
        with RedisServer(tmp_path) as server, redis.Redis.from_url(server.url) as client:
            assert client.rpush("queue", "task") == expected


def test_nothing_is_evicted_and_only_loopback_is_served(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as server, redis.Redis.from_url(server.url) as client:
        settings = {name: client.config_get(name)[name] for name in ("maxmemory-policy", "bind")}
    assert settings == {"maxmemory-policy": "noeviction", "bind": "127.0.0.1"}


def test_a_killed_server_comes_back_with_its_data(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as server, redis.Redis.from_url(server.url) as client:
        client.config_set("appendfsync", "always")
        client.set("match", "7")
        os.kill(server.process.pid, signal.SIGKILL)
        while server.process.status is None:
            pass
        server.check()
        while answering_pid(server.port) is None:
            pass
        assert client.get("match") == b"7"


def test_a_taken_port_is_told_in_one_line(tmp_path: Path) -> None:
    with (
        RedisServer(tmp_path / "first") as server,
        pytest.raises(StartError, match=r"the Redis server did not start: .+log: .+redis\.log"),
    ):
        RedisServer(tmp_path / "second", port=server.port)


def test_a_server_on_the_path_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "redis-server"
    shutil.copy(find_program(), program)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_program() == program


@pytest.mark.usefixtures("no_wheel")
def test_without_a_server_the_line_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(StartError, match=r"install valkey or redis .* or set REDIS_URL"):
        find_program()


@pytest.mark.skipif(sys.platform == "win32", reason="the server runs on POSIX only")
def test_the_server_dies_with_a_killed_parent(tmp_path: Path) -> None:
    port = free_port()
    script = (
        "import sys, pathlib\n"
        "from arena.embedded.redis import RedisServer\n"
        "server = RedisServer(pathlib.Path(sys.argv[1]), port=int(sys.argv[2]))\n"
        "print('up', flush=True)\n"
        "sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path), str(port)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"up\n"
        assert answering_pid(port)
        parent.kill()
    while answering_pid(port):
        pass
