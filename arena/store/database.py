"""Opening the database: SQLite with one writer at a time, or PostgreSQL; nothing else differs."""

import secrets
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.orm import Session
from sqlalchemy.pool import NullPool

from arena.engine.errors import GinArenaError

_BUSY_MS: Final = 20_000
"""How long an SQLite connection waits for another's lock, milliseconds."""


class StoreError(GinArenaError):
    """The database cannot be used; the text says why and what would be right."""


class Store:
    """An opened database: sessions to read and sessions to write.

    Args:
        url: an SQLAlchemy address, ``sqlite:///path`` or ``postgresql://…``.
        pooled: keep connections between sessions; a process that forks must not.

    Raises:
        StoreError: an address of no kind that is supported.
    """

    def __init__(self, url: str, *, pooled: bool = True) -> None:
        self.url = url
        self.engine = _open_engine(url, pooled=pooled)
        self._writer = self.engine.execution_options(writing=True)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Open a session on one consistent snapshot; nothing it changes is kept."""
        with Session(self.engine) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Open a session as one transaction: committed at the end, undone by an exception."""
        with Session(self._writer, expire_on_commit=False) as session, session.begin():
            yield session

    def close(self) -> None:
        """Close all connections that wait in the pool."""
        self.engine.dispose()


def now_us() -> int:
    """Return the time of now, microseconds since 1970, UTC."""
    return time.time_ns() // 1_000


def new_public_id() -> str:
    """Return 80 random bits as 16 characters of lower-case base 32."""
    return "".join(secrets.choice("abcdefghijklmnopqrstuvwxyz234567") for _ in range(16))


def _open_engine(url: str, *, pooled: bool) -> Engine:
    try:
        address = make_url(url)
    except ArgumentError:
        raise StoreError(
            "DATABASE_URL cannot be read; it is sqlite:///… or postgresql://…"
        ) from None
    backend = address.get_backend_name()
    options: dict[str, Any] = {} if pooled else {"poolclass": NullPool}
    if backend == "postgresql":
        address = address.set(drivername="postgresql+psycopg")
        return create_engine(address, pool_pre_ping=pooled, **options)
    if backend != "sqlite":
        raise StoreError(f"DATABASE_URL names {backend}; only sqlite and postgresql are supported")
    if address.database and not Path(address.database).parent.is_dir():
        raise StoreError(
            f"the folder of {address.database} does not exist; run `gin-arena db upgrade`, or make "
            "it where DATABASE_URL names another than the data folder"
        )
    engine = create_engine(address, **options)
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    """Turn off the driver's own transactions; WAL lets readers go on beside the writer."""
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout={_BUSY_MS}")
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    """Take the write lock at once: a later upgrade of a reader would fail, not wait."""
    writing = connection.get_execution_options().get("writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
