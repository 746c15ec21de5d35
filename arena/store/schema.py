"""The schema of a database: made and brought up to date by the packaged migrations."""

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.exc import OperationalError

from arena.store.database import Store, StoreError

_FOLDER: Final = Path(__file__).with_name("migrations")


def upgrade(store: Store) -> None:
    """Bring the database to the newest schema; one that is there already is left alone.

    Raises:
        StoreError: it was made by a newer release, or cannot be reached.
    """
    config = alembic_config()
    if _version(store) == _newest(config):
        return
    with store.engine.execution_options(writing=True).begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def check(store: Store) -> None:
    """Check that the database has the schema of this release.

    Raises:
        StoreError: it has another one, or cannot be reached; the text says what to do.
    """
    found, newest = _version(store), _newest(alembic_config())
    if found != newest:
        raise StoreError(
            f"the database has schema {found or 'none'}, this release needs {newest}: "
            "run `gin-arena db upgrade`"
        )


def alembic_config() -> Config:
    """Return Alembic's configuration for the packaged migrations."""
    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    return config


def _newest(config: Config) -> str | None:
    return ScriptDirectory.from_config(config).get_current_head()


def _version(store: Store) -> str | None:
    """Return the schema version, None for an empty database; refuse one that is not known."""
    try:
        with store.engine.connect() as connection:
            found = MigrationContext.configure(connection).get_current_revision()
    except OperationalError as error:
        reason = next(iter(str(error.orig).splitlines()), "no reason given")
        raise StoreError(
            f"the database cannot be reached ({reason}); check DATABASE_URL, and that its server "
            "runs"
        ) from error
    known = {
        script.revision for script in ScriptDirectory.from_config(alembic_config()).walk_revisions()
    }
    if found is not None and found not in known:
        raise StoreError(
            f"the database has schema {found}, made by a newer release of Gin Arena: "
            "install that release, or choose another data folder"
        )
    return found
