"""Prints the counts that the differential tests leave in their reports."""

import pytest

COUNTS = "differential"
"""Name of the property of a report that holds counts as text."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, text in getattr(report, "user_properties", ()):
            if name == COUNTS and report.when == "call":
                terminalreporter.write_line(f"{report.nodeid}\n{text}")
