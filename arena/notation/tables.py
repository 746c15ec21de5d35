"""Tables of a record for analysis: a row a round, or a row a game; as CSV and as Parquet.

CSV needs the standard library only: UTF-8, a header line, lines that end with a line feed, empty
where there is no value, `true` and `false`. Parquet needs pyarrow and keeps the types.
"""

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import IO, Final

from arena.engine.cards import CARD_TEXT
from arena.engine.result import RoundResult
from arena.engine.rules import Rules
from arena.notation.record import GameRecord, Record, RoundRecord
from arena.notation.replay import replay_game
from arena.notation.text import read_actions

Value = int | str | bool | None


@dataclass(frozen=True, slots=True)
class Column:
    """One column."""

    name: str
    kind: type[int] | type[str] | type[bool]
    about: str
    """What a value is, in a sentence."""


@dataclass(frozen=True, slots=True)
class Table:
    """Named columns and their rows."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]


_ROUND_COLUMNS: Final = (
    Column("game", int, "index of the game in the match, from 0"),
    Column("board", int, "number of the board in the league"),
    Column("round", int, "number of the round in the game, from 1"),
    Column("dealer", int, "player who dealt; of three the one in the box"),
    Column("other", int, "player who played against the dealer; of three the captain"),
    Column("knock_limit", int, "most deadwood of a knock in this round"),
    Column("upcard", str, "first upcard"),
    Column("actions", str, "all actions, as in the record"),
    Column("decisions", int, "number of actions"),
    Column("ending", str, "knock, gin, big_gin, undercut, tie or dead; empty: left by a forfeit"),
    Column("knocker", int, "player who knocked, went gin or big gin"),
    Column("knocker_deadwood", int, "deadwood the knocker declared"),
    Column("defender_deadwood", int, "deadwood of the defender after layoffs"),
    Column("laid_off", int, "cards the defender laid off"),
    Column("winner", int, "player who scored"),
    Column("points", int, "points to the winner"),
)
_ADVICE: Final = Column("advice", str, "what was advised at each action of the captain")
_GAME_COLUMNS: Final = (
    Column("game", int, "index of the game in the match, from 0"),
    Column("board", int, "number of the board in the league"),
    Column("seed", str, "seed of the board, hexadecimal"),
    Column("rounds", int, "rounds begun"),
    Column("winner", int, "player who won; empty: drawn"),
    Column("forfeiter", int, "player who lost by a fault"),
    Column("cause", str, "cause of the forfeit"),
    Column("voids", int, "tries at the game before, given up by a fault of the arena"),
)
_PLAYER_COLUMNS: Final = (
    Column("name", str, "name of the player's bot"),
    Column("version", str, "its version"),
    Column("seat", int, "seat, from 0"),
    Column("points", int, "points of the rounds"),
    Column("total", int, "points with the bonuses of the end"),
    Column("boxes", int, "rounds won"),
    Column("place", int, "place, 1 is best; shared places are equal"),
)


def rounds_table(record: Record) -> Table:
    """Return the rounds of a record, a row a round, in the order of play.

    Raises:
        ReplayError: a game's rounds do not hold.
    """
    rules = record.header.rules
    columns = _ROUND_COLUMNS if rules.players == 2 else (*_ROUND_COLUMNS, _ADVICE)
    rows = [row for game in record.games for row in _round_rows(rules, game)]
    return Table(columns, tuple(row[: len(columns)] for row in rows))


def games_table(record: Record) -> Table:
    """Return the games of a record, a row a game, in the order of the schedule.

    The columns of each player follow the others: ``name_0``, ``version_0`` and so on.
    """
    players = range(record.header.rules.players)
    own = tuple(
        Column(f"{column.name}_{player}", column.kind, column.about)
        for player in players
        for column in _PLAYER_COLUMNS
    )
    return Table((*_GAME_COLUMNS, *own), tuple(_game_row(record, game) for game in record.games))


def _round_rows(rules: Rules, game: GameRecord) -> Iterator[tuple[Value, ...]]:
    steps = groupby(replay_game(rules, game), key=lambda step: step.round_number)
    for done, (_, positions) in zip(game.rounds, steps, strict=True):
        *_, last = positions
        yield (
            *(game.index, game.board, done.number),
            *(game.seating[seat] for seat in done.active),
            *(last.round.knock_limit, CARD_TEXT[last.round.upcard]),
            *(done.actions, len(read_actions(done.actions))),
            None if done.ending is None else done.ending.value,
            *_showdown(game, done, last.round.result),
            *(None if done.winner is None else game.seating[done.winner], done.points),
            done.advice,
        )


def _showdown(
    game: GameRecord, done: RoundRecord, result: RoundResult | None
) -> tuple[int | None, int | None, int | None, int | None]:
    if result is None or result.knocker is None:
        return None, None, None, None
    # Of three, the round's seats 0 and 1 are the box, who deals, and the captain.
    seats = (0, 1) if done.captain is None else done.active
    knocker = game.seating[seats[result.knocker]]
    return knocker, result.knocker_deadwood, result.defender_deadwood, len(result.layoffs)


def _game_row(record: Record, game: GameRecord) -> tuple[Value, ...]:
    lost = game.forfeit
    row: list[Value] = [game.index, game.board, game.seed.hex(), len(game.rounds), game.winner]
    row += [lost.player if lost else None, lost.cause if lost else None, len(game.voids)]
    for player, (name, version) in enumerate(record.header.players):
        row += [name, version, game.seating.index(player), game.points[player]]
        row += [game.totals[player], game.boxes[player], game.places[player]]
    return tuple(row)


TABLES: Final[dict[str, Callable[[Record], Table]]] = {
    "rounds": rounds_table,
    "games": games_table,
}
"""The tables by name."""


def write_csv(table: Table, stream: IO[str]) -> None:
    """Write a table as CSV; open a file for it with ``newline=""`` and UTF-8."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([column.name for column in table.columns])
    for row in table.rows:
        writer.writerow([_csv_value(value) for value in row])


def _csv_value(value: Value) -> Value:
    return str(value).lower() if isinstance(value, bool) else value


def write_parquet(table: Table, path: Path) -> None:
    """Write a table as Parquet; what a column means stands in the metadata of its field.

    Raises:
        ModuleNotFoundError: pyarrow is not installed.
        OSError: the file cannot be written.
    """
    import pyarrow as pa
    from pyarrow import parquet

    kinds = {int: pa.int64(), str: pa.string(), bool: pa.bool_()}
    schema = pa.schema(
        [
            pa.field(column.name, kinds[column.kind], metadata={"about": column.about})
            for column in table.columns
        ]
    )
    values = [[row[place] for row in table.rows] for place in range(len(table.columns))]
    arrays = [pa.array(column, field.type) for column, field in zip(values, schema, strict=True)]
    with path.open("wb") as file:
        parquet.write_table(pa.Table.from_arrays(arrays, schema=schema), file)
