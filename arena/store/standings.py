"""Ratings and standings of a league, computed from the facts of its finished games.

Nothing of it is stored: the facts are read, sorted by the schedule's own numbers and fitted, so
that the same facts give the same bits in whatever order they came. A process keeps the last
standings of a league for as long as no match of it has ended since.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.ratings.bradley_terry import Fit, GameFact, Rating, fit
from arena.ratings.elo import ANCHOR
from arena.ratings.intervals import GameOutcome, points_per_round
from arena.store.models import Bot, BotVersion, Entry, Game, League, Match, MatchPlayer, MatchState
from arena.store.results import margin_of
from arena.store.rows import bot_name, key_of, select_entries
from arena.store.views import StandingRow, Standings

ANCHOR_BOT: Final = ("simple", "1")
"""Name and version of the bot whose rating is 1500 in every league that it has entered."""
_KEPT: Final = 64
"""Leagues whose last standings are kept."""
_cache: dict[tuple[str, str], tuple[int, Standings]] = {}


@dataclass(frozen=True, slots=True)
class _Fact:
    """A rated game: the numbers of its entries by player, and the stored game."""

    match: int
    entries: tuple[int, ...]
    game: Game

    def outcome(self, player: int) -> GameOutcome:
        """Return what the game says of one player against the other."""
        rounds, margin = margin_of(self.game, player, 1 - player)
        return GameOutcome(self.game.board, self.score(player), margin, rounds)

    def score(self, player: int) -> float:
        """Return 1, 0.5 or 0; a forfeited game is a lost one (R10.4)."""
        return 0.5 if self.game.winner is None else float(self.game.winner == player)


def ratings(session: Session, league_id: str) -> Fit:
    """Rate the entries of a league jointly from its finished matches; keys are entry numbers."""
    league_key = key_of(session, League, league_id)
    return _fit(_facts(session, league_key), _anchor(session, league_key))


def standings(session: Session, league_id: str) -> Standings | None:
    """Return the standings of a league, None for an unknown one."""
    league = session.scalar(select(League).where(League.public_id == league_id))
    if league is None:
        return None
    key = (str(session.get_bind().engine.url), league_id)
    kept = _cache.get(key)
    if kept is None or kept[0] != league.matches_ended or league.started_us is None:
        kept = league.matches_ended, _standings(session, league.id)
        _cache[key] = kept
        for old in list(_cache)[:-_KEPT]:
            _cache.pop(old, None)
    return kept[1]


def _standings(session: Session, league_key: int) -> Standings:
    facts = _facts(session, league_key)
    anchor = _anchor(session, league_key)
    fitted = _fit(facts, anchor)
    rated = {int(rating.entry): rating for rating in fitted.ratings}
    entries = session.execute(
        select_entries().where(Entry.league_id == league_key).order_by(Entry.number)
    )
    outcomes = _by_entry(facts)
    rows = [
        _row(who, rated.get(who[0].number), outcomes.get(who[0].number, ()), anchor)
        for who in entries
    ]
    rows.sort(key=lambda row: (not row.games, -row.elo))
    ranked = tuple(replace(row, rank=rank) for rank, row in enumerate(rows, 1))
    return Standings(ranked, len(facts), _flags(fitted, anchor))


def _facts(session: Session, league_key: int) -> list[_Fact]:
    """Read the games of finished matches, in the order of the schedule."""
    done = (Match.league_id == league_key, Match.state == MatchState.DONE)
    seated = session.execute(
        select(Match.number, Entry.number)
        .join(MatchPlayer, MatchPlayer.match_id == Match.id)
        .join(Entry, Entry.id == MatchPlayer.entry_id)
        .where(*done)
        .order_by(Match.number, MatchPlayer.player)
    )
    entries: dict[int, list[int]] = {}
    for match, entry in seated:
        entries.setdefault(match, []).append(entry)
    games = session.execute(
        select(Match.number, Game)
        .join(Game, Game.match_id == Match.id)
        .where(*done)
        .order_by(Match.number, Game.number)
    )
    return [_Fact(match, tuple(entries[match]), game) for match, game in games]


def _fit(facts: Iterable[_Fact], anchor: int | None) -> Fit:
    games = (
        GameFact(
            entries=tuple(map(_key, fact.entries)),
            places=tuple(1 if fact.score(player) else 2 for player in (0, 1)),
            cluster=(fact.match, fact.game.board),
        )
        for fact in facts
    )
    return fit(games, anchor=None if anchor is None else _key(anchor))


def _key(number: int) -> str:
    """Write an entry's number so that text sorts as numbers do."""
    return f"{number:06d}"


def _anchor(session: Session, league_key: int) -> int | None:
    name, version = ANCHOR_BOT
    return session.scalar(
        select(Entry.number)
        .join(BotVersion, BotVersion.id == Entry.bot_version_id)
        .join(Bot, Bot.id == BotVersion.bot_id)
        .where(Entry.league_id == league_key, Bot.name == name, BotVersion.version == version)
    )


def _by_entry(facts: Iterable[_Fact]) -> Mapping[int, list[tuple[_Fact, int]]]:
    """Group games by each entry that played, with the player it was."""
    grouped: dict[int, list[tuple[_Fact, int]]] = {}
    for fact in facts:
        for player, entry in enumerate(fact.entries):
            grouped.setdefault(entry, []).append((fact, player))
    return grouped


def _row(
    who: tuple[Entry, BotVersion, Bot],
    rating: Rating | None,
    played: Sequence[tuple[_Fact, int]],
    anchor: int | None,
) -> StandingRow:
    outcomes = [fact.outcome(player) for fact, player in played]
    margin = points_per_round(outcomes)
    scores = [outcome.score for outcome in outcomes]
    return StandingRow(
        rank=0,
        bot=bot_name(*who),
        elo=rating.elo if rating else ANCHOR,
        elo_low=rating.low if rating else -math.inf,
        elo_high=rating.high if rating else math.inf,
        provisional=rating is None or rating.provisional,
        anchor=who[0].number == anchor,
        games=len(scores),
        wins=scores.count(1.0),
        losses=scores.count(0.0),
        draws=scores.count(0.5),
        forfeits=sum(fact.game.forfeiter == player for fact, player in played),
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
