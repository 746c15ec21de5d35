"""A bot given twice to the demo is told before anything is played."""

from pathlib import Path

import pytest

from arena.cli import USAGE, main
from arena.embedded.arena import RunningBot
from arena.embedded.league import open_league
from arena.referee.player import BotInfo
from arena.store.database import Store, StoreError


def test_one_spec_twice_is_refused_before_the_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    assert main(["demo", "--data", str(data), "--bots", "simple", "greedy", "simple"]) == USAGE
    line = "--bots names simple more than once; name each bot once"
    assert capsys.readouterr().err == f"gin-arena: {line}\n"
    assert not data.exists()


def test_two_bots_of_one_name_and_version_are_refused(store: Store) -> None:
    bots = [RunningBot(BotInfo("mine", "1", ()), port) for port in (7001, 7002)]
    with pytest.raises(StoreError, match="two of the bots are mine 1; give each"):
        open_league(store, bots, games=2)
