"""`gin-arena serve`: one part of an arena as a process of its own, set up by the environment."""

import argparse
import os
from typing import NoReturn

from arena.cli import SubParsers
from arena.embedded import parts
from arena.settings import Settings, load_settings


def register(commands: SubParsers) -> None:
    """Add `serve dashboard`, `serve worker` and `serve scheduler`."""
    group = commands.add_parser("serve", help="run one part of an arena until it is stopped")
    kinds = group.add_subparsers(metavar="PART", required=True)
    dashboard = kinds.add_parser("dashboard", help="the pages and the HTTP API")
    dashboard.add_argument("--host", help="address to listen on (GIN_ARENA_HOST)")
    dashboard.add_argument("--port", help="port to listen on (GIN_ARENA_PORT)")
    dashboard.set_defaults(handler=_dashboard)
    worker = kinds.add_parser("worker", help="plays matches from the queue")
    worker.add_argument("--processes", help="matches at once (GIN_ARENA_WORKER_PROCESSES)")
    worker.set_defaults(handler=_worker)
    scheduler = kinds.add_parser("scheduler", help="puts waiting matches into the queue")
    scheduler.set_defaults(handler=_scheduler)


def _dashboard(arguments: argparse.Namespace) -> NoReturn:
    options = {"GIN_ARENA_HOST": arguments.host, "GIN_ARENA_PORT": arguments.port}
    _become(parts.dashboard(), load_settings(options=options))


def _worker(arguments: argparse.Namespace) -> NoReturn:
    settings = load_settings(options={"GIN_ARENA_WORKER_PROCESSES": arguments.processes})
    _become(parts.worker(settings), settings)


def _scheduler(_arguments: argparse.Namespace) -> NoReturn:
    _become(parts.scheduler(), load_settings())


def _become(command: list[str], settings: Settings) -> NoReturn:
    """Replace this process by the command, so that signals reach it directly."""
    parts.require_extra()
    environment = {**os.environ, **settings.environment()}
    os.execve(command[0], command, environment)  # noqa: S606 - the arena's own command, no shell
