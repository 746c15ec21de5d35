"""The script at the root, with scripted Python programs in place of real ones."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "gin-arena"
NAMES = ("python3", "python3.13", "python3.12", "python3.11")
PYTHON = """#!/bin/sh
case "$*" in
    *pip*) echo "$*" >>"$0.calls"; echo "ERROR: no network"; exit {pip} ;;
    *ensurepip*) exit {venv} ;;
    *version_info*) exit {version} ;;
    --version) echo "Python 3.9.2" ;;
esac
"""


def write_program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


class Checkout:
    """A copy of the script with a project file and a `.venv` whose programs are scripted."""

    def __init__(self, root: Path) -> None:
        self.root = root / "check out"
        self.programs = root / "bin"
        self.root.mkdir()
        shutil.copy(SCRIPT, self.root / "gin-arena")
        (self.root / "pyproject.toml").write_text("[project]\n")
        self.python()

    def python(self, *, version: int = 0, venv: int = 0) -> None:
        """Put Python programs on PATH that exit so when asked for their version and venv."""
        for name in NAMES:
            text = PYTHON.format(version=version, venv=venv, pip=1)
            write_program(self.programs / name, text)

    def venv(self, *, pip: int = 0) -> None:
        """Make a `.venv` whose pip exits so, and whose gin-arena prints its arguments."""
        folder = self.root / ".venv" / "bin"
        write_program(folder / "python", PYTHON.format(version=0, venv=0, pip=pip))
        write_program(folder / "gin-arena", '#!/bin/sh\necho "$PWD: $*"\n')

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.root / "gin-arena", *arguments],
            cwd=self.programs,
            env={"PATH": f"{self.programs}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def installed(self) -> list[str]:
        """What pip was asked to install, call by call."""
        calls = self.root / ".venv" / "bin" / "python.calls"
        return [line.split("[")[-1] for line in calls.read_text().splitlines()]


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_it_hands_over_in_the_callers_folder(checkout: Checkout) -> None:
    checkout.venv()
    done = checkout.run("demo", "--once")
    assert (done.returncode, done.stdout) == (0, f"{checkout.programs}: demo --once\n")


def test_it_installs_once_and_again_when_the_project_file_changes(checkout: Checkout) -> None:
    checkout.venv()
    assert "Installing into .venv" in checkout.run("demo").stderr
    assert checkout.run("demo").stderr == ""
    (checkout.root / "pyproject.toml").write_text("[project]\nname = 'other'\n")
    checkout.run("demo")
    assert checkout.installed == ["server]", "server]"]


def test_the_test_command_brings_the_test_extra_which_holds_the_other(checkout: Checkout) -> None:
    checkout.venv()
    for command in ("demo", "test", "test", "demo"):
        checkout.run(command)
    assert checkout.installed == ["server]", "test]"]


def test_an_old_python_is_told_in_one_line(checkout: Checkout) -> None:
    checkout.python(version=1)
    done = checkout.run("demo")
    assert done.returncode == 2
    assert done.stderr == "gin-arena: Python 3.11 or newer is needed; python3 is Python 3.9.2\n"


def test_a_python_without_venv_is_told_in_one_line(checkout: Checkout) -> None:
    checkout.python(venv=1)
    done = checkout.run("demo")
    assert done.returncode == 2
    assert done.stderr == (
        f"gin-arena: {checkout.programs}/python3 has no venv module; on Debian or Ubuntu: "
        "sudo apt-get install python3-venv\n"
    )


def test_a_failed_install_is_told_with_its_log_and_tried_again(checkout: Checkout) -> None:
    checkout.venv(pip=1)
    done = checkout.run("demo")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "gin-arena: the install failed: ERROR: no network "
        f"(all of it: {checkout.root}/.venv/install.log)"
    )
    checkout.venv()
    assert checkout.run("demo").returncode == 0
