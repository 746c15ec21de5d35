"""The schema: made by migrations alone, checked at every start."""

from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import inspect, text

from arena.store import schema
from arena.store.database import Store, StoreError
from arena.store.models import Base


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


def test_a_failed_migration_leaves_the_database_as_it_was(fresh: Store) -> None:
    with fresh.writing() as session:
        session.execute(text("CREATE TABLE worker (name TEXT)"))
    with pytest.raises(Exception, match="worker"):
        schema.upgrade(fresh)
    with fresh.engine.connect() as connection:
        assert inspect(connection).get_table_names() == ["worker"]


def test_a_database_that_is_away_is_told_in_one_line() -> None:
    away = Store("postgresql://nobody@127.0.0.1:1/none", pooled=False)
    with pytest.raises(StoreError, match="cannot be reached"):
        schema.check(away)
