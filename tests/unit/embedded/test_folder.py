import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.embedded.errors import StartError
from arena.embedded.folder import DataFolder, owner_only

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


def _modes(folder: Path, *names: str) -> list[int]:
    return [(folder / name).stat().st_mode & 0o777 for name in names]


def test_a_new_folder_and_its_files_are_for_this_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with owner_only(), DataFolder(folder):
        (folder / "arena.sqlite3").touch()
        (folder / "logs").mkdir()
    assert _modes(folder, "", "arena.lock", "arena.sqlite3", "logs") == [0o700, 0o600, 0o600, 0o700]
    (tmp_path / "after").touch(mode=0o644)
    assert _modes(tmp_path, "after") == [0o644]


def test_a_folder_of_an_older_release_is_tightened_and_nothing_of_others_is_touched(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "data"
    for name in ("arena.sqlite3", "arena.sqlite3-wal", "logs/worker.log", "redis/appendonlydir/1"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
        (folder / name).chmod(0o644)
    outside = tmp_path / "outside"
    for path in (outside, folder / "letter.txt"):
        path.touch()
        path.chmod(0o644)
    (folder / "logs" / "link").symlink_to(outside)
    folder.chmod(0o755)
    with DataFolder(folder):
        assert _modes(folder, "", "logs", "redis", "redis/appendonlydir") == [0o700] * 4
        assert (
            _modes(folder, "arena.sqlite3", "arena.sqlite3-wal", "logs/worker.log") == [0o600] * 3
        )
        assert _modes(folder, "redis/appendonlydir/1", "letter.txt") == [0o600, 0o644]
    assert _modes(tmp_path, "outside") == [0o644]


def test_a_folder_that_all_users_share_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    with pytest.raises(StartError, match="shared by all users; choose one for the arena alone"):
        DataFolder(tmp_path)
    assert tmp_path.stat().st_mode & 0o7777 == 0o1777
