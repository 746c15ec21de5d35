"""What all tests share: profiles, skip policy, a Redis server, a PostgreSQL server."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

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


def pytest_configure(config: pytest.Config) -> None:
    if os.environ.get("CI") == "true":
        config.pluginmanager.register(SkipPolicy(allowed_skips(SKIPS.read_text())))


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real Redis-protocol server of this session."""
    from arena.embedded.redis import RedisServer

    with RedisServer(tmp_path_factory.mktemp("redis")) as server:
        yield server.url
