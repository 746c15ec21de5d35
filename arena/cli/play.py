"""`gin-arena play`: a refereed match on the spot."""

import argparse
import asyncio
import functools
import math
import os
import re
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.cli import FAILED, OK, CommandError, SubParsers
from arena.cli._paths import check_distinct

if TYPE_CHECKING:
    from arena.cli._report import GamesProgress
    from arena.referee.match import PlayerFactory
    from arena.referee.outcome import FinishedGame, MatchOutcome
    from arena.schedule.plan import MatchPlan

_ADDRESS: Final = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^:/\\\[\]]+)):([0-9]+)")
_SEED_DIGITS: Final = 64
_EPILOG: Final = """\
A, B and C are each a reference bot (random, simple, greedy, patient), file.py, file.py:Class,
module:Class, or the host:port of a bot that is being served. A bot by name or file plays in this
process.

Captain is played by three bots, every other preset by two.

The same seed and bots that decide the same way give the same record, byte for byte. Private boards
are played once; mirrored boards in every seating, two or (of three) six, so that luck of the deal
cancels out. A bot by name or file is made anew for each seating, all within this process; what it
keeps elsewhere (in a module, a file) outlives a seating, and a served bot is one process for all.

exit status: 0 every game has its result, forfeits included; 1 the match could not be completed;
2 bad arguments; 130 interrupted.
"""


def register(commands: SubParsers) -> None:
    """Add `play`."""
    play = commands.add_parser(
        "play",
        help="play a match of two or three bots on the spot",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    play.add_argument("first", metavar="A", help="the first bot")
    play.add_argument("second", metavar="B", help="the second bot")
    play.add_argument("third", metavar="C", nargs="?", help="the third bot, for captain")
    play.add_argument("--rules", default="classic", help="a preset of rules (%(default)s)")
    play.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="change one rule; repeat"
    )
    play.add_argument("--games", type=int, default=20, metavar="N", help="(%(default)s)")
    play.add_argument("--boards", choices=["private", "mirrored"], default="private")
    play.add_argument("--seed", metavar="HEX", help="the master seed of all boards; else a new one")
    play.add_argument("--clock", default="standard", help="a time control (%(default)s)")
    play.add_argument(
        "--tables", type=int, default=64, metavar="N", help="most games at once (%(default)s)"
    )
    play.add_argument("--record", type=Path, metavar="FILE", help="write the record there")
    play.add_argument("--times", type=Path, metavar="FILE", help="write the times there")
    play.add_argument("--json", action="store_true", help="print the result as JSON")
    play.add_argument("--quiet", action="store_true", help="print neither progress nor games")
    play.set_defaults(handler=play_command)


def play_command(arguments: argparse.Namespace) -> int:
    """Play the match and print what came of it."""
    from arena.cli import _report
    from arena.referee.outcome import MatchEnd

    plan = _plan(arguments)
    specs = _specs(arguments)
    check_distinct(arguments.record, arguments.times, names="--record and --times")
    makers = [_maker(spec) for spec in specs]
    for path in filter(None, (arguments.record, arguments.times)):
        _check_writable(path)
    shown = not (arguments.quiet or arguments.json)
    with _report.GamesProgress(len(plan.games), shown=shown) as progress:
        outcome = asyncio.run(_play(makers, plan, tables=arguments.tables, progress=progress))
    _write_files(outcome, arguments)
    if arguments.json:
        print(_report.as_json(outcome, plan))
    else:
        print("\n".join(_report.lines(outcome, plan, names=specs, games=shown)))
    return OK if outcome.end is MatchEnd.COMPLETE else FAILED


async def _play(
    makers: "Sequence[PlayerFactory]",
    plan: "MatchPlan",
    *,
    tables: int,
    progress: "GamesProgress",
) -> "MatchOutcome":
    from arena.referee.match import play_match

    def finished(game: "FinishedGame") -> None:
        progress.advance()

    return await play_match(makers, plan, on_game=finished, max_tables=tables)


def _specs(arguments: argparse.Namespace) -> list[str]:
    specs = [arguments.first, arguments.second, arguments.third]
    return [spec for spec in specs if spec is not None]


def _plan(arguments: argparse.Namespace) -> "MatchPlan":
    from arena.engine.rules import Rules
    from arena.referee.match import MAX_TABLES
    from arena.schedule.plan import BoardMode, MatchPlan, TimeControl

    rules = Rules.preset(arguments.rules).with_options(dict(map(_setting, arguments.set)))
    if rules.players != len(_specs(arguments)):
        bots = f"{len(_specs(arguments))} bots are named"
        raise CommandError(f"--rules {arguments.rules} seats {rules.players}; {bots}")
    if not 1 <= arguments.tables <= MAX_TABLES:
        raise CommandError(f"--tables is {arguments.tables}; it may be 1 to {MAX_TABLES}")
    games, mirrored = arguments.games, arguments.boards == "mirrored"
    seatings = math.factorial(rules.players) if mirrored else 1
    if games < 1 or games % seatings:
        wanted = f"a multiple of {seatings}, the seatings of a board" if mirrored else "at least 1"
        raise CommandError(f"--games is {games}; with {arguments.boards} boards it is {wanted}")
    return MatchPlan(
        rules=rules,
        time_control=TimeControl.named(arguments.clock),
        mode=BoardMode(arguments.boards),
        master=_seed(arguments.seed),
        slots=games // seatings,
    )


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (equals and name.strip()):
        raise CommandError(f"--set {text}: write KEY=VALUE, as in --set target=50")
    return name.strip(), value


def _seed(text: str | None) -> bytes:
    if text is None:
        return secrets.token_bytes(32)
    if not re.fullmatch(rf"[0-9A-Fa-f]{{1,{_SEED_DIGITS}}}", text):
        raise CommandError(f"--seed {text}: write 1 to {_SEED_DIGITS} hex digits")
    return bytes.fromhex(text.zfill(_SEED_DIGITS))


def _maker(spec: str) -> "PlayerFactory":
    """Return a maker of players for a bot; the bot is loaded once at once, to find its errors."""
    address = _ADDRESS.fullmatch(spec)
    if address:
        return _remote(address[1] or address[2], int(address[3]))
    from arena.sdk.load import BotLoadError, load_bot
    from arena.sdk.local import LocalPlayer

    try:
        load_bot(spec)
    except BotLoadError as error:
        raise CommandError(str(error)) from error
    return lambda: LocalPlayer(load_bot(spec))


def _remote(host: str, port: int) -> "PlayerFactory":
    from arena.rpc.address import resolve
    from arena.rpc.client import GrpcPlayer

    try:
        address = asyncio.run(resolve(host, port))
        GrpcPlayer(address, port)
    except (OSError, OverflowError) as error:
        raise CommandError(f"{host} has no address: {error or 'no answer in time'}") from error
    except ValueError as error:
        raise CommandError(f"{host}:{port}: {error}") from error
    return functools.partial(GrpcPlayer, address, port)


def _check_writable(path: Path) -> None:
    folder = path.parent
    if not folder.is_dir():
        raise CommandError(f"cannot write {path}: there is no folder {folder}")
    if path.is_dir() or not os.access(path if path.exists() else folder, os.W_OK):
        raise CommandError(f"cannot write {path}: choose another file or mend its permissions")


def _write_files(outcome: "MatchOutcome", arguments: argparse.Namespace) -> None:
    """Write record and times; a match that reached no bot has neither."""
    from arena.notation.files import write_record
    from arena.notation.times import write_times

    if outcome.header is None or not (arguments.record or arguments.times):
        return
    record = write_record(outcome.header, [game.record for game in outcome.games])
    texts = {arguments.record: record}
    if arguments.times:
        texts[arguments.times] = write_times(record, [game.times for game in outcome.games])
    for path, text in texts.items():
        if path:
            try:
                path.write_bytes(text.encode())
            except OSError as error:
                raise CommandError(f"cannot write {path}: {error.strerror}") from error
