"""`gin-arena demo`: a whole arena with embedded parts plays a league and shows it."""

import argparse
import signal
import time
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Final

from arena import __version__
from arena.cli import FAILED, INTERRUPTED, OK, CommandError, SubParsers
from arena.cli._screen import progress_show, standings_lines, unrated_lines
from arena.settings import Settings, load_settings

if TYPE_CHECKING:
    from arena.embedded.arena import EmbeddedArena
    from arena.store.views import Progress

GAMES: Final = 20
BOTS: Final = ("random", "simple", "greedy", "patient")
_POLL_SECONDS: Final = 0.2
_SIGNALS: Final = ("SIGINT", "SIGTERM", "SIGHUP")
"""By name: not every platform that imports this module has all of them."""


def register(commands: SubParsers) -> None:
    """Add `demo`."""
    parser = commands.add_parser(
        "demo", help="run a whole arena on this machine and play a league of the reference bots"
    )
    parser.add_argument(
        "--once", action="store_true", help="stop everything and exit when the league is over"
    )
    parser.add_argument("--host", help="address of the dashboard (GIN_ARENA_HOST, 127.0.0.1)")
    parser.add_argument("--port", help="port of the dashboard (GIN_ARENA_PORT, 8052)")
    parser.add_argument(
        "--data", metavar="DIR", help="data folder (GIN_ARENA_DATA, your user data)"
    )
    parser.add_argument(
        "--games", type=int, default=GAMES, metavar="N", help="games of a match (%(default)s)"
    )
    parser.add_argument(
        "--bots",
        nargs="+",
        default=BOTS,
        metavar="BOT",
        help=f"reference bots, file.py or module:Class ({' '.join(BOTS)})",
    )
    parser.set_defaults(handler=_demo)


def _demo(arguments: argparse.Namespace) -> int:
    from arena.embedded.parts import require_extra

    require_extra()
    if len(arguments.bots) < 2 or arguments.games < 2 or arguments.games % 2:
        raise CommandError("a league needs two bots or more, and --games an even number from 2")
    twice = next((bot for bot in arguments.bots if arguments.bots.count(bot) > 1), None)
    if twice:
        raise CommandError(f"--bots names {twice} more than once; name each bot once")
    _on_signals(_interrupt_once)
    options = {
        "GIN_ARENA_DATA": arguments.data,
        "GIN_ARENA_HOST": arguments.host,
        "GIN_ARENA_PORT": arguments.port,
    }
    return _run(load_settings(options=options), arguments)


def _on_signals(action: Callable[[int, FrameType | None], None] | signal.Handlers) -> None:
    for name in _SIGNALS:
        signal.signal(signal.Signals[name], action)


def _interrupt_once(_number: int, _frame: FrameType | None) -> None:
    """End the run; what stops the processes is not to be disturbed by further signals."""
    _on_signals(signal.SIG_IGN)
    raise KeyboardInterrupt


def _run(settings: Settings, arguments: argparse.Namespace) -> int:
    """Start everything, play the league, serve; stop everything."""
    from arena.embedded.arena import EmbeddedArena

    status, over, started = OK, False, time.monotonic()
    print(f"Gin Arena {__version__}, data in {settings.data}", flush=True)
    try:
        with EmbeddedArena(settings, bots=arguments.bots) as arena:
            print(f"Started {', '.join(arena.parts)}", flush=True)
            status = _play(arena, games=arguments.games, started=started)
            over = True
            if not arguments.once:
                _serve(arena)
    except KeyboardInterrupt:
        print("Stopped.", flush=True)
        return OK if over or not arguments.once else INTERRUPTED
    return status


def _play(arena: "EmbeddedArena", *, games: int, started: float) -> int:
    """Play the league to its end, or find that it has been, and print the standings.

    Returns:
        The exit status: `FAILED` where matches of it have no result.
    """
    from arena.embedded.league import open_league
    from arena.store.queries import standings

    league_id = open_league(arena.store, arena.bots, games=games)
    print(f"Demo league: {arena.address}leagues/{league_id}", flush=True)
    marks = _watch(arena, league_id)
    with arena.store.reading() as session:
        table = standings(session, league_id)
    if table:
        print("\n".join(standings_lines(table)))
    if marks:
        first, end = (f"{mark - started:.1f} s" for mark in marks)
        print(f"First match finished after {first}, league after {end}.", flush=True)
    else:
        print("The league was over before; choose other --bots or --games for a new one.")
    unrated = unrated_lines(_progress(arena, league_id))
    print("\n".join(unrated), end="\n" if unrated else "", flush=True)
    return FAILED if unrated else OK


def _watch(arena: "EmbeddedArena", league_id: str) -> tuple[float, float] | None:
    """Show progress to the league's end; return when the first and the last match ended.

    None: the league was over when the watch began.
    """
    progress = _progress(arena, league_id)
    if progress.ended == progress.total:
        return None
    begin, ended, first = time.monotonic(), progress.ended, 0.0
    with progress_show() as show:
        while progress.ended < progress.total:
            time.sleep(_POLL_SECONDS)
            arena.check()
            progress = _progress(arena, league_id)
            new, now = progress.ended - ended, time.monotonic()
            show.update(progress, new / (now - begin))
            first = first or (now if new else 0.0)
    return first, now


def _progress(arena: "EmbeddedArena", league_id: str) -> "Progress":
    from arena.store.queries import progress

    with arena.store.reading() as session:
        found = progress(session, league_id)
    if found is None:
        raise CommandError(
            f"the league {league_id} has vanished from {arena.settings.database_url}"
        )
    return found


def _serve(arena: "EmbeddedArena") -> None:
    """Serve until a signal ends it."""
    print(f"The dashboard is at {arena.address} until Ctrl-C stops everything.", flush=True)
    while True:
        time.sleep(_POLL_SECONDS)
        arena.check()
