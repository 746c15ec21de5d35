"""How stored rows become the values of `views`."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import Row, Select, func, select
from sqlalchemy.orm import Session

from arena.store.models import (
    Base,
    Bot,
    BotVersion,
    Entry,
    Game,
    League,
    Match,
    MatchPlayer,
    MatchState,
    Void,
)
from arena.store.views import BotName, EvidenceView, GameRow, LeagueSummary, MatchRow


def key_of(session: Session, table: type[Base], public_id: str) -> int:
    """Return the key of the row with a public id; 0, which no row has, where there is none."""
    columns = table.__table__.c
    found = session.scalar(select(columns.id).where(columns.public_id == public_id))
    return int(found or 0)


def select_leagues() -> Select[League, int]:
    """Select leagues as `League` with the number of their `entries`."""
    entries = select(func.count()).where(Entry.league_id == League.id).scalar_subquery()
    return select(League, entries.label("entries"))


def league_summary(row: Row[League, int]) -> LeagueSummary:
    """Read a row of `select_leagues`."""
    league, entries = row
    return LeagueSummary(
        id=league.public_id,
        name=league.name,
        state=league.state,
        preset=league.preset,
        entries=entries,
        matches_total=league.matches_total,
        matches_ended=league.matches_ended,
        games_done=league.games_done,
        rounds_done=league.rounds_done,
        created_us=league.created_us,
        started_us=league.started_us,
        finished_us=league.finished_us,
    )


def count_undecided(session: Session, league_key: int) -> int:
    """Return how many matches of a league are quarantined: an organiser decides (R10.3)."""
    count = session.scalar(
        select(func.count()).where(
            Match.league_id == league_key, Match.state == MatchState.QUARANTINED
        )
    )
    return count or 0


def select_entries() -> Select[Entry, BotVersion, Bot]:
    """Select entries with their version and bot."""
    return (
        select(Entry, BotVersion, Bot)
        .join(BotVersion, BotVersion.id == Entry.bot_version_id)
        .join(Bot, Bot.id == BotVersion.bot_id)
    )


def bot_name(entry: Entry, version: BotVersion, bot: Bot) -> BotName:
    """Name an entry as it is shown."""
    return BotName(bot.public_id, entry.public_id, bot.name, version.version)


def match_rows(session: Session, keys: Sequence[int]) -> tuple[MatchRow, ...]:
    """Read the matches of some keys, in the keys' order."""
    found = session.execute(
        select(Match, League).join(League, League.id == Match.league_id).where(Match.id.in_(keys))
    )
    by_key = {match.id: (match, league) for match, league in found}
    players = _players(session, keys)
    return tuple(_match_row(*by_key[key], players[key]) for key in keys)


def _players(session: Session, keys: Sequence[int]) -> dict[int, list[tuple[MatchPlayer, BotName]]]:
    query = (
        select(MatchPlayer, Entry, BotVersion, Bot)
        .join(Entry, Entry.id == MatchPlayer.entry_id)
        .join(BotVersion, BotVersion.id == Entry.bot_version_id)
        .join(Bot, Bot.id == BotVersion.bot_id)
        .where(MatchPlayer.match_id.in_(keys))
        .order_by(MatchPlayer.match_id, MatchPlayer.player)
    )
    found = session.execute(query)
    named = [(row, bot_name(entry, version, bot)) for row, entry, version, bot in found]
    return {key: list(group) for key, group in groupby(named, key=lambda pair: pair[0].match_id)}


def _match_row(
    match: Match, league: League, players: Iterable[tuple[MatchPlayer, BotName]]
) -> MatchRow:
    rows, names = zip(*players, strict=True)
    wins = tuple(row.wins for row in rows)
    faults = [
        f"{name.name}: {row.faults}" for row, name in zip(rows, names, strict=True) if row.faults
    ]
    return MatchRow(
        id=match.public_id,
        league_id=league.public_id,
        league_name=league.name,
        number=match.number,
        cycle=match.cycle,
        state=match.state,
        cause="; ".join([match.cause] * bool(match.cause) + faults),
        players=names,
        wins=wins,
        draws=match.games_done - sum(wins),
        points=tuple(row.points for row in rows),
        games_done=match.games_done,
        games_total=league.games,
        rounds=match.rounds,
        started_us=match.started_us,
        finished_us=match.finished_us,
    )


def game_row(game: Game, voids: Iterable[Void], *, shown: bool) -> GameRow:
    """Read a finished game; its evidence only where R9.5 lets it be `shown`."""
    return GameRow(
        index=game.number,
        board=game.board,
        seating=tuple(game.seating),
        winner=game.winner,
        places=tuple(game.places),
        points=tuple(game.points),
        totals=tuple(game.totals),
        rounds=game.rounds,
        forfeiter=game.forfeiter,
        cause=game.cause,
        evidence=evidence_of(game.faults) if shown else None,
        voids=tuple((void.board, void.cause) for void in voids if void.number == game.number),
    )


def evidence_of(faults: Sequence[Mapping[str, Any]]) -> EvidenceView | None:
    """Read the evidence of the first of some stored faults, None without one."""
    return EvidenceView(**faults[0]["evidence"]) if faults else None
