"""`gin-arena db`, `entry`, `league` and `match`: the database, bots, leagues, their matches."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from arena.cli import OK, CommandError, SubParsers
from arena.cli._screen import interval_text, points_text
from arena.engine.rules import PRESETS
from arena.schedule.plan import TIME_CONTROLS, BoardMode, TimeControl
from arena.settings import load_settings

if TYPE_CHECKING:
    from arena.store.database import Store
    from arena.store.views import Standings

_MIRRORED: Final = (
    "note: on mirrored boards remote bots keep their processes between seatings, so a bot could "
    "remember a board; the league's page says so"
)


def register(commands: SubParsers) -> None:
    """Add the commands `db`, `entry`, `league` and `match`."""
    _register_db(_group(commands, "db", "make or upgrade the database"))
    _register_entry(_group(commands, "entry", "register bots that listen at an address"))
    _register_league(_group(commands, "league", "create leagues and read their standings"))
    _register_match(_group(commands, "match", "decide on single matches of leagues"))


def _group(commands: SubParsers, name: str, about: str) -> SubParsers:
    parser = commands.add_parser(name, help=about, description=f"{about.capitalize()}.")
    return parser.add_subparsers(metavar="ACTION", required=True)


def _add(
    actions: SubParsers, name: str, about: str, handler: Callable[[argparse.Namespace], int]
) -> argparse.ArgumentParser:
    parser = actions.add_parser(name, help=about, description=f"{about.capitalize()}.")
    parser.set_defaults(handler=handler)
    return parser


def _register_db(actions: SubParsers) -> None:
    _add(actions, "upgrade", "bring the database to the schema of this release", _upgrade)


def _register_entry(actions: SubParsers) -> None:
    add = _add(actions, "add", "register a bot version, or give it a new address", _add_entry)
    add.add_argument("name", metavar="NAME")
    add.add_argument("address", metavar="HOST:PORT")
    add.add_argument("--bot-version", default="1", metavar="TEXT", help="its version (default 1)")
    add.add_argument("--key", default="", metavar="TEXT", help="the secret that it proves to know")


def _register_league(actions: SubParsers) -> None:
    create = _add(actions, "create", "create a league and start it", _create_league)
    create.add_argument("name", metavar="NAME")
    create.add_argument("entries", nargs="+", metavar="BOT", help="a bot's NAME or NAME@VERSION")
    create.add_argument("--rules", choices=sorted(PRESETS), default="classic")
    create.add_argument(
        "--set", action="append", default=[], metavar="OPTION=VALUE", dest="options"
    )
    create.add_argument(
        "--boards",
        choices=[mode.value for mode in BoardMode],
        default="private",
        help="private (default), or mirrored: each board in every seating; remote bots keep their "
        "processes between seatings and could remember a board",
    )
    create.add_argument(
        "--games", type=int, metavar="N", help="games of a match (default 20, of three 24)"
    )
    create.add_argument(
        "--legs", type=int, default=1, metavar="N", help="times the schedule is played through"
    )
    create.add_argument("--clock", choices=sorted(TIME_CONTROLS), default="standard")
    create.add_argument(
        "--licence", default="CC-BY-4.0", metavar="SPDX", help="licence of its data"
    )
    _add(actions, "list", "list the leagues, newest first", _list_leagues)
    export = _add(actions, "export", "write the bundle of a finished league", _export_league)
    export.add_argument("league", metavar="ID")
    export.add_argument("-o", "--output", type=Path, required=True, metavar="FILE")
    importing = _add(actions, "import", "take in the league of a bundle", _import_league)
    importing.add_argument("bundle", type=Path, metavar="FILE")
    table = _add(actions, "standings", "print the standings of a league", _print_standings)
    table.add_argument("league", metavar="ID")
    table.add_argument("--json", action="store_true", help="print JSON")

    withdraw = _add(actions, "withdraw", "take an entry out of a league", _withdraw)
    withdraw.add_argument("league", metavar="ID")
    withdraw.add_argument("entry", metavar="BOT", help="a bot's NAME or NAME@VERSION")
    close = _add(actions, "close", "end a league before its schedule does", _close)
    close.add_argument("league", metavar="ID")


def _register_match(actions: SubParsers) -> None:
    void = _add(actions, "void", "take a match out of the ratings for good", _void)
    void.add_argument("match", metavar="ID")
    void.add_argument("--why", required=True, metavar="TEXT", help="the reason, for its page")
    requeue = _add(actions, "requeue", "let a quarantined match be played on", _requeue)
    requeue.add_argument("match", metavar="ID")


@contextmanager
def _open_store() -> Iterator["Store"]:
    from arena.store import schema
    from arena.store.database import Store

    store = Store(load_settings().database_url)
    try:
        schema.check(store)
        yield store
    finally:
        store.close()


def _upgrade(_: argparse.Namespace) -> int:
    from arena.embedded.folder import make_private, owner_only
    from arena.store.database import Store
    from arena.store.schema import upgrade

    settings = load_settings()
    make_private(settings.data)
    with owner_only():
        store = Store(settings.database_url)
        upgrade(store)
        store.close()
    print("the database has the schema of this release")
    return OK


def _add_entry(arguments: argparse.Namespace) -> int:
    from arena.store.repository import submit_bot

    host, colon, port = arguments.address.rpartition(":")
    if not (colon and host and port.isdecimal()):
        raise CommandError(f"{arguments.address!r} is no address; write HOST:PORT")
    with _open_store() as store, store.writing() as session:
        version_id = submit_bot(
            session,
            arguments.name,
            version=arguments.bot_version,
            host=host.strip("[]"),
            port=int(port),
            key=arguments.key.encode(),
        )
    print(version_id)
    return OK


def _create_league(arguments: argparse.Namespace) -> int:
    from arena.store import queries, repository

    spec = repository.LeagueSpec(
        name=arguments.name,
        preset=arguments.rules,
        options=dict(map(_read_option, arguments.options)),
        boards=BoardMode(arguments.boards),
        games=arguments.games,
        legs=arguments.legs,
        time_control=TimeControl.named(arguments.clock),
        licence=arguments.licence,
    )
    with _open_store() as store, store.writing() as session:
        league_id = repository.create_league(session, spec)
        for entry in arguments.entries:
            name, _, version = entry.partition("@")
            version_id = queries.find_version(session, name, version or None)
            if version_id is None:
                raise CommandError(f"no bot {entry!r}; register it with `gin-arena entry add`")
            repository.enter(session, league_id, version_id=version_id)
        repository.start_league(session, league_id)
    print(league_id)
    if spec.boards is BoardMode.MIRRORED:
        print(_MIRRORED, file=sys.stderr)
    return OK


def _read_option(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise CommandError(f"--set {text!r}; write OPTION=VALUE")
    return name, value


def _export_league(arguments: argparse.Namespace) -> int:
    from arena.cli import _bundles

    with _open_store() as store:
        return _bundles.export_league(store, arguments.league, arguments.output)


def _import_league(arguments: argparse.Namespace) -> int:
    from arena.cli import _bundles

    with _open_store() as store:
        return _bundles.import_league(store, arguments.bundle)


def _withdraw(arguments: argparse.Namespace) -> int:
    from arena.cli import _organise

    with _open_store() as store:
        return _organise.withdraw(store, arguments.league, arguments.entry)


def _close(arguments: argparse.Namespace) -> int:
    from arena.cli import _organise

    with _open_store() as store:
        return _organise.close(store, arguments.league)


def _void(arguments: argparse.Namespace) -> int:
    from arena.cli import _organise

    with _open_store() as store:
        return _organise.void(store, arguments.match, arguments.why)


def _requeue(arguments: argparse.Namespace) -> int:
    from arena.cli import _organise

    with _open_store() as store:
        return _organise.requeue(store, arguments.match)


def _list_leagues(_: argparse.Namespace) -> int:
    from arena.store import queries

    with _open_store() as store, store.reading() as session:
        for league in queries.leagues(session, limit=1000):
            done = f"{league.matches_ended}/{league.matches_total} matches"
            print(f"{league.id}  {league.state:8}  {done:>20}  {league.name}")
    return OK


def _print_standings(arguments: argparse.Namespace) -> int:
    from arena.store import queries

    with _open_store() as store, store.reading() as session:
        found = queries.standings(session, arguments.league)
    if found is None:
        raise CommandError(f"no league {arguments.league}; `gin-arena league list` shows them")
    if arguments.json:
        print(json.dumps(_json_ready(asdict(found)), indent=2))
    else:
        _print_table(found)
    return OK


def _json_ready(value: Any) -> Any:
    """Return the value with infinities as null, which JSON has no number for."""
    if isinstance(value, dict):
        return {name: _json_ready(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_json_ready(item) for item in value]
    return None if isinstance(value, float) and value in (float("inf"), -float("inf")) else value


def _print_table(found: "Standings") -> None:
    print(
        f"{'':>3}  {'bot':24} {'Elo':>5}  {'95 % interval':15} {'points/round':>14}  "
        f"{'score':>5}  {'places':>11}  games"
    )
    for row in found.rows:
        interval, margin = interval_text(row), points_text(row)
        name = f"{row.bot.name} {row.bot.version}"
        places = "-".join(map(str, row.places))
        print(
            f"{row.rank:>3}  {name:24} {row.elo:>5.0f}  {interval:15} {margin:>14}  "
            f"{row.score:>5.2f}  {places:>11}  {row.games}"
        )
    for flag in found.flags:
        print(f"note: {flag}")
