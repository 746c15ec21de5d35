"""`gin-arena export` and `gin-arena rate`: records as tables, leagues rated again offline."""

import argparse
import io
import sys
from pathlib import Path
from typing import Final

from arena.cli import OK, CommandError, SubParsers
from arena.cli._paths import check_distinct
from arena.notation.openspiel import write_openspiel
from arena.notation.record import Record
from arena.notation.tables import TABLES, Table, write_csv, write_parquet
from arena.notation.verify import verify_record

_FORMATS: Final = ("csv", "parquet", "openspiel")


def register(commands: SubParsers) -> None:
    """Add `export` and `rate`."""
    export = commands.add_parser(
        "export", help="write a record as CSV or Parquet, or for OpenSpiel"
    )
    export.add_argument("file", type=Path, help="a record, ginarena-record/1")
    export.add_argument("--format", choices=_FORMATS, default="csv")
    export.add_argument("--table", choices=sorted(TABLES), help="default: rounds")
    export.add_argument("-o", "--output", type=Path, metavar="OUT", help="default: standard output")
    export.set_defaults(handler=_export)
    rate = commands.add_parser("rate", help="rate a league again from its bundle")
    rate.add_argument("bundle", type=Path, help="an archive of a league, or its unpacked folder")
    rate.set_defaults(handler=_rate)


def _rate(arguments: argparse.Namespace) -> int:
    from arena.cli import _bundles

    return _bundles.rate(arguments.bundle)


def _export(arguments: argparse.Namespace) -> int:
    if arguments.format == "openspiel" and arguments.table:
        raise CommandError("--table goes with csv and parquet; openspiel writes rounds")
    if arguments.format == "parquet" and arguments.output is None:
        raise CommandError("parquet is written to a file; name it with -o")
    check_distinct(arguments.file, arguments.output, names="the record and -o")
    try:
        record = verify_record(arguments.file.read_bytes().decode("latin-1"))
        _write(record, arguments)
    except OSError as error:
        raise CommandError(f"cannot use {error.filename}: {error.strerror}") from error
    return OK


def _write(record: Record, arguments: argparse.Namespace) -> None:
    if arguments.format == "parquet":
        write_parquet(_table(record, arguments), arguments.output)
        return
    text = io.StringIO()
    if arguments.format == "openspiel":
        text.write(write_openspiel(record))
    else:
        write_csv(_table(record, arguments), text)
    if arguments.output is None:
        sys.stdout.write(text.getvalue())
    else:
        arguments.output.write_text(text.getvalue(), encoding="utf-8", newline="")


def _table(record: Record, arguments: argparse.Namespace) -> Table:
    return TABLES[arguments.table or "rounds"](record)
