"""The standings of a league as a pure function of its facts, wherever they were read from.

The same facts give the same bits on one machine and build, in whatever order they come: the games
are sorted by their place in the schedule first.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from arena.ratings.bradley_terry import Fit, GameFact, Rating, fit, score
from arena.ratings.elo import ANCHOR, ANCHOR_BOT
from arena.ratings.intervals import GameOutcome, points_per_round


@dataclass(frozen=True, slots=True)
class RatedGame:
    """What ratings need of a finished game."""

    match: int
    """The match's number in its league."""
    index: int
    """The game's place in the match."""
    board: int
    entries: tuple[int, ...]
    """The numbers of its entries, by player."""
    places: tuple[int, ...]
    """1 and how many finished before, by player; a forfeiter is last (R10.2, R10.4)."""
    rounds: tuple[int, ...]
    """By player, the rounds that count for it."""
    margins: tuple[int, ...]
    """By player, its points less the others' over those rounds (R10.2)."""
    forfeiter: int | None = None
    """The player who forfeited."""

    def outcome(self, player: int) -> GameOutcome:
        """Return what the game says of one player against the others."""
        won = score(self.places, player)
        return GameOutcome(self.board, won, self.margins[player], self.rounds[player])


@dataclass(frozen=True, slots=True)
class Figures:
    """One entry's line of the standings."""

    rank: int
    entry: int
    """Its number in the league."""
    elo: float
    elo_low: float
    """Lower end of the 95 % interval; -inf where nothing can be said."""
    elo_high: float
    """Upper end; inf where nothing can be said."""
    provisional: bool
    anchor: bool
    games: int
    wins: int
    """Games in which it had the first place alone."""
    losses: int
    """Games in which another was before it."""
    draws: int
    """Games in which it shared the first place."""
    places: tuple[int, ...]
    """How often it had the first place, the second (, the third); a shared place counts for all who
    share it. Empty without games."""
    score: float
    """Mean score a game, 0 to 1: the share of the others behind it, those level with it by half."""
    forfeits: int
    rounds: int
    """Rounds that it played; of three, those in which it was the box or the captain."""
    points_per_round: float
    """Points won less points lost by round that it played, a ratio of sums."""
    points_per_round_bar: float
    """Half the 95 % interval; inf where it cannot be said."""


@dataclass(frozen=True, slots=True)
class LeagueRatings:
    """The figures of all entries, and what they rest on."""

    figures: tuple[Figures, ...]
    """By rank."""
    games: int
    flags: tuple[str, ...]
    """What a reader must know, as sentences."""
    fit: Fit


def rate_league(
    entries: int, games: Iterable[RatedGame], *, anchor: int | None = None
) -> LeagueRatings:
    """Rate and rank the entries of a league.

    Args:
        entries: how many entries the league has.
        games: those of its finished matches, in any order.
        anchor: the number of the entry whose rating is 1500; None without one.
    """
    facts = sorted(games, key=lambda game: (game.match, game.index))
    fitted = fit(
        (
            GameFact(tuple(map(_key, fact.entries)), fact.places, (fact.match, fact.board))
            for fact in facts
        ),
        anchor=None if anchor is None else _key(anchor),
    )
    rated = {int(rating.entry): rating for rating in fitted.ratings}
    played = _by_entry(entries, facts)
    rows = [_row(entry, rated.get(entry), played[entry], anchor) for entry in range(entries)]
    rows.sort(key=lambda row: (not row.games, -row.elo))
    ranked = tuple(replace(row, rank=rank) for rank, row in enumerate(rows, 1))
    return LeagueRatings(ranked, len(facts), _flags(fitted, anchor), fitted)


def _key(number: int) -> str:
    """Write an entry's number so that text sorts as numbers do."""
    return f"{number:06d}"


def _by_entry(entries: int, facts: Iterable[RatedGame]) -> list[list[tuple[RatedGame, int]]]:
    """Group games by each entry that played, with the player it was."""
    grouped: list[list[tuple[RatedGame, int]]] = [[] for _ in range(entries)]
    for fact in facts:
        for player, entry in enumerate(fact.entries):
            grouped[entry].append((fact, player))
    return grouped


def _row(
    entry: int,
    rating: Rating | None,
    played: Sequence[tuple[RatedGame, int]],
    anchor: int | None,
) -> Figures:
    outcomes = [fact.outcome(player) for fact, player in played]
    margin = points_per_round(outcomes)
    places = Counter(fact.places[player] for fact, player in played)
    wins = sum(fact.places[player] == 1 == fact.places.count(1) for fact, player in played)
    seats = len(played[0][0].places) if played else 0
    return Figures(
        rank=0,
        entry=entry,
        elo=rating.elo if rating else ANCHOR,
        elo_low=rating.low if rating else -math.inf,
        elo_high=rating.high if rating else math.inf,
        provisional=rating is None or rating.provisional,
        anchor=entry == anchor,
        games=len(played),
        wins=wins,
        losses=len(played) - places[1],
        draws=places[1] - wins,
        places=tuple(places[place] for place in range(1, seats + 1)),
        score=sum(outcome.score for outcome in outcomes) / max(len(outcomes), 1),
        forfeits=sum(fact.forfeiter == player for fact, player in played),
        rounds=sum(outcome.rounds for outcome in outcomes),
        points_per_round=margin.value if outcomes else 0.0,
        points_per_round_bar=margin.high - margin.value if outcomes else math.inf,
    )


def _flags(fitted: Fit, anchor: int | None) -> tuple[str, ...]:
    flags = []
    if not fitted.anchored:
        why = "has no finished match" if anchor is not None else "is not an entry"
        flags.append(f"{'@'.join(ANCHOR_BOT)} {why}: the mean of all ratings is 1500")
    if any(rating.prior for rating in fitted.ratings):
        flags.append("some entries won or lost everything: a weak prior ties them to the others")
    return tuple(flags)
