"""The command lines of the arena's parts, the same in the demo and under `gin-arena serve`."""

import importlib.util
import sys

from arena.settings import Settings


def dashboard() -> list[str]:
    """Return the command of the dashboard."""
    return _module("dashboard")


def scheduler() -> list[str]:
    """Return the command of the scheduler: queues waiting matches, takes back expired leases."""
    return _module("worker.scheduler")


def worker(settings: Settings) -> list[str]:
    """Return the command of a worker that plays as many matches at once as the settings say."""
    options = {
        "--pool": "prefork",
        "--concurrency": str(settings.worker_processes),
        "--loglevel": "INFO",
    }
    return [
        *_module("celery", "--app", "worker.app", "worker"),
        *(part for option in options.items() for part in option),
        "--without-gossip",
        "--without-mingle",
    ]


def bot(spec: str, *, host: str, port: int) -> list[str]:
    """Return the command that serves a bot by its name, file or class."""
    return _module("arena.cli", "bot", "serve", spec, "--host", host, "--port", str(port))


def require_extra() -> None:
    """Check that the `server` extra is installed.

    Raises:
        ModuleNotFoundError: it is not.
    """
    for name in ("celery", "flask", "sqlalchemy", "waitress"):
        if importlib.util.find_spec(name) is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def _module(name: str, *arguments: str) -> list[str]:
    """Return the command of an installed module; the current folder is not searched for it."""
    return [sys.executable, "-P", "-m", name, *arguments]
