"""What the commands show while they work, and the standings at the end."""

import math
import sys
import time
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Final, Protocol, Self

if TYPE_CHECKING:
    from arena.store.views import Progress, StandingRow, Standings

_LINE_SECONDS: Final = 5.0
"""Pause between two progress lines where no terminal shows a bar."""


class ProgressShow(Protocol):
    """Shows how far a league is, until it is left."""

    def update(self, progress: "Progress", rate: float) -> None:
        """Show the progress of now, and the matches a second since the show began."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


def progress_show() -> ProgressShow:
    """Return a bar for a terminal, else lines."""
    return _Bar() if sys.stdout.isatty() else _Lines()


class _Lines:
    """A line at once, then one each few seconds, and one at the end."""

    def __init__(self) -> None:
        self._next = 0.0

    def update(self, progress: "Progress", rate: float) -> None:
        now = time.monotonic()
        if now >= self._next or progress.ended == progress.total:
            self._next = now + _LINE_SECONDS
            print(f"  {progress_text(progress, rate)}", flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class _Bar:
    """One line with a bar, drawn over and over."""

    def __init__(self) -> None:
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as RichProgress

        self._progress = RichProgress(BarColumn(), TextColumn("{task.description}"))
        self._task = self._progress.add_task("starting", total=None)

    def update(self, progress: "Progress", rate: float) -> None:
        self._progress.update(
            self._task,
            total=progress.total,
            completed=progress.ended,
            description=progress_text(progress, rate),
        )

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()


def progress_text(progress: "Progress", rate: float) -> str:
    """Return matches, games and rounds done, rate (matches a second) and time left in words."""
    parts = [
        f"{progress.ended}/{progress.total} matches",
        f"{progress.games_done:,} games",
        f"{progress.rounds_done:,} rounds",
    ]
    for state in ("quarantined", "lapsed"):
        if count := progress.by_state.get(state, 0):
            parts.append(f"{count} {state}")
    if rate:
        left = (progress.total - progress.ended) / rate
        parts += [f"{rate:.1f} matches/s", f"{left:.0f} s left"]
    return ", ".join(parts)


def unrated_lines(progress: "Progress") -> list[str]:
    """Return a line on quarantined matches, and one on lapsed ones, that says what to do."""
    quarantined, lapsed = (progress.by_state.get(state, 0) for state in ("quarantined", "lapsed"))
    lines = []
    if quarantined:
        lines.append(
            f"Quarantined and not rated: {quarantined} (the arena itself failed; the league's page "
            "names them). Run `gin-arena match requeue ID` and then the demo again, or "
            "`gin-arena match void ID --why TEXT`."
        )
    if lapsed:
        lines.append(f"Lapsed and not rated: {lapsed} (the pages of the matches say why).")
    return lines


def standings_lines(standings: "Standings") -> list[str]:
    """Return the standings as lines of a table, Elo with its 95 % interval."""
    head = ("", "bot", "Elo", "95 % interval", "points/round", "games", "won", "forfeits")
    rows = [_cells(row) for row in standings.rows]
    notes = [f"  {flag}" for flag in standings.flags]
    return [*_table([head, *rows]), *notes]


def _cells(row: "StandingRow") -> tuple[str, ...]:
    marks = (" anchor" if row.anchor else "") + (" provisional" if row.provisional else "")
    return (
        str(row.rank),
        f"{row.bot.name} {row.bot.version}{marks}",
        f"{row.elo:.0f}",
        interval_text(row),
        points_text(row),
        str(row.games),
        str(row.wins),
        str(row.forfeits),
    )


def interval_text(row: "StandingRow") -> str:
    """Return an entry's 95 % interval of Elo; open ends as ∞."""
    return f"{number(row.elo_low, '.0f')} to {number(row.elo_high, '.0f')}"


def points_text(row: "StandingRow") -> str:
    """Return an entry's points per round with their bar, ∞ while nothing can be said."""
    return f"{number(row.points_per_round, '+.2f')} ± {number(row.points_per_round_bar, '.2f')}"


def number(value: float, form: str) -> str:
    """Format a number that may be infinite or unknown."""
    if math.isnan(value):
        return "unknown"
    if math.isinf(value):
        return "-∞" if value < 0 else "+∞" if form[0] == "+" else "∞"
    return format(value, form)


def _table(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    """Align the columns: the second, a name, to the left, all others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.ljust(width) if column == 1 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  " + "  ".join(cells).rstrip()
