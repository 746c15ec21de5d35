"""Rounds and games of a record as tables."""

import csv
import io
import re
from collections import Counter
from pathlib import Path

import pytest
from pyarrow import parquet

from arena.notation.files import read_record
from arena.notation.record import Record
from arena.notation.tables import TABLES, Table, games_table, rounds_table, write_csv, write_parquet

GOLDEN = Path(__file__).parents[2] / "golden" / "records" / "v1"
NAMES = sorted(path.name for path in GOLDEN.glob("*.jsonl") if ".times." not in path.name)


def _record(name: str = "classic.jsonl") -> Record:
    return read_record((GOLDEN / name).read_text())


def _dicts(table: Table) -> list[dict[str, object]]:
    names = [column.name for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


@pytest.mark.parametrize("name", NAMES)
def test_rounds_are_those_of_the_record(name: str) -> None:
    record = _record(name)
    rows = _dicts(rounds_table(record))
    rounds = [done for game in record.games for done in game.rounds]
    assert len(rows) == len(rounds)
    assert Counter(row["ending"] for row in rows) == Counter(done.ending for done in rounds)
    assert [row["actions"] for row in rows] == [done.actions for done in rounds]
    for row in rows:
        played = row["ending"] not in (None, "dead")
        assert (row["knocker"] is not None) == played
        if row["ending"] in ("gin", "big_gin"):
            assert row["knocker_deadwood"] == 0
            assert row["winner"] == row["knocker"]
        if row["ending"] == "undercut":
            assert row["winner"] not in (None, row["knocker"])


@pytest.mark.parametrize("name", NAMES)
def test_games_are_those_of_the_record(name: str) -> None:
    record = _record(name)
    rows = _dicts(games_table(record))
    rounds = _dicts(rounds_table(record))
    for row, game in zip(rows, record.games, strict=True):
        assert (row["game"], row["board"], row["winner"]) == (game.index, game.board, game.winner)
        for player, bot in enumerate(record.header.players):
            assert (row[f"name_{player}"], row[f"version_{player}"]) == bot
            assert game.seating[int(str(row[f"seat_{player}"]))] == player
            assert row[f"points_{player}"] == game.points[player]
            won = [r for r in rounds if r["game"] == game.index and r["winner"] == player]
            assert row[f"boxes_{player}"] == len(won)
        if game.winner is not None:
            assert row[f"place_{game.winner}"] == 1


@pytest.mark.parametrize("table", TABLES)
def test_csv_and_parquet_hold_the_same(table: str, tmp_path: Path) -> None:
    made = TABLES[table](_record())
    text = io.StringIO()
    write_csv(made, text)
    header, *rows = csv.reader(io.StringIO(text.getvalue()))
    assert header == [column.name for column in made.columns]
    assert rows == [["" if value is None else str(value) for value in row] for row in made.rows]
    write_parquet(made, tmp_path / "table.parquet")
    read = parquet.read_table(tmp_path / "table.parquet")
    assert read.column_names == header
    assert [tuple(row.values()) for row in read.to_pylist()] == list(made.rows)
    assert read.schema.field("game").metadata[b"about"].startswith(b"index of the game")


def test_every_column_says_what_it_is() -> None:
    for make in TABLES.values():
        columns = make(_record()).columns
        assert all(column.about for column in columns)
        assert len({column.name for column in columns}) == len(columns)


def test_the_docs_name_every_column() -> None:
    text = (GOLDEN.parents[3] / "docs" / "tables.md").read_text()
    documented = re.findall(r"^\| `(\w+)` \| (\w+) \| (.+) \|$", text, flags=re.MULTILINE)
    record = _record()
    columns = [*rounds_table(record).columns, *games_table(record).columns]
    known = {(c.name.replace("_0", "_N"), c.kind.__name__, c.about) for c in columns}
    known = {row for row in known if not row[0].endswith("_1")}
    assert {row for row in documented if row[0] != "advice"} == known
