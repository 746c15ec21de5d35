"""``python -m dashboard`` as a process: it serves, says where, and ends when told."""

import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

from arena.store.database import Store
from arena.store.schema import upgrade


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "GIN_ARENA_DATA": str(folder), "DATABASE_URL": ""}


def test_it_serves_until_it_is_told_to_end(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'arena.sqlite3'}")
    upgrade(store)
    store.close()
    with subprocess.Popen(
        [sys.executable, "-m", "dashboard", "--port", "0"],
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().removeprefix("dashboard: ").strip()
        with urllib.request.urlopen(f"{address}healthz", timeout=30) as answer:  # noqa: S310
            assert answer.read() == b"ok\n"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0


def test_a_database_without_schema_is_refused_with_what_to_do(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "dashboard", "--port", "0"],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 2
    assert "gin-arena db upgrade" in ended.stderr
    assert ended.stderr.count("\n") == 1
