"""What an organiser decides: entries withdrawn, leagues closed, matches voided or played again.

Every function takes a writing session first and is one step of its transaction.
"""

from collections.abc import Sequence

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from arena.store.database import StoreError
from arena.store.leases import count_ended
from arena.store.models import (
    Bot,
    BotVersion,
    Entry,
    League,
    LeagueState,
    Match,
    MatchState,
    Void,
)
from arena.store.repository import find_league
from arena.store.results import count_result


def withdraw_entry(
    session: Session, league_id: str, bot: str, *, version: str | None = None, at_us: int
) -> None:
    """Take an entry out of a league: its results stay, its other matches lapse when they come up.

    Args:
        session: a writing session.
        league_id: the league.
        bot: the bot's name.
        version: its version; None where only one version of it is entered.
        at_us: the time now.

    Raises:
        StoreError: no such league or entry, more than one of that name, or withdrawn before.
    """
    league = find_league(session, league_id)
    query = (
        select(Entry)
        .join(BotVersion, BotVersion.id == Entry.bot_version_id)
        .join(Bot, Bot.id == BotVersion.bot_id)
        .where(Entry.league_id == league.id, Bot.name == bot)
        .with_for_update(of=Entry)
    )
    if version is not None:
        query = query.where(BotVersion.version == version)
    entry = _only(session.scalars(query).all(), bot, league)
    if entry.withdrawn_us is not None:
        raise StoreError(f"{bot} is withdrawn from {league.name} already")
    entry.withdrawn_us = at_us


def close_league(session: Session, league_id: str, *, at_us: int) -> int:
    """End a league before its schedule does, and return how many matches lapse unplayed.

    Matches that are being played end as they would; the last of them finishes the league.

    Raises:
        StoreError: no such league, or one that is not running.
    """
    league = find_league(session, league_id)
    if league.state != LeagueState.RUNNING:
        raise StoreError(f"league {league.name} is {league.state}; only a running one is closed")
    lapsed = session.scalars(
        update(Match)
        .where(
            Match.league_id == league.id,
            Match.state.in_((MatchState.WAITING, MatchState.QUEUED)),
        )
        .values(state=MatchState.LAPSED.value, cause="the league was closed", finished_us=at_us)
        .returning(Match.id)
    ).all()
    unwritten = league.matches_total - league.matches_written
    league.matches_total = league.matches_written
    session.flush()
    count_ended(session, {league.id: len(lapsed)}, at_us=at_us)
    return len(lapsed) + unwritten


def void_match(session: Session, match_id: str, *, why: str) -> None:
    """Take a match that was played, or is quarantined, out of the ratings for good.

    Its games and its record stay to be read.

    Raises:
        StoreError: no such match, or one that is in neither state.
    """
    match = _match(session, match_id)
    if match.state not in (MatchState.DONE, MatchState.QUARANTINED):
        raise StoreError(
            f"match {match_id} is {match.state}; only one that is done or quarantined is voided"
        )
    if match.state == MatchState.DONE:
        count_result(session, match.id, sign=-1)
    match.state, match.cause = MatchState.LAPSED.value, f"voided by an organiser: {why}"[:200]


def requeue_match(session: Session, match_id: str) -> None:
    """Let a quarantined match be played on; what voided it counts no more.

    Raises:
        StoreError: no such match, or one that is not quarantined.
    """
    match = _match(session, match_id)
    if match.state != MatchState.QUARANTINED:
        raise StoreError(f"match {match_id} is {match.state}; only a quarantined one is requeued")
    league = session.scalars(
        select(League).where(League.id == match.league_id).with_for_update()
    ).one()
    session.execute(update(Void).where(Void.match_id == match.id).values(event=0))
    match.state, match.attempt, match.early_ends = MatchState.WAITING.value, 0, 0
    match.cause, match.trace, match.finished_us = "", "", None
    league.matches_ended -= 1
    league.state, league.finished_us = LeagueState.RUNNING.value, None


def _only(entries: Sequence[Entry], bot: str, league: League) -> Entry:
    if len(entries) != 1:
        found = "no version" if not entries else f"{len(entries)} versions; name one of them"
        raise StoreError(f"league {league.name} has {found} of {bot}")
    return entries[0]


def _match(session: Session, match_id: str) -> Match:
    found = session.scalar(select(Match).where(Match.public_id == match_id).with_for_update())
    if found is None:
        raise StoreError(f"no match {match_id}")
    return found
