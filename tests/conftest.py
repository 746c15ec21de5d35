"""What all tests share: profiles, skip policy, a Redis server, a PostgreSQL server."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from arena.store.database import Store

SKIPS = Path(__file__).with_name("skips.txt")
"""Ids of tests that may be skipped where CI=true, one a line; `#` begins a remark."""

settings.register_profile("default", deadline=None, derandomize=True)
settings.load_profile("default")


def allowed_skips(text: str) -> frozenset[str]:
    """Return the ids in the text of `SKIPS`."""
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return frozenset(line for line in lines if line)


class SkipPolicy:
    """Fails the run under CI=true if a test was skipped that may not be."""

    def __init__(self, allowed: frozenset[str]) -> None:
        self.allowed = allowed
        self.refused: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._note(report.nodeid, skipped=report.skipped and not hasattr(report, "wasxfail"))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._note(report.nodeid, skipped=report.skipped)

    def _note(self, node: str, *, skipped: bool) -> None:
        if skipped and node not in self.allowed:
            self.refused.append(node)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.refused and session.exitstatus in (pytest.ExitCode.OK, 0):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for node in self.refused:
            terminalreporter.write_line(f"SKIPPED, and not in {SKIPS.name}: {node}", red=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show what tests counted: the property `counts`, whether the output is captured or not."""
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            if name == "counts":
                terminalreporter.write_line(str(value))


def pytest_configure(config: pytest.Config) -> None:
    if os.environ.get("CI") == "true":
        config.pluginmanager.register(SkipPolicy(allowed_skips(SKIPS.read_text())))


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real Redis-protocol server of this session."""
    from arena.embedded.redis import RedisServer

    with RedisServer(tmp_path_factory.mktemp("redis")) as server:
        yield server.url


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The address of a real PostgreSQL server of this session, or the one of TEST_POSTGRES_URL."""
    from tests.postgres import PostgresServer, find_programs

    if given := os.environ.get("TEST_POSTGRES_URL"):
        yield given
        return
    programs = find_programs()
    if programs is None:
        pytest.skip("no PostgreSQL: no TEST_POSTGRES_URL, wheel or distribution's server")
    server = PostgresServer(programs)
    yield server.url()
    server.close()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with the newest schema, to be copied."""
    path = tmp_path_factory.mktemp("template") / "arena.sqlite3"
    _make_schema(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def postgres_database(postgres_url: str) -> Iterator[str]:
    """The address of a PostgreSQL database of this session with the newest schema."""
    from tests.postgres import new_database

    with new_database(postgres_url, f"test_{os.urandom(6).hex()}") as url:
        _make_schema(url)
        yield url


def _make_schema(url: str) -> None:
    from arena.store.database import Store
    from arena.store.schema import upgrade

    opened = Store(url, pooled=False)
    upgrade(opened)
    with opened.engine.connect() as connection:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database with the newest schema and no rows: SQLite, then PostgreSQL."""
    if request.param == "sqlite":
        path = tmp_path / "arena.sqlite3"
        shutil.copyfile(request.getfixturevalue("sqlite_template"), path)
        yield f"sqlite:///{path}"
        return
    from tests.postgres import empty_tables

    url: str = request.getfixturevalue("postgres_database")
    yield url
    empty_tables(url)


@pytest.fixture
def store(database_url: str) -> Iterator["Store"]:
    """A store with the newest schema and no rows."""
    from arena.store.database import Store

    opened = Store(database_url)
    yield opened
    opened.close()
