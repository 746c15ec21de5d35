"""Ratings of a league: one joint maximum-likelihood fit of all games on the Elo scale.

A game is the order in which its players finished, told in choices: the first among all, then the
second among the rest. The chance that i is chosen among a group is exp(theta_i) over the sum of
exp(theta) of the group; of two that is Bradley and Terry's 1 / (1 + exp(theta_j - theta_i)), of
three Plackett and Luce's order, in which any two meet as if the third were not there, so that all
rule sets share the scale. A shared place counts as every order that agrees with it, in equal parts
that sum to one game: of two, a draw is half a win for each. The Elo rating is ``SCALE * theta``,
shifted so that the anchor has 1500, or without one the mean.

The maximum is found by Newton's method; the matrix H of second derivatives sums, over choices,
diag(p) - p p', with p the chances of the group. The covariance is the sandwich
``H+ M H+ * G / (G - 1)`` over G clusters, where M sums the outer products of the clusters' scores;
a cluster is a seating set (mirrored) or a board (private). It is kept for ratings relative to the
mean of the pool; differences of two entries follow from it whatever the zero.

A finite maximum needs every group of entries to have finished before, or level with, one of the
rest at least once. Entries outside the group that holds the anchor (else the largest group) are
tied to it by a weak prior: one drawn game of two each against the anchor (else the group's first
entry), a cluster of its own.

Every sum runs in the order of sorted keys and on one thread, so that equal facts give equal bits
in whatever order they come.

Sources: R. A. Bradley, M. E. Terry, Biometrika 39 (1952); R. L. Plackett, Applied Statistics 24
(1975), the order of many; L. R. Ford, Amer. Math. Monthly 64 (1957), the condition; D. R. Hunter,
Annals of Statistics 32 (2004), both for orders; K.-Y. Liang, S. L. Zeger, Biometrika 73 (1986), the
sandwich over clusters.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
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
Flags = npt.NDArray[np.bool_]

PROVISIONAL_BOARDS: Final = 12
"""Fewer boards than this and a rating is provisional: its bars are then too short too often."""
LEVEL: Final = 0.95
_STEPS: Final = 200
_CLOSE: Final = 1e-9
"""Newton stops after a step below this, natural units; its steps square, so nothing is left."""
_LONGEST: Final = 2.0
"""Longest step of one rating, natural units, while far from the maximum."""
_PARTS: Final = 6
"""A game is counted in sixths, so that the orders of a shared place are whole numbers of them."""
_SHARES: Final = 4
"""Scores are counted in quarters: a shared place among three is worth one."""


@dataclass(frozen=True, slots=True)
class GameFact:
    """One rated game."""

    entries: tuple[str, ...]
    """The keys of the two or three entries that played."""
    places: tuple[int, ...]
    """Their places: 1 and how many finished before; a forfeiter is last (R10.2, R10.4)."""
    cluster: tuple[int, ...]
    """Match and board: games with the same cluster are not independent."""


def score(places: Sequence[int], player: int) -> float:
    """Return the score of a player, 0 to 1: the share of the others behind it, level ones half."""
    own, others = places[player], len(places) - 1
    behind = sum(place > own for place in places)
    level = sum(place == own for place in places) - 1
    return (behind + level / 2) / others


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
    """Sum of scores (`score`)."""
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
        ValueError: a game that is not of two or three different entries, or whose places are none.
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
    """Choices summed by cluster and group, sorted; parallel arrays, a row a cluster and group."""

    entries: list[str]
    tallies: list[tuple[int, int]]
    """Games and scores, in quarters, by entry."""
    cluster: Ints
    members: Ints
    """The group, a column a member; where there are fewer, padded with the first entry."""
    present: Flags
    """Which columns are members."""
    chosen: Floats
    """How often each member was chosen."""

    @classmethod
    def of(cls, games: Iterable[GameFact]) -> "_Table":
        sums: dict[tuple[tuple[int, ...], tuple[str, ...]], list[int]] = {}
        tallies: dict[str, tuple[int, int]] = {}
        for game in games:
            entries, places = _in_order(game)
            for columns, choice, parts in _choices(places):
                key = (game.cluster, tuple([entries[column] for column in columns]))
                sums.setdefault(key, [0] * len(columns))[columns.index(choice)] += parts
            for player, entry in enumerate(entries):
                count, quarters = tallies.get(entry, (0, 0))
                tallies[entry] = (count + 1, quarters + int(_SHARES * score(places, player)))
        rows = [(key, sums[key]) for key in sorted(sums)]
        return cls._packed(rows, sorted(tallies.items()))

    @classmethod
    def _packed(
        cls,
        rows: Sequence[tuple[tuple[tuple[int, ...], tuple[str, ...]], Sequence[int]]],
        tallies: Sequence[tuple[str, tuple[int, int]]],
    ) -> "_Table":
        entries = [entry for entry, _ in tallies]
        numbers = {entry: number for number, entry in enumerate(entries)}
        clusters = {cluster: i for i, cluster in enumerate(sorted({key[0] for key, _ in rows}))}
        width = max([len(parts) for _, parts in rows], default=2)
        size = (len(rows), width)
        members, present = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.bool_)
        chosen = np.zeros(size)
        for row, ((_, group), parts) in enumerate(rows):
            members[row, : len(group)] = [numbers[entry] for entry in group]
            present[row, : len(group)] = True
            chosen[row, : len(group)] = parts
        return cls(
            entries,
            [tally for _, tally in tallies],
            np.array([clusters[cluster] for (cluster, _), _ in rows], dtype=np.int64),
            members,
            present,
            chosen / _PARTS,
        )

    @property
    def clusters(self) -> int:
        return int(np.max(self.cluster)) + 1

    @property
    def choices(self) -> Floats:
        """The number of choices of each row, as a column."""
        total: Floats = self.chosen.sum(axis=1, keepdims=True)
        return total

    def tied(self, outside: Sequence[int], reference: int | None) -> "_Table":
        """Return the table with the prior's drawn games."""
        if not outside:
            return self
        if reference is None:
            reference = min(set(range(len(self.entries))) - set(outside))
        count, width = len(outside), self.members.shape[1]
        members = np.zeros((count, width), dtype=np.int64)
        members[:, 0], members[:, 1] = outside, reference
        pair = np.arange(width) < 2
        return _Table(
            self.entries,
            self.tallies,
            np.append(self.cluster, self.clusters + np.arange(count, dtype=np.int64)),
            np.append(self.members, members, axis=0),
            np.append(self.present, np.tile(pair, (count, 1)), axis=0),
            np.append(self.chosen, np.tile(pair * 0.5, (count, 1)), axis=0),
        )

    def sum_members(self, values: Floats) -> Floats:
        """Sum values by member."""
        sums = np.bincount(self.members.ravel(), values.ravel(), len(self.entries))
        return sums.astype(np.float64)


def _in_order(game: GameFact) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the entries in the order of their keys, and the place of each."""
    count = len(game.entries)
    if count not in (2, 3) or len(set(game.entries)) < count:
        raise ValueError(f"a game of {game.entries}; it has two or three different entries")
    places = game.places
    right = tuple(1 + sum(other < place for other in places) for place in places)
    if len(places) != count or places != right:
        raise ValueError(f"places {places} of {count}; each is 1 and how many finished before")
    entries, ordered = zip(*sorted(zip(game.entries, places, strict=True)), strict=True)
    return entries, ordered


@cache
def _choices(places: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], int, int], ...]:
    """Return the choices of a game: group, who was chosen, and in how many sixths of a game."""
    players = range(len(places))
    orders = [order for order in permutations(players) if _agrees(order, places)]
    parts = _PARTS // len(orders)
    return tuple(
        (tuple(sorted(order[turn:])), order[turn], parts)
        for order in orders
        for turn in players[:-1]
    )


def _agrees(order: Sequence[int], places: Sequence[int]) -> bool:
    ranked = [places[player] for player in order]
    return ranked == sorted(ranked)


def _outside(table: _Table, reference: int | None) -> list[int]:
    """Return the entries that the games do not tie both ways to the reference's group (Ford)."""
    size = len(table.entries)
    rows, columns = np.nonzero(table.chosen)
    winners = np.broadcast_to(table.members[rows, columns][:, None], table.members[rows].shape)
    met = table.present[rows]
    edges = (winners[met], table.members[rows][met])
    before = coo_array((np.ones(len(edges[0])), edges), shape=(size, size))
    groups = connected_components(before.tocsr(), connection="strong")[1]
    if reference is None:
        sizes = np.bincount(groups)
        reference = int(np.argmax(sizes[groups]))
    return [place for place in range(size) if groups[place] != groups[reference]]


def _chances(table: _Table, theta: Floats) -> Floats:
    """Return the chance of each member to be chosen; 0 where there is none."""
    strength = np.where(table.present, theta[table.members], -np.inf)
    weight = np.exp(strength - strength.max(axis=1, keepdims=True))
    chances: Floats = weight / weight.sum(axis=1, keepdims=True)
    return chances


def _curvature(table: _Table, chances: Floats) -> Floats:
    """Return H plus a constant matrix: regular, and with the same inverse on differences."""
    size, members = len(table.entries), table.members
    expected = table.choices * chances
    matrix = np.zeros((size, size))
    for one in range(members.shape[1]):
        for other in range(members.shape[1]):
            if one != other:
                weights = -expected[:, one] * chances[:, other]
                np.add.at(matrix, (members[:, one], members[:, other]), weights)
    np.fill_diagonal(matrix, 0)
    np.fill_diagonal(matrix, -matrix.sum(axis=1))
    return matrix + 1.0 / size


def _surplus(table: _Table, chances: Floats) -> Floats:
    """Return how much more often than expected each member was chosen."""
    return table.chosen - table.choices * chances


def _maximise(table: _Table) -> Floats:
    theta = np.zeros(len(table.entries))
    for _ in range(_STEPS):
        chances = _chances(table, theta)
        surplus = table.sum_members(_surplus(table, chances))
        step = np.linalg.solve(_curvature(table, chances), surplus)
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
    clusters = np.repeat(table.cluster, table.members.shape[1])
    scores: Any = coo_array(
        (_surplus(table, chances).ravel(), (clusters, table.members.ravel())), shape=(count, size)
    )
    by_cluster = csr_array(scores)
    meat: Floats = (by_cluster.T @ by_cluster).toarray()
    bread = np.linalg.inv(_curvature(table, chances)) - 1.0 / size
    covariance: Floats = bread @ meat @ bread * (count / (count - 1))
    return covariance


def _ratings(
    table: _Table, elo: Floats, covariance: Floats, outside: Sequence[int]
) -> tuple[Rating, ...]:
    boards = _boards(table)
    ratings = []
    for place, entry in enumerate(table.entries):
        half = _half_width(float(covariance[place, place]), int(boards[place]))
        value = float(elo[place])
        games, quarters = table.tallies[place]
        ratings.append(
            Rating(
                entry,
                value,
                value - half,
                value + half,
                games=games,
                score=quarters / _SHARES,
                boards=int(boards[place]),
                provisional=bool(boards[place] < PROVISIONAL_BOARDS),
                prior=place in set(outside),
            )
        )
    return tuple(ratings)


def _boards(table: _Table) -> Ints:
    """Return the number of clusters that each entry played in."""
    clusters = np.broadcast_to(table.cluster[:, None], table.members.shape)
    pairs = np.stack([table.members[table.present], clusters[table.present]])
    seen = np.unique(pairs, axis=1)[0]
    return np.bincount(seen, minlength=len(table.entries)).astype(np.int64)


def _half_width(variance: float, boards: int) -> float:
    if boards < 2 or not math.isfinite(variance):
        return math.inf
    return t_quantile(LEVEL, boards - 1) * math.sqrt(max(variance, 0.0))
