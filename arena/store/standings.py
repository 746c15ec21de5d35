"""Ratings and standings of a league, computed from the facts of its finished games.

Nothing of it is stored: the facts are read in the order of the schedule's own numbers and rated by
`arena.ratings.standings`, which gives the same bits for the same facts. A process keeps the last
standings of a league for as long as no match of it has ended, or was voided, since.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.ratings.bradley_terry import Fit
from arena.ratings.elo import ANCHOR_BOT
from arena.ratings.standings import LeagueRatings, RatedGame, rate_league
from arena.store.facts import own_rounds
from arena.store.models import Bot, BotVersion, Entry, Game, League, Match, MatchPlayer, MatchState
from arena.store.rows import bot_name, count_undecided, key_of, select_entries
from arena.store.views import StandingRow, Standings

_KEPT: Final = 64
"""Leagues whose last standings are kept."""
_cache: dict[tuple[str, str], tuple[tuple[int, int, int], Standings]] = {}


def ratings(session: Session, league_id: str) -> Fit:
    """Rate the entries of a league jointly from its finished matches; keys are entry numbers."""
    return _rate(session, key_of(session, League, league_id)).fit


def standings(session: Session, league_id: str) -> Standings | None:
    """Return the standings of a league, None for an unknown one."""
    league = session.scalar(select(League).where(League.public_id == league_id))
    if league is None:
        return None
    key = (str(session.get_bind().engine.url), league_id)
    now = league.matches_ended, league.games_done, count_undecided(session, league.id)
    kept = _cache.get(key)
    if kept is None or kept[0] != now or league.started_us is None:
        kept = now, _standings(session, league.id)
        _cache[key] = kept
        for old in list(_cache)[:-_KEPT]:
            _cache.pop(old, None)
    return kept[1]


def _standings(session: Session, league_key: int) -> Standings:
    entries = session.execute(
        select_entries().where(Entry.league_id == league_key).order_by(Entry.number)
    )
    names = [bot_name(*entry) for entry in entries]
    rated = _rate(session, league_key)
    rows = tuple(StandingRow(**asdict(line), bot=names[line.entry]) for line in rated.figures)
    flags = rated.flags
    if undecided := count_undecided(session, league_key):
        flags += (f"quarantined, and not rated until an organiser decides: {undecided} matches",)
    return Standings(rows, rated.games, flags)


def _rate(session: Session, league_key: int) -> LeagueRatings:
    entries = session.scalar(select(func.count()).where(Entry.league_id == league_key)) or 0
    return rate_league(entries, _facts(session, league_key), anchor=_anchor(session, league_key))


def _facts(session: Session, league_key: int) -> list[RatedGame]:
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
    return [_fact(match, entries[match], game) for match, game in games]


def _fact(match: int, entries: Sequence[int], game: Game) -> RatedGame:
    sums = [own_rounds(game.duels, player) for player in range(len(entries))]
    return RatedGame(
        match=match,
        index=game.number,
        board=game.board,
        entries=tuple(entries),
        places=tuple(game.places),
        rounds=tuple(rounds for rounds, _ in sums),
        margins=tuple(margin for _, margin in sums),
        forfeiter=game.forfeiter,
    )


def _anchor(session: Session, league_key: int) -> int | None:
    name, version = ANCHOR_BOT
    return session.scalar(
        select(Entry.number)
        .join(BotVersion, BotVersion.id == Entry.bot_version_id)
        .join(Bot, Bot.id == BotVersion.bot_id)
        .where(Entry.league_id == league_key, Bot.name == name, BotVersion.version == version)
    )
