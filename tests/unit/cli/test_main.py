import argparse
import importlib
import subprocess
import sys

import pytest

from arena import cli
from arena.embedded.errors import StartError
from arena.engine.errors import InvalidRulesError
from arena.settings import SettingsError

BLOCK = """
import importlib.abc, sys
class Block(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
        return None
sys.meta_path.insert(0, Block())
from arena.cli import main
sys.exit(main({arguments}))
"""


def without_extra(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line where nothing of the `server` extra can be imported."""
    code = BLOCK.format(blocked=set(cli._EXTRA), arguments=list(arguments))
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def fail_with(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> int:
    """Run a command whose handler raises `error`."""

    def handler(_arguments: object) -> int:
        raise error

    parser = argparse.ArgumentParser()
    parser.set_defaults(handler=handler)
    monkeypatch.setattr(cli, "build_parser", lambda: parser)
    return cli.main([])


def test_the_base_package_lists_every_command_without_the_extra() -> None:
    done = without_extra("--help")
    assert done.returncode == 0, done.stderr
    assert all(name in done.stdout for name in ("play", "conform", "bot", "demo", "serve", "test"))


@pytest.mark.parametrize("arguments", [["demo"], ["serve", "dashboard"], ["serve", "worker"]])
def test_a_command_of_the_extra_says_what_to_install(arguments: list[str]) -> None:
    done = without_extra(*arguments)
    line = 'gin-arena: this command needs the server extra: pip install "gin-arena[server]"\n'
    assert (done.returncode, done.stderr) == (2, line)


def test_another_missing_module_is_not_blamed_on_the_extra() -> None:
    with pytest.raises(ModuleNotFoundError, match="torch"):
        cli._missing(ModuleNotFoundError("No module named 'torch'", name="torch"))


def test_without_a_command_the_usage_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        cli.main([])
    assert "usage: gin-arena" in capsys.readouterr().err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--version"])
    version = importlib.import_module("arena").__version__
    assert capsys.readouterr().out == f"gin-arena {version}\n"


@pytest.mark.parametrize(
    "error",
    [
        cli.CommandError("port 1 is taken"),
        InvalidRulesError("port 1 is taken"),
        SettingsError("port 1 is taken"),
        StartError("port 1 is taken"),
    ],
)
def test_an_error_is_one_line(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fail_with(monkeypatch, error) == cli.USAGE
    assert capsys.readouterr().err == "gin-arena: port 1 is taken\n"


def test_an_interrupt_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fail_with(monkeypatch, KeyboardInterrupt()) == cli.INTERRUPTED
    assert capsys.readouterr().err == ""


def test_a_closed_pipe_ends_a_command_quietly() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "arena.cli", "bot", "list"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_the_command_line_is_imported_where_only_posix_names_are_missing() -> None:
    code = (
        "import signal, sys\n"
        "for name in ('SIGHUP', 'SIGQUIT', 'SIGKILL'): delattr(signal, name)\n"
        "sys.modules.update(fcntl=None, pwd=None, resource=None, termios=None)\n"
        "from arena.cli import main\n"
        "main(['--help'])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
