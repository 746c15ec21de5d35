import math
import sys
from dataclasses import replace

import pytest

from arena.cli import _screen
from arena.store.views import BotName, Progress, StandingRow, Standings

PROGRESS = Progress(
    state="running",
    total=24,
    by_state={},
    ended=6,
    games_done=120,
    rounds_done=1234,
    started_us=0,
    finished_us=None,
    matches_per_second=0.0,
    seconds_left=None,
)
ROW = StandingRow(
    rank=1,
    entry=0,
    bot=BotName("b", "e", "simple", "1"),
    elo=1500.4,
    elo_low=1407.0,
    elo_high=1593.2,
    provisional=False,
    anchor=True,
    games=240,
    wins=171,
    losses=69,
    draws=0,
    places=(171, 69),
    score=171 / 240,
    forfeits=0,
    rounds=2400,
    points_per_round=5.476,
    points_per_round_bar=1.78,
)


def test_progress_says_done_rate_and_time_left() -> None:
    text = _screen.progress_text(PROGRESS, 0.5)
    assert text == "6/24 matches, 120 games, 1,234 rounds, 0.5 matches/s, 36 s left"


def test_progress_without_a_rate_promises_nothing() -> None:
    assert _screen.progress_text(PROGRESS, 0.0) == "6/24 matches, 120 games, 1,234 rounds"


def test_what_is_not_known_yet_is_no_number() -> None:
    fresh = replace(ROW, elo_low=-math.inf, elo_high=math.inf, points_per_round_bar=math.inf)
    assert _screen.interval_text(fresh) == "-∞ to ∞"
    assert _screen.points_text(fresh) == "+5.48 ± ∞"
    assert _screen.number(math.nan, "+.0f") == "unknown"
    assert _screen.number(math.inf, "+.0f") == "+∞"


def test_the_standings_are_a_table_with_intervals() -> None:
    other = replace(
        ROW, rank=2, bot=BotName("c", "f", "a-bot", "12"), anchor=False, provisional=True, elo=-7.0
    )
    assert _screen.standings_lines(Standings((ROW, other), 240, ("a weak prior",))) == [
        "     bot                    Elo  95 % interval  points/round  games  won  forfeits",
        "  1  simple 1 anchor       1500   1407 to 1593  +5.48 ± 1.78    240  171         0",
        "  2  a-bot 12 provisional    -7   1407 to 1593  +5.48 ± 1.78    240  171         0",
        "  a weak prior",
    ]


def test_where_no_terminal_is_progress_is_lines_now_and_then(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with _screen.progress_show() as show:
        for ended in (1, 2, 3, 24):
            show.update(replace(PROGRESS, ended=ended), 0.0)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["1/24", "24/24"]


def test_a_terminal_gets_a_bar(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    with _screen.progress_show() as show:
        show.update(PROGRESS, 0.5)
    assert "6/24 matches" in capsys.readouterr().out


def test_matches_without_a_result_are_named_with_what_to_do() -> None:
    ended = replace(PROGRESS, by_state={"done": 3, "quarantined": 2, "lapsed": 1})
    assert ", 2 quarantined, 1 lapsed" in _screen.progress_text(ended, 0.0)
    quarantined, lapsed = _screen.unrated_lines(ended)
    assert "not rated: 2" in quarantined
    assert "gin-arena match requeue ID" in quarantined
    assert "not rated: 1" in lapsed
    assert _screen.unrated_lines(replace(ended, by_state={"done": 6, "lapsed": 0})) == []
