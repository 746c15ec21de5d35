"""What a benchmark prints: lines for people, JSON for machines."""

import json
import os
import platform
import sys
from collections.abc import Iterator, Sequence

from arena.bench.measure import Figure


def lines(figures: Sequence[Figure]) -> Iterator[str]:
    """Yield a line a figure: name, median, unit, least and most of the runs, ratio."""
    width = max([len(figure.name) for figure in figures], default=0)
    for figure in figures:
        spread = f"{number(min(figure.runs))} to {number(max(figure.runs))}"
        line = f"{figure.name:<{width}}  {number(figure.value):>10} {figure.unit:<21} {spread:<22}"
        if figure.ratio is not None:
            line += f"  {figure.ratio:.2f} x {figure.reference}"
        yield line.rstrip()


def number(value: float) -> str:
    """Write a number with three digits or more, thousands apart."""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value >= 100 else f"{value:.2f}"


def as_json(benchmark: str, figures: Sequence[Figure]) -> str:
    """Return the figures as one JSON object, with what is known of the machine."""
    value = {
        "benchmark": benchmark,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "platform": sys.platform,
        "figures": [_figure(figure) for figure in figures],
    }
    return json.dumps(value, ensure_ascii=False)


def _figure(figure: Figure) -> dict[str, object]:
    return {
        "name": figure.name,
        "unit": figure.unit,
        "value": figure.value,
        "low": min(figure.runs),
        "high": max(figure.runs),
        "runs": figure.runs,
        "reference": figure.reference or None,
        "ratio": figure.ratio,
    }
