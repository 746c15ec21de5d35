"""`gin-arena bench`: figures of this machine, beside a reference in the same run."""

import argparse
import sys
from typing import Any, Final

from arena.cli import OK, SubParsers

_WHAT: Final = {
    "engine": ("whole rounds at random, deadwood, deals, observations", 300),
    "bots": ("the reference bots in process, and play-outs", 300),
    "wire": ("refereed matches over gRPC, by part of a decision", 60),
}
"""Each benchmark in words, and its size: rounds of a run, or for the wire games."""


def register(commands: SubParsers) -> None:
    """Add the group's commands."""
    group = commands.add_parser("bench", help="measure engine, bots and wire on this machine")
    actions = group.add_subparsers(metavar="WHAT", required=True)
    for name, (summary, size) in _WHAT.items():
        bench = actions.add_parser(name, help=summary, description=f"Measure {summary}.")
        unit = "games" if name == "wire" else "rounds"
        bench.add_argument(
            "--size", type=_count, default=size, metavar="N", help=f"{unit} a run (%(default)s)"
        )
        bench.add_argument(
            "--runs", type=_count, default=5, metavar="N", help="runs of each figure (%(default)s)"
        )
        if name == "wire":
            bench.add_argument(
                "--tables", type=_tables, default=64, metavar="N", help="at once (%(default)s)"
            )
        bench.add_argument("--json", action="store_true", help="print the figures as JSON")
        bench.set_defaults(handler=bench_command, benchmark=name)


def bench_command(arguments: argparse.Namespace) -> int:
    """Measure, and print a line a figure."""
    from arena.bench import bots, engine, report, wire

    measure: dict[str, Any] = {"engine": engine.figures, "bots": bots.figures, "wire": wire.figures}
    options = {"tables": arguments.tables} if arguments.benchmark == "wire" else {}
    shown = sys.stderr.isatty() and not arguments.json

    def on_run(run: int) -> None:
        if shown:
            print(f"\rrun {run + 1} of {arguments.runs}", end="", file=sys.stderr, flush=True)

    figures = measure[arguments.benchmark](
        size=arguments.size, runs=arguments.runs, on_run=on_run, **options
    )
    if shown:
        print("\r\x1b[K", end="", file=sys.stderr)
    if arguments.json:
        print(report.as_json(arguments.benchmark, figures))
    else:
        print("\n".join(report.lines(figures)))
    return OK


def _tables(text: str) -> int:
    tables = int(text) if text.isdecimal() else 0
    if not 1 <= tables <= 128:
        raise argparse.ArgumentTypeError(f"{text} tables; it may be 1 to 128")
    return tables


def _count(text: str) -> int:
    count = int(text) if text.isdecimal() else 0
    if not 1 <= count <= 1_000_000:
        raise argparse.ArgumentTypeError(f"{text} is no count; it may be 1 to 1000000")
    return count
