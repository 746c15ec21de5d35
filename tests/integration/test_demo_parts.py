"""Every part that `gin-arena serve` knows starts by the environment and ends by SIGTERM."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.embedded.ports import free_port, serves_pages
from arena.store.database import Store
from arena.store.schema import upgrade

SERVE = (sys.executable, "-m", "arena.cli", "serve")


@pytest.fixture
def environment(tmp_path: Path, redis_url: str) -> dict[str, str]:
    """The variables of an arena with an empty database."""
    database = f"sqlite:///{tmp_path / 'arena.sqlite3'}"
    store = Store(database)
    upgrade(store)
    store.close()
    return {**os.environ, "DATABASE_URL": database, "REDIS_URL": redis_url}


def run_until(
    ready: Callable[[str], bool], *arguments: str, environment: dict[str, str], log: Path
) -> int:
    """Run a part until its log is right, then end it; return its exit status."""
    with (
        log.open("w") as output,
        subprocess.Popen(
            [*SERVE, *arguments], stdout=output, stderr=subprocess.STDOUT, env=environment
        ) as process,
    ):
        while not ready(log.read_text()):
            assert process.poll() is None, log.read_text()
            time.sleep(0.05)
        process.terminate()
        return process.wait(60)


def test_a_dashboard(environment: dict[str, str], tmp_path: Path) -> None:
    port = free_port()
    status = run_until(
        lambda _: serves_pages("127.0.0.1", port),
        "dashboard",
        "--port",
        str(port),
        environment=environment,
        log=tmp_path / "log",
    )
    assert status == 0


def test_a_worker_of_as_many_processes_as_asked(
    environment: dict[str, str], tmp_path: Path
) -> None:
    log = tmp_path / "log"
    status = run_until(
        lambda text: " ready." in text,
        "worker",
        "--processes",
        "1",
        environment=environment,
        log=log,
    )
    assert status == 0
    assert "concurrency: 1 (prefork)" in log.read_text()


def test_a_part_with_a_bad_setting_says_so(environment: dict[str, str]) -> None:
    done = subprocess.run(
        [*SERVE, "worker", "--processes", "many"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == (
        "gin-arena: --processes is 'many'; it must be a whole number from 1 to 256\n"
    )
