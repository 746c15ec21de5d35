"""The settings of a running arena; the only reader of the environment.

An entry point calls `load_settings` once and hands the value on. `Settings.environment` is the
way back: what a child process needs to come to the same settings.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

DEFAULT_REDIS_URL: Final = "redis://127.0.0.1:6379/0"
"""Where processes look for Redis that are started without `REDIS_URL` and without the demo."""


class SettingsError(ValueError):
    """An environment variable that cannot be read; names it and says what would be right."""


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return int(text)

    return read


def _seconds(text: str) -> timedelta:
    try:
        value = timedelta(seconds=float(text))
    except (ValueError, OverflowError):
        value = timedelta()
    if value <= timedelta():
        raise ValueError("a number of seconds above 0")
    return value


def _folder(text: str) -> Path:
    return Path(text).expanduser().absolute()


def _variable(
    name: str, read: Callable[[str], Any], about: str, *, unit: str = "", option: str = ""
) -> dict[str, Any]:
    """Describe a setting: its variable, how its text is read, what it is for, its unit.

    `option` is the one of the command line that replaces it, where there is one.
    """
    return {"variable": name, "read": read, "about": about, "unit": unit, "option": option}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One value of every setting. Each field names its variable; docs/settings.md lists them."""

    data: Path = field(
        metadata=_variable(
            "GIN_ARENA_DATA",
            _folder,
            "Folder of the embedded arena: database, Redis files, logs. Default: gin-arena in the "
            "platform's folder of user data.",
        )
    )
    database_url: str = field(
        metadata=_variable(
            "DATABASE_URL",
            str,
            "SQLAlchemy address of the database. Default: arena.sqlite3 in the data folder.",
        )
    )
    redis_url: str | None = field(
        default=None,
        metadata=_variable(
            "REDIS_URL",
            str,
            "Address of the Redis server that carries the tasks. Default: none; the demo starts "
            f"its own then, and other processes try {DEFAULT_REDIS_URL}.",
        ),
    )
    host: str = field(
        default="127.0.0.1",
        metadata=_variable(
            "GIN_ARENA_HOST",
            str,
            "Address on which the dashboard listens.",
        ),
    )
    port: int = field(
        default=8052,
        metadata=_variable(
            "GIN_ARENA_PORT",
            _whole(0, 65535),
            "Port of the dashboard; 0 takes a free one.",
            option="--port",
        ),
    )
    worker_processes: int = field(
        default=2,
        metadata=_variable(
            "GIN_ARENA_WORKER_PROCESSES",
            _whole(1, 256),
            "Matches that one worker plays at once, each in its own process.",
            unit="processes",
            option="--processes",
        ),
    )
    queued_per_process: int = field(
        default=4,
        metadata=_variable(
            "GIN_ARENA_QUEUED_PER_PROCESS",
            _whole(1, 1000),
            "Most tasks waiting in Redis for each worker process; the rest waits in the database.",
            unit="tasks",
        ),
    )
    dispatch_interval: timedelta = field(
        default=timedelta(seconds=0.5),
        metadata=_variable(
            "GIN_ARENA_DISPATCH_INTERVAL",
            _seconds,
            "Pause of the scheduler between two looks for waiting matches and expired leases.",
            unit="seconds",
        ),
    )
    lease: timedelta = field(
        default=timedelta(seconds=60),
        metadata=_variable(
            "GIN_ARENA_LEASE",
            _seconds,
            "Time for which a worker holds a match without progress before another may take it.",
            unit="seconds",
        ),
    )
    match_limit: timedelta = field(
        default=timedelta(seconds=1800),
        metadata=_variable(
            "GIN_ARENA_MATCH_LIMIT",
            _seconds,
            "Longest time of one match task; a match that runs longer goes on in a new task.",
            unit="seconds",
        ),
    )
    attempts: int = field(
        default=3,
        metadata=_variable(
            "GIN_ARENA_ATTEMPTS",
            _whole(1, 100),
            "Times that a match is begun before it is void for good.",
            unit="attempts",
        ),
    )

    @property
    def broker_url(self) -> str:
        """The Redis address to connect to: `redis_url`, or `DEFAULT_REDIS_URL` without one."""
        return self.redis_url or DEFAULT_REDIS_URL

    def environment(self) -> dict[str, str]:
        """Return the variables from which `load_settings` makes this very value."""
        values = {f.metadata["variable"]: getattr(self, f.name) for f in fields(self)}
        return {name: _write(value) for name, value in values.items() if value is not None}


def load_settings(
    environ: Mapping[str, str] | None = None, *, options: Mapping[str, object] | None = None
) -> Settings:
    """Read the settings; an empty variable counts as not set.

    Args:
        environ: variables by name; the process's own where None.
        options: values of the command line by variable, in place of the environment's; None: none.

    Raises:
        SettingsError: a variable, or the option in its place, whose text is not one of its values.
    """
    chosen = {name: str(value) for name, value in (options or {}).items() if value is not None}
    given = {**(os.environ if environ is None else environ), **chosen}
    values = {
        f.name: _read(f, given[_name(f)], is_option=_name(f) in chosen)
        for f in fields(Settings)
        if given.get(_name(f))
    }
    if "data" not in values:
        values["data"] = default_data_folder()
    values.setdefault("database_url", database_in(values["data"]))
    return Settings(**values)


def database_in(data: Path) -> str:
    """Return the address of the SQLite database of a data folder."""
    return f"sqlite:///{data / 'arena.sqlite3'}"


def default_data_folder() -> Path:
    """Return the arena's folder where the platform keeps user data."""
    from platformdirs import user_data_path

    return user_data_path("gin-arena", appauthor=False)


def _name(setting: Field[Any]) -> str:
    return str(setting.metadata["variable"])


def _read(setting: Field[Any], text: str, *, is_option: bool) -> Any:
    text = text.strip()
    try:
        return setting.metadata["read"](text)
    except ValueError as error:
        name = (is_option and setting.metadata["option"]) or _name(setting)
        raise SettingsError(f"{name} is {text!r}; it must be {error}") from None


def _write(value: object) -> str:
    if isinstance(value, timedelta):
        return f"{value.total_seconds():g}"
    return str(value)
