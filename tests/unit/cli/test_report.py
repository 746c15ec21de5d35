import io
import itertools
import sys
import time

import pytest

from arena.cli._report import GamesProgress, facts
from arena.engine.result import Ending
from arena.notation.record import Forfeit, GameRecord, RoundRecord
from arena.ratings.intervals import GameOutcome


def game(
    *rounds: tuple[int | None, int],
    seating: tuple[int, int] = (0, 1),
    winner: int | None = 0,
    forfeit: Forfeit | None = None,
) -> GameRecord:
    """A game by the winner and the points of its rounds; a forfeited one has an open round more."""
    records = [
        RoundRecord(number, 0, "", Ending.DEAD if seat is None else Ending.KNOCK, seat, points)
        for number, (seat, points) in enumerate(rounds, 1)
    ]
    if forfeit is not None:
        records.append(RoundRecord(len(records) + 1, 0, "ppsd"))
    return GameRecord(3, 9, bytes(32), seating, tuple(records), winner, (0, 0), (0, 0), forfeit)


TIMEOUT_A, TIMEOUT_B = Forfeit(0, "TIMEOUT"), Forfeit(1, "TIMEOUT")

CASES = [
    (game((0, 30), (1, 12), (None, 0), (0, 90)), GameOutcome(9, 1.0, 108, 4)),
    (game((0, 30), seating=(1, 0), winner=1), GameOutcome(9, 0.0, -30, 1)),
    (game((None, 0), winner=None), GameOutcome(9, 0.5, 0, 1)),
    (game((0, 30), winner=1, forfeit=TIMEOUT_A), GameOutcome(9, 0.0, 30 - 35, 2)),
    (game((1, 30), winner=0, forfeit=TIMEOUT_B), GameOutcome(9, 1.0, -30 + 35, 2)),
    (game(winner=0, forfeit=TIMEOUT_B), GameOutcome(9, 1.0, 35, 1)),
]


@pytest.mark.parametrize(("record", "expected"), CASES)
def test_r10_2_rounds_count_from_the_first_players_side(
    record: GameRecord, expected: GameOutcome
) -> None:
    assert facts(record) == expected


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def progress_of(
    monkeypatch: pytest.MonkeyPatch, *, seconds: float, shown: bool = True, rich: bool = True
) -> str:
    """What a terminal sees of three games that take so many seconds each."""
    times = itertools.count(100.0, seconds)
    monkeypatch.setattr(time, "monotonic", lambda: next(times))
    monkeypatch.setattr(sys, "stderr", Terminal())
    if not rich:
        monkeypatch.setitem(sys.modules, "rich.console", None)
    with GamesProgress(3, shown=shown) as progress:
        for _ in range(3):
            progress.advance()
    assert isinstance(sys.stderr, Terminal)
    return sys.stderr.getvalue()


@pytest.mark.parametrize(
    ("seconds", "shown", "rich", "seen"),
    [
        (0.5, True, True, None),
        (1.5, True, False, "3/3 games"),
        (1.5, False, True, None),
        (1.5, True, True, "games"),
    ],
)
def test_progress_is_shown_after_two_seconds_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, seconds: float, shown: bool, rich: bool, seen: str | None
) -> None:
    text = progress_of(monkeypatch, seconds=seconds, shown=shown, rich=rich)
    assert (seen in text) if seen else text == ""
