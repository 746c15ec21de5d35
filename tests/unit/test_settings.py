from dataclasses import fields
from datetime import timedelta
from pathlib import Path

import pytest

from arena.settings import DEFAULT_REDIS_URL, Settings, SettingsError, load_settings


def test_defaults() -> None:
    settings = load_settings({"GIN_ARENA_DATA": "/data"})
    assert settings.database_url == "sqlite:////data/arena.sqlite3"
    assert (settings.host, settings.port) == ("127.0.0.1", 8052)
    assert settings.redis_url is None
    assert settings.broker_url == DEFAULT_REDIS_URL


def test_the_data_folder_is_in_the_users_data_where_none_is_given() -> None:
    assert load_settings({}).data.name == "gin-arena"


def test_an_empty_variable_counts_as_not_set() -> None:
    assert load_settings({"GIN_ARENA_PORT": "", "REDIS_URL": ""}) == load_settings({})


@pytest.mark.parametrize(
    ("variable", "text", "field", "value"),
    [
        ("GIN_ARENA_DATA", "/a/b", "data", Path("/a/b")),
        ("DATABASE_URL", "postgresql://db/arena", "database_url", "postgresql://db/arena"),
        ("REDIS_URL", "redis://redis:6379/0", "broker_url", "redis://redis:6379/0"),
        ("GIN_ARENA_HOST", "0.0.0.0", "host", "0.0.0.0"),  # noqa: S104 - only text here
        ("GIN_ARENA_PORT", "0", "port", 0),
        ("GIN_ARENA_LEASE", "2.5", "lease", timedelta(seconds=2.5)),
        ("GIN_ARENA_WORKER_PROCESSES", " 8 ", "worker_processes", 8),
    ],
)
def test_a_variable_sets_its_field(variable: str, text: str, field: str, value: object) -> None:
    assert getattr(load_settings({variable: text}), field) == value


@pytest.mark.parametrize(
    ("variable", "text", "line"),
    [
        ("GIN_ARENA_PORT", "http", "'http'; it must be a whole number from 0 to 65535"),
        ("GIN_ARENA_PORT", "65536", "'65536'; it must be a whole number from 0 to 65535"),
        ("GIN_ARENA_WORKER_PROCESSES", "0", "'0'; it must be a whole number from 1 to 256"),
        ("GIN_ARENA_LEASE", "0", "'0'; it must be a number of seconds above 0"),
        ("GIN_ARENA_LEASE", "soon", "'soon'; it must be a number of seconds above 0"),
        ("GIN_ARENA_LEASE", "nan", "'nan'; it must be a number of seconds above 0"),
        ("GIN_ARENA_LEASE", "inf", "'inf'; it must be a number of seconds above 0"),
    ],
)
def test_a_bad_value_is_told_with_its_variable(variable: str, text: str, line: str) -> None:
    with pytest.raises(SettingsError, match=f"^{variable} is {line}$"):
        load_settings({variable: text})


@pytest.mark.parametrize(
    ("variable", "text", "line"),
    [
        ("GIN_ARENA_PORT", "99999", "--port is '99999'; it must be a whole number from 0 to"),
        ("GIN_ARENA_WORKER_PROCESSES", "0", "--processes is '0'; it must be a whole number"),
    ],
)
def test_a_bad_option_is_told_by_its_own_name(variable: str, text: str, line: str) -> None:
    with pytest.raises(SettingsError, match=f"^{line}"):
        load_settings({}, options={variable: text})


def test_a_child_process_comes_to_the_same_settings() -> None:
    given = {f.metadata["variable"]: "7" for f in fields(Settings)}
    settings = load_settings(given)
    assert load_settings(settings.environment()) == settings
    assert set(settings.environment()) == set(given)


def test_the_command_line_comes_before_the_environment() -> None:
    environ = {"GIN_ARENA_PORT": "1", "GIN_ARENA_DATA": "/a", "DATABASE_URL": "postgresql://db/a"}
    settings = load_settings(environ, options={"GIN_ARENA_PORT": 0, "GIN_ARENA_DATA": None})
    assert (settings.port, settings.data) == (0, Path("/a"))
    moved = load_settings(environ, options={"GIN_ARENA_DATA": "/b"})
    assert (moved.data, moved.database_url) == (Path("/b"), "postgresql://db/a")
