"""Charts as SVG, made on the server: geometry only; colours come from the stylesheet."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite

from markupsafe import Markup

_WIDTH = 250
_PAD = 16
_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000)


@dataclass(frozen=True, slots=True)
class Axis:
    """A horizontal axis that all bars of a table share."""

    low: float
    high: float
    ticks: tuple[float, ...]

    @classmethod
    def spanning(cls, values: Sequence[float], *, most_ticks: int = 5) -> "Axis":
        """Return an axis with round ticks that holds all finite values; of none, one near 1500."""
        known = [value for value in values if isfinite(value)]
        low, high = (min(known), max(known)) if known else (1400.0, 1600.0)
        room = max((high - low) * 0.06, 5)
        low, high = low - room, high + room
        step = next((s for s in _STEPS if (high - low) / s <= most_ticks), (high - low))
        first, last = ceil(low / step), floor(high / step)
        return cls(low, high, tuple(step * n for n in range(first, last + 1)))

    def place(self, value: float) -> float:
        """Return where a value stands, in the units of the drawing; beyond an end, at that end."""
        share = min(max((value - self.low) / (self.high - self.low), 0), 1)
        return round(_PAD + share * (_WIDTH - 2 * _PAD), 1)


def draw_axis(axis: Axis) -> Markup:
    """Draw the labels of the ticks, for the head of the column."""
    labels = "".join(f'<text x="{axis.place(t)}" y="15">{t:g}</text>' for t in axis.ticks)
    return _svg("axis", _WIDTH, 22, labels)


def draw_interval(axis: Axis, low: float, value: float, high: float, *, anchor: float) -> Markup:
    """Draw an estimate as a point on its interval, before the grid of the axis.

    An interval that is not known, or reaches over the axis, goes to its ends.
    """
    grid = "".join(_upright("grid-line", axis.place(t)) for t in axis.ticks)
    if axis.low < anchor < axis.high:
        grid += _upright("anchor-line", axis.place(anchor))
    left, right, point = axis.place(low), axis.place(high), axis.place(value)
    bar = (
        f'<rect class="interval" x="{left}" y="10" width="{max(right - left, 1):.1f}" height="14" '
        f'rx="3"/><path class="whisker" d="M{left} 10V24M{right} 10V24"/>'
        f'<circle class="estimate" cx="{point}" cy="17" r="4.5"/>'
    )
    return _svg("bar", _WIDTH, 34, grid + bar)


def draw_margin(margins: Sequence[int]) -> Markup:
    """Draw the running margin of a game, round by round, from zero; up is the first player."""
    course = [0, *margins]
    most = max(max(map(abs, course)), 1)
    step = 166 / max(len(margins), 1)
    points = [(2 + i * step, 18 - 15 * m / most) for i, m in enumerate(course)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    x, y = points[-1]
    drawn = (
        '<path class="zero" d="M0 18H170"/>'
        f'<polyline class="run" points="{line}"/>'
        f'<circle class="end" cx="{x:.1f}" cy="{y:.1f}" r="3"/>'
    )
    return _svg("margin", 170, 36, drawn)


def _upright(kind: str, x: float) -> str:
    return f'<path class="{kind}" d="M{x} 0V34"/>'


def _svg(kind: str, width: int, height: int, inner: str) -> Markup:
    box = f'viewBox="0 0 {width} {height}" aria-hidden="true"'
    return Markup(f'<svg class="{kind}" {box}>{inner}</svg>')  # noqa: S704 - numbers only
