"""The schema: made by migrations alone, checked at every start."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import inspect, text

from arena.notation.verify import verify_record
from arena.store import queries, schema, standings
from arena.store.database import Store, StoreError
from arena.store.models import Base
from tests.leagues import make_league, play_forfeits, play_league

GOLDEN = Path(__file__).parents[2] / "golden" / "store"


@pytest.fixture
def fresh(tmp_path: Path) -> Store:
    return Store(f"sqlite:///{tmp_path / 'fresh.sqlite3'}", pooled=False)


def test_the_migrations_make_exactly_the_tables_of_the_models(store: Store) -> None:
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_an_empty_database_is_refused_until_it_is_upgraded(fresh: Store) -> None:
    with pytest.raises(StoreError, match="gin-arena db upgrade"):
        schema.check(fresh)
    schema.upgrade(fresh)
    schema.check(fresh)
    schema.upgrade(fresh)
    schema.check(fresh)


def test_a_database_of_a_newer_release_is_left_alone(fresh: Store) -> None:
    schema.upgrade(fresh)
    with fresh.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for use in (schema.check, schema.upgrade):
        with pytest.raises(StoreError, match="newer release"):
            use(fresh)


def test_migrations_go_down_to_nothing_and_up_again(fresh: Store) -> None:
    schema.upgrade(fresh)
    config = schema.alembic_config()
    with fresh.engine.execution_options(writing=True).begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
        assert inspect(connection).get_table_names() == ["alembic_version"]
    schema.upgrade(fresh)
    schema.check(fresh)


def _read(store: Store, sql: str) -> list[tuple[object, ...]]:
    with store.reading() as session:
        return [tuple(row) for row in session.execute(text(sql))]


def _move(store: Store, revision: str) -> None:
    config = schema.alembic_config()
    with store.engine.execution_options(writing=True).begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, revision)


def test_a_filled_database_of_the_first_release_is_upgraded(store: Store) -> None:
    """What 0001 kept of two players gives places, duels and the counters of entries again."""
    league = make_league(store, ["simple", "greedy", "random"], games=6)
    play_forfeits(store)
    play_league(store)
    with store.reading() as session:
        rated = queries.standings(session, league)
    facts = "SELECT match_id, number, places, duels FROM game ORDER BY match_id, number"
    counts = "SELECT number, games, wins, losses, forfeits FROM entry ORDER BY number"
    before = _read(store, facts), _read(store, counts)
    assert len(before[0]) == 18
    _move(store, "0001")
    assert "round_points" in _columns(store)
    assert not {"places", "duels"} & _columns(store)
    schema.upgrade(store)
    schema.check(store)
    assert (_read(store, facts), _read(store, counts)) == before
    standings._cache.clear()
    with store.reading() as session:
        assert queries.standings(session, league) == rated
        (row,) = [row for row in queries.matches(session).rows if "TIMEOUT" in row.cause]
        assert queries.match_record(session, row.id)


def test_a_database_that_the_first_release_wrote_is_upgraded(fresh: Store, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "fresh.sqlite3")) as connection:
        connection.executescript((GOLDEN / "schema_0001.sql").read_text())
    with pytest.raises(StoreError, match="gin-arena db upgrade"):
        schema.check(fresh)
    schema.upgrade(fresh)
    schema.check(fresh)
    with fresh.reading() as session:
        (league,) = queries.leagues(session)
        found = queries.standings(session, league.id)
        bots = {
            bot.name: (bot.games, bot.wins, bot.losses, bot.forfeits)
            for bot in queries.bots(session)
        }
        records = [queries.match_record(session, row.id) for row in queries.matches(session).rows]
    assert found is not None
    shown = [(row.bot.name, round(row.elo, 3), row.rounds, row.places) for row in found.rows]
    assert shown == [
        ("random", 1559.586, 23, (4, 0)),
        ("simple", 1500.0, 27, (4, 0)),
        ("greedy", 1440.414, 24, (3, 1)),
    ]
    points = [row.points_per_round for row in found.rows]
    assert points == pytest.approx([46 / 23, -2 / 27, -44 / 24])
    assert bots == {"random": (4, 1, 0, 0), "simple": (4, 0, 0, 0), "greedy": (4, 0, 1, 1)}
    assert [len(verify_record(record or "").games) for record in records] == [2, 2, 2]


def _columns(store: Store) -> set[str]:
    with store.engine.connect() as connection:
        return {column["name"] for column in inspect(connection).get_columns("game")}


def test_a_failed_migration_leaves_the_database_as_it_was(fresh: Store) -> None:
    with fresh.writing() as session:
        session.execute(text("CREATE TABLE worker (name TEXT)"))
    with pytest.raises(Exception, match="worker"):
        schema.upgrade(fresh)
    with fresh.engine.connect() as connection:
        assert inspect(connection).get_table_names() == ["worker"]


def test_a_database_that_is_away_is_told_in_one_line() -> None:
    away = Store("postgresql://nobody@127.0.0.1:1/none", pooled=False)
    with pytest.raises(StoreError, match=r"cannot be reached .*; check DATABASE_URL") as caught:
        schema.check(away)
    assert len(str(caught.value).splitlines()) == 1
