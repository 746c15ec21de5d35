import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.embedded.errors import StartError
from arena.embedded.folder import DataFolder

HOLD = (
    "import pathlib, sys; from arena.embedded.folder import DataFolder; "
    "folder = DataFolder(pathlib.Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"
)


def test_a_folder_is_made_and_can_be_taken_again(tmp_path: Path) -> None:
    for _ in range(2):
        with DataFolder(tmp_path / "a" / "b") as folder:
            assert folder.path.is_dir()


def test_a_folder_is_held_by_one_arena_whose_process_is_named(tmp_path: Path) -> None:
    line = rf"{tmp_path} is in use by another arena \(process {os.getpid()}\); stop that one, or"
    with DataFolder(tmp_path), pytest.raises(StartError, match=line):
        DataFolder(tmp_path)


def test_a_killed_process_holds_nothing(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(StartError, match=f"process {holder.pid}"):
            DataFolder(tmp_path)
        holder.kill()
    with DataFolder(tmp_path):
        assert (tmp_path / "arena.lock").read_text() == f"{os.getpid()}\n"


def test_a_folder_that_cannot_be_made_is_told_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    line = (
        r"cannot write the data folder .*/file/data \(Not a directory\); choose another .* --data"
    )
    with pytest.raises(StartError, match=line):
        DataFolder(tmp_path / "file" / "data")
