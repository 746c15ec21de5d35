"""Ratings of a league: one joint maximum-likelihood fit of all games on the Elo scale.

The chance that i beats j is 1 / (1 + exp(theta_j - theta_i)); a draw is half a win for each; the
Elo rating is ``SCALE * theta``, shifted so that the anchor has 1500, or without one the mean.

The maximum is found by Newton's method; the matrix H of second derivatives is that of a graph
whose edges weigh ``games * p * (1 - p)``. The covariance is the sandwich ``H+ M H+ * G / (G - 1)``
over G clusters, where M sums the outer products of the clusters' scores; a cluster is a seating
set (mirrored) or a board (private). It is kept for ratings relative to the mean of the pool;
differences of two entries follow from it whatever the zero.

A finite maximum needs every group of entries to have taken at least half a point from the rest.
Entries outside the group that holds the anchor (else the largest group) are tied to it by a weak
prior: one drawn game each against the anchor (else the group's first entry), a cluster of its own.

Every sum runs in the order of sorted keys and on one thread, so that equal facts give equal bits
in whatever order they come.

Sources: R. A. Bradley, M. E. Terry, Biometrika 39 (1952); L. R. Ford, Amer. Math. Monthly 64
(1957), the condition; D. R. Hunter, Annals of Statistics 32 (2004); K.-Y. Liang, S. L. Zeger,
Biometrika 73 (1986), the sandwich over clusters.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components
from threadpoolctl import threadpool_limits

from arena.ratings.elo import ANCHOR, SCALE
from arena.ratings.student import t_quantile

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

PROVISIONAL_BOARDS: Final = 12
"""Fewer boards than this and a rating is provisional: its bars are then too short too often."""
LEVEL: Final = 0.95
_STEPS: Final = 200
_CLOSE: Final = 1e-9
"""Newton stops after a step below this, natural units; its steps square, so nothing is left."""
_LONGEST: Final = 2.0
"""Longest step of one rating, natural units, while far from the maximum."""


@dataclass(frozen=True, slots=True)
class GameFact:
    """One rated game."""

    entries: tuple[str, ...]
    """The keys of the entries that played."""
    scores: tuple[float, ...]
    """Their scores, multiples of one half with the sum 1; a forfeit counts as lost (R10.4)."""
    cluster: tuple[int, ...]
    """Match and board: games with the same cluster are not independent."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of one entry."""

    entry: str
    elo: float
    low: float
    """Lower end of the 95 % interval to the mean of the pool; -inf below two boards."""
    high: float
    """Upper end; inf below two boards."""
    games: int
    score: float
    """Sum of scores."""
    boards: int
    """Clusters that the entry played in."""
    provisional: bool
    """Whether it has fewer than `PROVISIONAL_BOARDS`."""
    prior: bool
    """Whether only the weak prior ties it to the others: it won or lost everything, or met none
    of them."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The ratings of all entries and their joint covariance."""

    ratings: tuple[Rating, ...]
    """By key of entry."""
    covariance: Floats
    """Elo squared, in the order of `ratings`, relative to the mean of the pool."""
    anchored: bool
    """Whether the anchor fixes 1500; else the mean of all does."""

    def difference(self, first: str, second: str) -> tuple[float, float, float]:
        """Return the Elo difference of two entries and the ends of its 95 % interval.

        Raises:
            KeyError: an entry that is not rated.
        """
        places = {rating.entry: place for place, rating in enumerate(self.ratings)}
        i, j = places[first], places[second]
        value = self.ratings[i].elo - self.ratings[j].elo
        variance = self.covariance[i, i] + self.covariance[j, j] - 2 * self.covariance[i, j]
        boards = min(self.ratings[i].boards, self.ratings[j].boards)
        half = _half_width(float(variance), boards) if i != j else 0.0
        return value, value - half, value + half


def fit(games: Iterable[GameFact], *, anchor: str | None = None) -> Fit:
    """Rate all entries of the games jointly.

    Args:
        games: the facts, in any order.
        anchor: the entry whose rating is 1500; it may be absent from the games.

    Raises:
        ValueError: a game that is not of two entries, or whose scores are not halves that sum to
            one.
    """
    table = _Table.of(games)
    if not table.entries:
        return Fit((), np.zeros((0, 0)), anchored=False)
    reference = table.entries.index(anchor) if anchor in table.entries else None
    with threadpool_limits(limits=1):
        outside = _outside(table, reference)
        tied = table.tied(outside, reference)
        theta = _maximise(tied)
        covariance = SCALE**2 * _covariance(tied, theta)
    shift = theta.mean() if reference is None else theta[reference]
    return Fit(
        _ratings(table, ANCHOR + SCALE * (theta - shift), covariance, outside),
        covariance,
        anchored=reference is not None,
    )


@dataclass(frozen=True)
class _Table:
    """Games summed by cluster and pair, sorted; parallel arrays."""

    entries: list[str]
    first: Ints
    second: Ints
    cluster: Ints
    games: Floats
    wins: Floats
    """Sum of scores of the first."""

    @classmethod
    def of(cls, games: Iterable[GameFact]) -> "_Table":
        sums: dict[tuple[tuple[int, ...], str, str], tuple[int, int]] = {}
        for game in games:
            first, second, halves = _pair(game)
            key = (game.cluster, first, second)
            count, old = sums.get(key, (0, 0))
            sums[key] = (count + 1, old + halves)
        keys = sorted(sums)
        entries = sorted({entry for _, *pair in keys for entry in pair})
        places = {entry: place for place, entry in enumerate(entries)}
        clusters = {cluster: i for i, cluster in enumerate(sorted({key[0] for key in keys}))}
        return cls(
            entries,
            np.array([places[first] for _, first, _ in keys], dtype=np.int64),
            np.array([places[second] for _, _, second in keys], dtype=np.int64),
            np.array([clusters[cluster] for cluster, _, _ in keys], dtype=np.int64),
            np.array([sums[key][0] for key in keys], dtype=np.float64),
            np.array([sums[key][1] / 2 for key in keys], dtype=np.float64),
        )

    @property
    def clusters(self) -> int:
        return int(self.cluster.max()) + 1

    def tied(self, outside: Sequence[int], reference: int | None) -> "_Table":
        """Return the table with the prior's drawn games."""
        if not outside:
            return self
        if reference is None:
            reference = min(set(range(len(self.entries))) - set(outside))
        count = len(outside)
        return _Table(
            self.entries,
            np.append(self.first, np.array(outside, dtype=np.int64)),
            np.append(self.second, np.full(count, reference, dtype=np.int64)),
            np.append(self.cluster, self.clusters + np.arange(count, dtype=np.int64)),
            np.append(self.games, np.ones(count)),
            np.append(self.wins, np.full(count, 0.5)),
        )

    def sum_pairs(self, first: Floats, second: Floats) -> Floats:
        """Sum values by the first and by the second entry of each row."""
        size = len(self.entries)
        sums = np.bincount(self.first, first, size) + np.bincount(self.second, second, size)
        return sums.astype(np.float64)


def _pair(game: GameFact) -> tuple[str, str, int]:
    """Return the entries in order and the first one's score in halves."""
    halves = [score * 2 for score in game.scores]
    if len(game.entries) != 2 or game.entries[0] == game.entries[1]:
        raise ValueError(f"a game of {game.entries}; it has two different entries")
    if len(halves) != 2 or sum(halves) != 2 or any(half not in (0, 1, 2) for half in halves):
        raise ValueError(f"scores {game.scores}; they are halves and sum to 1")
    (one, own), (other, theirs) = zip(game.entries, halves, strict=True)
    return (one, other, int(own)) if one < other else (other, one, int(theirs))


def _outside(table: _Table, reference: int | None) -> list[int]:
    """Return the entries that the games do not tie both ways to the reference's group (Ford)."""
    size = len(table.entries)
    losses = table.games - table.wins
    rows = np.append(table.first[table.wins > 0], table.second[losses > 0])
    columns = np.append(table.second[table.wins > 0], table.first[losses > 0])
    beats = coo_array((np.ones(len(rows)), (rows, columns)), shape=(size, size))
    groups = connected_components(beats.tocsr(), connection="strong")[1]
    if reference is None:
        sizes = np.bincount(groups)
        reference = int(np.argmax(sizes[groups]))
    return [place for place in range(size) if groups[place] != groups[reference]]


def _chances(table: _Table, theta: Floats) -> Floats:
    """Return the chance of the first of each row to win."""
    chances: Floats = 1 / (1 + np.exp(theta[table.second] - theta[table.first]))
    return chances


def _curvature(table: _Table, chances: Floats) -> Floats:
    """Return H plus a constant matrix: regular, and with the same inverse on differences."""
    size = len(table.entries)
    weights = table.games * chances * (1 - chances)
    matrix = np.zeros((size, size))
    np.add.at(matrix, (table.first, table.second), -weights)
    matrix += matrix.T
    np.fill_diagonal(matrix, table.sum_pairs(weights, weights))
    return matrix + 1.0 / size


def _maximise(table: _Table) -> Floats:
    theta = np.zeros(len(table.entries))
    for _ in range(_STEPS):
        chances = _chances(table, theta)
        surplus = table.wins - table.games * chances
        step = np.linalg.solve(_curvature(table, chances), table.sum_pairs(surplus, -surplus))
        longest = float(np.abs(step).max())
        theta = theta + step * min(1.0, _LONGEST / longest) if longest else theta
        if longest < _CLOSE:
            return theta
    raise ArithmeticError(f"no maximum after {_STEPS} steps of Newton's method")


def _covariance(table: _Table, theta: Floats) -> Floats:
    """Return the sandwich, natural units, relative to the mean."""
    size, count = len(table.entries), table.clusters
    if count < 2:
        return np.full((size, size), math.inf)
    chances = _chances(table, theta)
    surplus = table.wins - table.games * chances
    scores: Any = coo_array(
        (
            np.append(surplus, -surplus),
            (np.append(table.cluster, table.cluster), np.append(table.first, table.second)),
        ),
        shape=(count, size),
    )
    by_cluster = csr_array(scores)
    meat: Floats = (by_cluster.T @ by_cluster).toarray()
    bread = np.linalg.inv(_curvature(table, chances)) - 1.0 / size
    covariance: Floats = bread @ meat @ bread * (count / (count - 1))
    return covariance


def _ratings(
    table: _Table, elo: Floats, covariance: Floats, outside: Sequence[int]
) -> tuple[Rating, ...]:
    games = table.sum_pairs(table.games, table.games)
    scores = table.sum_pairs(table.wins, table.games - table.wins)
    boards = _boards(table)
    ratings = []
    for place, entry in enumerate(table.entries):
        half = _half_width(float(covariance[place, place]), int(boards[place]))
        value = float(elo[place])
        ratings.append(
            Rating(
                entry,
                value,
                value - half,
                value + half,
                games=int(games[place]),
                score=float(scores[place]),
                boards=int(boards[place]),
                provisional=bool(boards[place] < PROVISIONAL_BOARDS),
                prior=place in set(outside),
            )
        )
    return tuple(ratings)


def _boards(table: _Table) -> Ints:
    """Return the number of clusters that each entry played in."""
    pairs = np.append(
        np.stack([table.first, table.cluster]), np.stack([table.second, table.cluster]), axis=1
    )
    seen = np.unique(pairs, axis=1)[0]
    return np.bincount(seen, minlength=len(table.entries)).astype(np.int64)


def _half_width(variance: float, boards: int) -> float:
    if boards < 2 or not math.isfinite(variance):
        return math.inf
    return t_quantile(LEVEL, boards - 1) * math.sqrt(max(variance, 0.0))
