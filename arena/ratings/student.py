"""The quantile of Student's t in plain Python.

Source: M. Abramowitz, I. Stegun, Handbook of Mathematical Functions (1964): the distribution for
whole degrees of freedom as a finite series, 26.7.3 and 26.7.4; the quantile for many degrees as an
expansion in the normal quantile, 26.7.5.
"""

import math
from functools import cache
from statistics import NormalDist
from typing import Final

_MANY: Final = 200
"""From here the expansion is exact to 1e-9."""
_BISECTIONS: Final = 200


@cache
def t_quantile(level: float, degrees: int) -> float:
    """Return t with ``level`` of the distribution between -t and t; infinite without degrees.

    Args:
        level: between 0 and 1, both excluded; 0.95 for bars of 95 %.
        degrees: degrees of freedom, clusters - 1.

    Raises:
        ValueError: a level outside its range.
    """
    if not 0 < level < 1:
        raise ValueError(f"level {level}; it lies between 0 and 1")
    if degrees < 1:
        return math.inf
    if degrees >= _MANY:
        return _expansion(NormalDist().inv_cdf((1 + level) / 2), degrees)
    low, high = 0.0, 1.0
    while _between(high, degrees) < level:
        high *= 2
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if _between(middle, degrees) < level:
            low = middle
        else:
            high = middle
    return high


def _between(t: float, degrees: int) -> float:
    """Return the probability between -t and t."""
    angle = math.atan(t / math.sqrt(degrees))
    cosine = math.cos(angle)
    odd = degrees % 2
    term = cosine if odd else 1.0
    total = 0.0
    for step in range(2 + odd, degrees + 1, 2):
        total += term
        term *= cosine * cosine * (step - 1) / step
    if odd:
        return 2 / math.pi * (angle + math.sin(angle) * total)
    return math.sin(angle) * total


def _expansion(x: float, degrees: int) -> float:
    terms: tuple[float, ...] = (
        x,
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
        (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160,
    )
    return math.fsum(term / float(degrees**power) for power, term in enumerate(terms))
