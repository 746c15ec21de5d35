"""The docs say what is there, and nothing that is not."""

import argparse
import re
import tomllib
from collections.abc import Iterator
from dataclasses import MISSING, fields
from datetime import timedelta
from pathlib import Path

import pytest

import arena
from arena.cli import build_parser, main
from arena.settings import Settings

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])
SPEAKING = [page for page in PAGES if page.name != "design.md"]
"""Pages that speak of commands that are there; the design also speaks of those to come."""
README = (ROOT / "README.md").read_text()
SPOKEN_OF = re.compile(r"gin-arena ((?:[a-z]+ ?)+)")


def commands(
    parser: argparse.ArgumentParser, name: str = "gin-arena"
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Yield every command that does something, with its parser."""
    groups = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    if not groups:
        yield name, parser
    for group in groups:
        for word, child in group.choices.items():
            yield from commands(child, f"{name} {word}")


COMMANDS = dict(commands(build_parser()))


def sections(page: Path) -> dict[str, str]:
    """Return the text under each second-level heading of a page."""
    parts = re.split(r"^## `?([^`\n]+)`?$", page.read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def tables(page: Path) -> dict[str, list[str]]:
    """Return the rows of a page's tables by their first cell."""
    rows = re.findall(r"^\| (.+) \|$", page.read_text(), flags=re.MULTILINE)
    cells = [[cell.strip().strip("`") for cell in row.split(" | ")] for row in rows]
    return {row[0]: row[1:] for row in cells}


def code(page: Path) -> str:
    """Return the code blocks and code words of a page."""
    text = page.read_text()
    return "\n".join(re.findall(r"^```.*?^```|`[^`\n]+`", text, flags=re.MULTILINE | re.DOTALL))


def test_every_command_has_a_section_and_every_section_a_command() -> None:
    assert set(sections(DOCS / "cli.md")) == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_commands_section_names_its_options_and_shows_an_example(name: str) -> None:
    text = sections(DOCS / "cli.md").get(name, "")
    options = {
        option
        for action in COMMANDS[name]._actions
        for option in action.option_strings
        if option.startswith("--") and option != "--help"
    }
    assert options == set(re.findall(r"(?<![\w`-])`(--[a-z0-9-]+)", text))
    assert f"\n{name}" in text, "an example in a code block"


def test_every_setting_is_in_the_table_and_the_reverse() -> None:
    documented = tables(DOCS / "settings.md").keys() - {"variable"}
    assert documented == {field.metadata["variable"] for field in fields(Settings)}


@pytest.mark.parametrize("setting", fields(Settings), ids=lambda setting: str(setting.name))
def test_a_settings_row_gives_its_default_and_unit(setting: object) -> None:
    metadata, default = setting.metadata, setting.default  # type: ignore[attr-defined]
    row = tables(DOCS / "settings.md")[metadata["variable"]]
    if default not in (MISSING, None):
        value = f"{default.total_seconds():g}" if isinstance(default, timedelta) else str(default)
        assert row[0] == value
    assert row[1] == metadata["unit"]
    assert metadata["about"].startswith(row[2])


@pytest.mark.parametrize("page", SPEAKING, ids=lambda page: str(page.name))
def test_commands_that_a_page_speaks_of_exist(page: Path) -> None:
    for words in SPOKEN_OF.findall(code(page)):
        name = "gin-arena " + " ".join(words.split())
        assert any(
            name == known or name.startswith(f"{known} ") or known.startswith(f"{name} ")
            for known in COMMANDS
        ), f"{page.name} speaks of `{name}`"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_page_is_reached_from_the_index() -> None:
    linked = set(re.findall(r"\]\(([\w-]+\.md)\)", (DOCS / "index.md").read_text()))
    assert linked == {page.name for page in DOCS.glob("*.md")} - {"index.md"}


def test_every_dependency_has_its_line_of_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values()]
    names = {re.split(r"[^\w-]", line)[0] for lines in lists for line in lines}
    documented = tables(DOCS / "dependencies.md")
    assert documented.keys() - {"package"} == names - {"gin-arena"}
    assert all(len(row) == 2 and all(row) for row in documented.values())


def test_the_newest_heading_of_the_changelog_is_the_version() -> None:
    heading = re.search(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert heading is not None
    assert heading[1] == arena.__version__


def test_the_bot_in_the_readme_is_the_example() -> None:
    example = (ROOT / "examples" / "first_bot.py").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    assert blocks == [example]
    assert len([line for line in example.splitlines() if line.strip()]) <= 8


def test_the_readme_shows_the_two_commands_on_its_first_screen() -> None:
    screen = README.splitlines()[:30]
    assert {"./gin-arena demo", "./gin-arena test"} <= {line.strip() for line in screen}


def test_the_match_in_the_readme_prints_what_it_says(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = re.findall(r"^\$ \./gin-arena ([^\n]+)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    ((command, printed),) = blocks
    monkeypatch.chdir(ROOT)
    assert main(command.split()) == 0
    assert capsys.readouterr().out == printed


def test_a_command_of_the_containers_exists() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    words = [re.findall(r"[\w-]+", line) for line in re.findall(r"command: \[(.+)\]", text)]
    assert len(words) >= 5
    for command in words:
        assert any(f"gin-arena {' '.join(command)} ".startswith(f"{known} ") for known in COMMANDS)
