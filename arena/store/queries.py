"""Reads for pages, the API and the command line; every function takes a reading session first.

Lists are keyset pages: `after` is the id of the last line seen. Lines of matches come from
counters kept with the rows, so that a page costs the same at any depth.
"""

from collections.abc import Mapping
from typing import Final

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from arena.notation.pack import unpack
from arena.schedule.league import Schedule
from arena.schedule.plan import TimeControl
from arena.store import plans
from arena.store.database import StoreError, now_us
from arena.store.models import (
    OPEN_STATES,
    Bot,
    BotVersion,
    Entry,
    Game,
    League,
    LeagueState,
    Match,
    MatchLog,
    MatchPlayer,
    MatchState,
    Pairing,
    Void,
)
from arena.store.rows import (
    bot_name,
    count_undecided,
    game_row,
    key_of,
    league_summary,
    match_rows,
    select_entries,
    select_leagues,
)
from arena.store.standings import standings
from arena.store.views import (
    BotDetail,
    BotSummary,
    CrossCell,
    EntryView,
    LeagueDetail,
    LeagueSummary,
    MatchDetail,
    MatchPage,
    Progress,
    VersionView,
)

__all__ = [
    "HiddenError",
    "bot",
    "bots",
    "cross_table",
    "find_version",
    "league",
    "leagues",
    "match",
    "match_record",
    "match_times",
    "matches",
    "progress",
    "standings",
]

_RATE_WINDOW_US: Final = 60_000_000
"""The rate of a league is taken over its last minute."""


class HiddenError(StoreError):
    """What was asked for stays hidden until the last game of its boards has ended (R9.5)."""


def leagues(
    session: Session, *, after: str | None = None, limit: int = 50
) -> tuple[LeagueSummary, ...]:
    """Return leagues, newest first."""
    query = select_leagues().order_by(League.id.desc()).limit(limit)
    if after is not None:
        query = query.where(League.id < key_of(session, League, after))
    return tuple(league_summary(row) for row in session.execute(query))


def league(session: Session, league_id: str) -> LeagueDetail | None:
    """Return one league with its entries, None where there is none of that id."""
    row = session.execute(select_leagues().where(League.public_id == league_id)).first()
    if row is None:
        return None
    found: League = row.League
    begun = found.started_us is not None
    undecided = count_undecided(session, found.id)
    over = found.state == LeagueState.FINISHED and not undecided
    return LeagueDetail(
        summary=league_summary(row),
        rules=plans.read_rules(found.rules),
        format=found.format,
        legs=found.legs,
        balance=_balance(found, row.entries),
        undecided=undecided,
        boards=found.boards,
        games=found.games,
        time_control=TimeControl(**found.time_control),
        commitment=found.commitment,
        organiser_seed=found.organiser_seed.hex() if over else None,
        entries=tuple(
            EntryView(
                bot_name(entry, version, bot), entry.number, entry.nonce.hex() if begun else None
            )
            for entry, version, bot in session.execute(
                select_entries().where(Entry.league_id == found.id).order_by(Entry.number)
            )
        ),
    )


def _balance(found: League, entries: int) -> str:
    players = plans.read_rules(found.rules).players
    return Schedule(players, entries, found.legs).balance if entries >= players else ""


def progress(session: Session, league_id: str, *, at_us: int | None = None) -> Progress | None:
    """Return how far a league is at a time (now where None); None for an unknown league."""
    found = session.scalar(select(League).where(League.public_id == league_id))
    if found is None:
        return None
    at = now_us() if at_us is None else at_us
    rate = _rate(session, found, at)
    left = found.matches_total - found.matches_ended
    games, rounds = _being_played(session, found)
    return Progress(
        state=found.state,
        total=found.matches_total,
        by_state=_by_state(session, found),
        ended=found.matches_ended,
        games_done=found.games_done + games,
        rounds_done=found.rounds_done + rounds,
        started_us=found.started_us,
        finished_us=found.finished_us,
        matches_per_second=rate,
        seconds_left=left / rate if rate else (0.0 if found.finished_us else None),
    )


def _being_played(session: Session, found: League) -> tuple[int, int]:
    """Return the finished games of running matches, and the rounds in them."""
    games, rounds = session.execute(
        select(func.sum(Match.games_done), func.sum(Match.rounds)).where(
            Match.league_id == found.id, Match.state == MatchState.RUNNING
        )
    ).one()
    return games or 0, rounds or 0


def _by_state(session: Session, found: League) -> Mapping[str, int]:
    counted = session.execute(
        select(Match.state, func.count()).where(Match.league_id == found.id).group_by(Match.state)
    )
    counts = dict.fromkeys((state.value for state in MatchState), 0)
    counts.update(dict(counted.all()))
    counts[MatchState.WAITING] += found.matches_total - found.matches_written
    return counts


def _rate(session: Session, found: League, at: int) -> float:
    if found.started_us is None or at <= found.started_us:
        return 0.0
    end = min(at, found.finished_us or at)
    since = max(found.started_us, end - _RATE_WINDOW_US)
    ended = session.scalar(
        select(func.count()).where(Match.league_id == found.id, Match.finished_us > since)
    )
    return (ended or 0) * 1_000_000 / max(end - since, 1)


def cross_table(session: Session, league_id: str) -> tuple[CrossCell, ...]:
    """Return every entry against every other that it has finished a match with."""
    names = dict(
        session.execute(
            select(Entry.id, Entry.public_id)
            .join(League, League.id == Entry.league_id)
            .where(League.public_id == league_id)
        ).all()
    )
    rows = session.scalars(
        select(Pairing)
        .join(League, League.id == Pairing.league_id)
        .where(League.public_id == league_id)
        .order_by(Pairing.entry_id, Pairing.opponent_id)
    )
    return tuple(_cross_cell(row, names) for row in rows)


def _cross_cell(row: Pairing, names: Mapping[int, str]) -> CrossCell:
    return CrossCell(
        entry_id=names[row.entry_id],
        opponent_id=names[row.opponent_id],
        games=row.games,
        wins=row.wins,
        losses=row.losses,
        draws=row.games - row.wins - row.losses,
        rounds=row.rounds,
        points_per_round=row.margin / row.rounds if row.rounds else 0.0,
    )


def matches(
    session: Session,
    *,
    league_id: str | None = None,
    bot_id: str | None = None,
    state: str | None = None,
    after: str | None = None,
    limit: int = 50,
) -> MatchPage:
    """Return matches, newest row first, of a league, of a bot, of both, or of all.

    Args:
        session: a reading session.
        league_id: only those of this league.
        bot_id: only those in which this bot plays, in any version.
        state: only those in this state.
        after: the id of the last match of the page before.
        limit: most lines of the page.
    """
    query = select(Match.id)
    if bot_id is not None:
        query = _of_bot(session, bot_id, league_id)
    elif league_id is not None:
        query = query.where(Match.league_id == key_of(session, League, league_id))
    if state is not None:
        query = query.where(Match.state == state)
    if after is not None:
        query = query.where(Match.id < key_of(session, Match, after))
    keys = session.scalars(query.order_by(Match.id.desc()).limit(limit + 1)).all()
    rows = match_rows(session, keys[:limit])
    return MatchPage(rows, rows[-1].id if len(keys) > limit else None)


def _of_bot(session: Session, bot_id: str, league_id: str | None) -> Select[int]:
    query = select(Match.id).join(MatchPlayer, MatchPlayer.match_id == Match.id).distinct()
    if league_id is None:
        return query.where(MatchPlayer.bot_id == key_of(session, Bot, bot_id))
    entries = session.scalars(
        select(Entry.id)
        .join(BotVersion, BotVersion.id == Entry.bot_version_id)
        .where(
            Entry.league_id == key_of(session, League, league_id),
            BotVersion.bot_id == key_of(session, Bot, bot_id),
        )
    ).all()
    return query.where(MatchPlayer.entry_id.in_(entries))


def match(session: Session, match_id: str) -> MatchDetail | None:
    """Return a match with its finished games, None where there is none of that id."""
    key = session.scalar(select(Match.id).where(Match.public_id == match_id))
    if key is None:
        return None
    found, of = session.get_one(Match, key), plans.league_of(session, key)
    shown = found.state not in (*OPEN_STATES, MatchState.QUARANTINED)
    games = session.scalars(select(Game).where(Game.match_id == key).order_by(Game.number))
    voids = session.scalars(select(Void).where(Void.match_id == key).order_by(Void.id)).all()
    return MatchDetail(
        row=match_rows(session, [key])[0],
        rules=plans.read_rules(of.rules),
        boards=of.boards,
        time_control=TimeControl(**of.time_control),
        attempt=found.attempt,
        games=tuple(game_row(game, voids, shown=shown) for game in games),
        open=shown,
    )


def match_record(session: Session, match_id: str) -> str | None:
    """Return the record of an ended match as text (`ginarena-record/1`), None without one.

    Raises:
        HiddenError: the match still plays (R9.5).
    """
    log = _log_of(session, match_id)
    return None if log is None else unpack(log.record)


def match_times(session: Session, match_id: str) -> str | None:
    """Return the times that go with the record of an ended match, None without one.

    Raises:
        HiddenError: the match still plays (R9.5).
    """
    log = _log_of(session, match_id)
    return None if log is None else unpack(log.times)


def _log_of(session: Session, match_id: str) -> MatchLog | None:
    found = session.execute(
        select(Match.id, Match.state).where(Match.public_id == match_id)
    ).one_or_none()
    if found is None:
        return None
    if found.state in OPEN_STATES:
        raise HiddenError("the match still plays; its record is shown when its last game has ended")
    return session.get(MatchLog, found.id)


def bots(session: Session, *, after: str | None = None, limit: int = 50) -> tuple[BotSummary, ...]:
    """Return bots, newest first."""
    query = select(Bot).order_by(Bot.id.desc()).limit(limit)
    if after is not None:
        query = query.where(Bot.id < key_of(session, Bot, after))
    return tuple(
        _bot_summary(found, _versions(session, found.id)) for found in session.scalars(query)
    )


def bot(session: Session, bot_id: str) -> BotDetail | None:
    """Return one bot with its versions, None where there is none of that id."""
    found = session.scalar(select(Bot).where(Bot.public_id == bot_id))
    if found is None:
        return None
    versions = _versions(session, found.id)
    return BotDetail(_bot_summary(found, versions), found.created_us, versions)


def find_version(session: Session, name: str, version: str | None = None) -> str | None:
    """Return the id of a bot's version, the newest where none is named; None without one."""
    query = (
        select(BotVersion.public_id)
        .join(Bot, Bot.id == BotVersion.bot_id)
        .where(Bot.name == name)
        .order_by(BotVersion.id.desc())
    )
    if version is not None:
        query = query.where(BotVersion.version == version)
    return session.scalars(query.limit(1)).first()


def _bot_summary(found: Bot, versions: tuple[VersionView, ...]) -> BotSummary:
    return BotSummary(
        id=found.public_id,
        name=found.name,
        versions=len(versions),
        games=sum(version.games for version in versions),
        wins=sum(version.wins for version in versions),
        losses=sum(version.losses for version in versions),
        forfeits=sum(version.forfeits for version in versions),
    )


def _versions(session: Session, bot_key: int) -> tuple[VersionView, ...]:
    found = session.scalars(
        select(BotVersion).where(BotVersion.bot_id == bot_key).order_by(BotVersion.id.desc())
    )
    return tuple(_version(session, version) for version in found)


def _version(session: Session, version: BotVersion) -> VersionView:
    sums = session.execute(
        select(
            *(
                func.coalesce(func.sum(column), 0)
                for column in (Entry.games, Entry.wins, Entry.losses, Entry.forfeits)
            )
        ).where(Entry.bot_version_id == version.id)
    ).one()
    in_leagues = session.execute(
        select(League.public_id, League.name)
        .join(Entry, Entry.league_id == League.id)
        .where(Entry.bot_version_id == version.id)
        .order_by(League.id.desc())
    )
    games, wins, losses, forfeits = (int(value) for value in sums)
    return VersionView(
        version=version.version,
        kind=version.kind,
        created_us=version.created_us,
        leagues=tuple((row.public_id, row.name) for row in in_leagues),
        games=games,
        wins=wins,
        losses=losses,
        forfeits=forfeits,
    )
