"""Bytes a round in the store, measured with real play of the reference bots."""

import random
import sys
from itertools import combinations_with_replacement

import pytest

from arena.engine.rules import Rules
from arena.notation.files import write_record
from arena.notation.pack import pack
from arena.notation.record import GameRecord, GameTimes
from arena.notation.text import read_actions
from arena.notation.times import write_times
from arena.sdk import load_bot
from tests.unit.notation.playing import by_bot, play_match

GAMES = 20
RECORD = 60
"""Most bytes a round of a packed record."""
WITH_TIMES = 150
"""Most bytes a round of a record and its times."""
NAMES = ("random", "simple", "greedy", "patient")


def times_of(games: list[GameRecord]) -> list[GameTimes]:
    """Times spread as those of real bots are: log-normal, about 0.6 ms."""
    rng = random.Random(1)
    return [
        GameTimes(
            game.index,
            tuple(
                tuple(round(rng.lognormvariate(1.8, 0.8)) for _ in read_actions(record.actions))
                for record in game.rounds
            ),
        )
        for game in games
    ]


def sizes(names: tuple[str, str]) -> tuple[int, int, int]:
    """Return the rounds of a match, and the packed bytes of its record and of its times."""
    bots = [load_bot(name) for name in names]
    header, games = play_match(Rules(), [by_bot(bot.act) for bot in bots], games=GAMES, names=names)
    text = write_record(header, games)
    rounds = sum(len(game.rounds) for game in games)
    return rounds, len(pack(text)), len(pack(write_times(text, times_of(games))))


@pytest.mark.slow
def test_a_round_of_a_league_is_small() -> None:
    for names in combinations_with_replacement(NAMES, 2):
        rounds, record, times = sizes(names)
        sys.stdout.write(
            f"{' against '.join(names)}: record {record / rounds:.1f} bytes a round,"
            f" times {times / rounds:.1f}\n"
        )
        assert record <= RECORD * rounds
        assert record + times <= WITH_TIMES * rounds
