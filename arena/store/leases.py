"""Who may play a match: queued by the scheduler, taken by one worker, given back or reaped.

A worker takes a match by one compare-and-set and gets a token; a write with an older token changes
nothing. Every function takes a writing session first and is one step of its transaction.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heapreplace
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, case, delete, func, or_, select, update
from sqlalchemy.orm import Session

from arena.store.database import StoreError
from arena.store.models import (
    BotVersion,
    Entry,
    League,
    LeagueState,
    Match,
    MatchPlayer,
    MatchState,
    Worker,
)
from arena.store.repository import CHUNK, write_matches

WORKER_LOST: Final = "WORKER_LOST"
"""Cause of the void where a worker vanished in the middle of a match (R10.3)."""


class LeaseLostError(StoreError):
    """Another worker may hold the match by now; whoever gets this stops at once."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write the results of a match."""

    match_key: int
    token: int
    attempt: int
    """From 1."""


def claim(
    session: Session, match_key: int, *, owner: str, at_us: int, until_us: int, attempts: int
) -> Lease | None:
    """Take a queued match, or one whose lease has run out; None: it is not to be taken.

    Args:
        session: a writing session.
        match_key: the match.
        owner: the process that takes it.
        at_us: the time now.
        until_us: when the lease runs out unless it is renewed.
        attempts: most attempts at a match.
    """
    expired = and_(
        Match.state == MatchState.RUNNING,
        Match.lease_until_us < at_us,
        Match.attempt < attempts,
    )
    taken = session.execute(
        update(Match)
        .where(Match.id == match_key, or_(Match.state == MatchState.QUEUED, expired))
        .values(
            state=MatchState.RUNNING.value,
            attempt=Match.attempt + 1,
            lease_token=Match.lease_token + 1,
            lease_owner=owner,
            lease_until_us=until_us,
            cause="",
            started_us=func.coalesce(Match.started_us, at_us),
        )
        .returning(Match.lease_token, Match.attempt)
    ).one_or_none()
    return None if taken is None else Lease(match_key, taken.lease_token, taken.attempt)


def renew(session: Session, lease: Lease, *, until_us: int) -> None:
    """Hold a match for longer, because it makes progress.

    Raises:
        LeaseLostError: the lease is no longer the newest.
    """
    write_match(session, lease, lease_until_us=until_us)


def write_match(session: Session, lease: Lease, **values: Any) -> None:
    """Change columns of a match under its lease: the fence of every write of a worker.

    Raises:
        LeaseLostError: the lease is no longer the newest.
    """
    written = session.execute(
        update(Match).where(*_held(lease)).values(values).returning(Match.id)
    ).first()
    if written is None:
        raise LeaseLostError(f"the lease of match {lease.match_key} is lost")


def _held(lease: Lease) -> tuple[ColumnElement[bool], ...]:
    return (
        Match.id == lease.match_key,
        Match.lease_token == lease.token,
        Match.state == MatchState.RUNNING,
    )


def postpone(
    session: Session, lease: Lease, *, cause: str, until_us: int, early_end: int = 0
) -> None:
    """Give a match back to be played later; no fault of the arena, so the attempt is not counted.

    Args:
        session: a writing session.
        lease: the lease, which ends.
        cause: why it waits, for its page.
        until_us: not to be queued before.
        early_end: 1 where incidents ended it early (R10.2).

    Raises:
        LeaseLostError: the lease is no longer the newest.
    """
    write_match(
        session,
        lease,
        state=MatchState.WAITING.value,
        attempt=Match.attempt - 1,
        early_ends=Match.early_ends + early_end,
        not_before_us=until_us,
        cause=cause,
    )


def mark_absent(session: Session, match_key: int, player: int, *, until_us: int) -> None:
    """Note that a player's bot could not be reached: none of its matches is queued before."""
    version = (
        select(Entry.bot_version_id)
        .join(MatchPlayer, MatchPlayer.entry_id == Entry.id)
        .where(MatchPlayer.match_id == match_key, MatchPlayer.player == player)
    )
    session.execute(
        update(BotVersion)
        .where(BotVersion.id == version.scalar_subquery())
        .values(absent_until_us=until_us)
    )


def fail(
    session: Session,
    lease: Lease,
    *,
    cause: str,
    trace: str,
    at_us: int,
    again_us: int,
    attempts: int,
) -> None:
    """Give a match back after an error of the arena's own; the last attempt quarantines it.

    Args:
        session: a writing session.
        lease: the lease, which ends.
        cause: what went wrong, in a line.
        trace: the same for the organiser, in full.
        at_us: the time now.
        again_us: not to be queued before, so that a passing error does not use up all attempts.
        attempts: most attempts at a match.

    Raises:
        LeaseLostError: the lease is no longer the newest.
    """
    if lease.attempt < attempts:
        write_match(
            session,
            lease,
            state=MatchState.WAITING.value,
            cause=cause,
            trace=trace,
            not_before_us=again_us,
        )
    else:
        end_match(session, lease, MatchState.QUARANTINED, cause=cause, trace=trace, at_us=at_us)


def end_match(
    session: Session,
    lease: Lease,
    state: MatchState,
    *,
    at_us: int,
    cause: str = "",
    trace: str = "",
) -> None:
    """End a match for good and count it in its league; the last one ends the league.

    Raises:
        LeaseLostError: the lease is no longer the newest.
    """
    write_match(
        session, lease, state=state.value, cause=cause[:200], trace=trace, finished_us=at_us
    )
    league_key = session.scalar(select(Match.league_id).where(Match.id == lease.match_key))
    count_ended(session, {league_key or 0: 1}, at_us=at_us)


def count_ended(session: Session, ended: dict[int, int], *, at_us: int) -> None:
    """Count ended matches of leagues; a league whose matches have all ended is finished."""
    for league_key, number in sorted(ended.items()):
        session.execute(
            update(League)
            .where(League.id == league_key)
            .values(matches_ended=League.matches_ended + number)
        )
        session.execute(
            update(League)
            .where(
                League.id == league_key,
                League.matches_ended == League.matches_total,
                League.state == LeagueState.RUNNING,
            )
            .values(state=LeagueState.FINISHED.value, finished_us=at_us)
        )


def holder(session: Session, match_key: int) -> str | None:
    """Return the process that holds a running match, None where nobody does."""
    return session.scalar(
        select(Match.lease_owner).where(Match.id == match_key, Match.state == MatchState.RUNNING)
    )


def reap(session: Session, *, at_us: int, attempts: int, owner: str | None = None) -> int:
    """Take back matches whose lease has run out, or all of a dead owner; return how many.

    The token moves on at once, so that a worker that is only slow can write no more. After the last
    attempt the match is quarantined.
    """
    last = Match.attempt >= attempts
    lost = Match.lease_until_us < at_us if owner is None else Match.lease_owner == owner
    taken = session.execute(
        update(Match)
        .where(Match.state == MatchState.RUNNING, lost)
        .values(
            state=case((last, MatchState.QUARANTINED.value), else_=MatchState.WAITING.value),
            lease_token=Match.lease_token + 1,
            cause=WORKER_LOST,
            finished_us=case((last, at_us), else_=None),
        )
        .returning(Match.league_id, Match.state)
    ).all()
    ended: dict[int, int] = {}
    for league_key, state in taken:
        if state == MatchState.QUARANTINED:
            ended[league_key] = ended.get(league_key, 0) + 1
    count_ended(session, ended, at_us=at_us)
    return len(taken)


def owners(session: Session, worker: str) -> tuple[str, ...]:
    """Return the processes of a worker that hold matches."""
    held = session.scalars(
        select(Match.lease_owner)
        .where(
            Match.state == MatchState.RUNNING,
            Match.lease_owner.startswith(f"{worker}:", autoescape=True),
        )
        .distinct()
    )
    return tuple(held)


def reap_lost(session: Session, *, before_us: int, at_us: int, attempts: int) -> int:
    """Take back the matches of workers that showed themselves last before a time; return how many.

    Such a worker is forgotten; one that was only away shows itself again.
    """
    lost = session.scalars(select(Worker.name).where(Worker.seen_us < before_us)).all()
    held = [owner for worker in lost for owner in owners(session, worker)]
    session.execute(delete(Worker).where(Worker.name.in_(lost)))
    return sum(reap(session, at_us=at_us, attempts=attempts, owner=owner) for owner in held)


def release_leases(session: Session) -> int:
    """Take back every running match, no attempt counted, and return how many.

    Only for an arena that has just started and knows that no worker of its own can be alive.
    """
    taken = session.execute(
        update(Match)
        .where(Match.state == MatchState.RUNNING)
        .values(
            state=MatchState.WAITING.value,
            attempt=Match.attempt - 1,
            lease_token=Match.lease_token + 1,
        )
        .returning(Match.id)
    )
    return len(taken.all())


def write_ahead(session: Session) -> int:
    """Write the next rows of running leagues that have few matches waiting; return how many."""
    unwritten = session.scalars(
        select(League).where(
            League.state == LeagueState.RUNNING, League.matches_written < League.matches_total
        )
    )
    return sum(
        write_matches(session, league) for league in unwritten if _waiting(session, league) < CHUNK
    )


def _waiting(session: Session, league: League) -> int:
    count = session.scalar(
        select(func.count()).where(Match.league_id == league.id, Match.state == MatchState.WAITING)
    )
    return count or 0


def queued(session: Session) -> int:
    """Return how many matches are queued."""
    count = session.scalar(select(func.count()).where(Match.state == MatchState.QUEUED))
    return count or 0


def queue_matches(session: Session, *, limit: int, at_us: int) -> tuple[int, ...]:
    """Mark the next waiting matches as queued and return their keys, fair by league.

    Leagues take turns: the one with the fewest matches queued or running is next. A match of a bot
    that could not be reached waits (R10.7).
    """
    busy = _busy(session)
    lines = {
        key: list(reversed(_waiting_keys(session, key, limit=limit, at_us=at_us)))
        for key in session.scalars(select(League.id).where(League.state == LeagueState.RUNNING))
    }
    turns = [(busy.get(key, 0), key) for key in lines]
    heapify(turns)
    chosen: list[int] = []
    while turns and len(chosen) < limit:
        load, key = turns[0]
        if lines[key]:
            chosen.append(lines[key].pop())
            heapreplace(turns, (load + 1, key))
        else:
            turns = [turn for turn in turns if turn[1] != key]
            heapify(turns)
    _mark_queued(session, chosen, at_us=at_us)
    return tuple(chosen)


def _busy(session: Session) -> dict[int, int]:
    return dict(
        session.execute(
            select(Match.league_id, func.count())
            .where(Match.state.in_((MatchState.QUEUED, MatchState.RUNNING)))
            .group_by(Match.league_id)
        ).all()
    )


def _waiting_keys(session: Session, league_key: int, *, limit: int, at_us: int) -> Sequence[int]:
    absent = (
        select(MatchPlayer.match_id)
        .join(Entry, Entry.id == MatchPlayer.entry_id)
        .join(BotVersion, BotVersion.id == Entry.bot_version_id)
        .where(MatchPlayer.match_id == Match.id, BotVersion.absent_until_us > at_us)
    )
    return session.scalars(
        select(Match.id)
        .where(
            Match.league_id == league_key,
            Match.state == MatchState.WAITING,
            Match.not_before_us <= at_us,
            ~absent.exists(),
        )
        .order_by(Match.number)
        .limit(limit)
    ).all()


def _mark_queued(session: Session, keys: Sequence[int], *, at_us: int) -> None:
    session.execute(
        update(Match)
        .where(Match.id.in_(keys), Match.state.in_((MatchState.WAITING, MatchState.QUEUED)))
        .values(state=MatchState.QUEUED.value, queued_us=at_us)
    )


def queue_again(session: Session, *, before_us: int, at_us: int) -> tuple[int, ...]:
    """Return the matches queued until a time and still not taken, marked as queued now."""
    keys = session.scalars(
        select(Match.id)
        .where(Match.state == MatchState.QUEUED, Match.queued_us <= before_us)
        .order_by(Match.queued_us, Match.id)
    ).all()
    _mark_queued(session, keys, at_us=at_us)
    return tuple(keys)


def show_worker(session: Session, name: str, *, processes: int, at_us: int) -> None:
    """Note that a worker is alive, and how many processes it has."""
    session.merge(Worker(name=name, processes=processes, seen_us=at_us))


def worker_processes(session: Session, *, since_us: int) -> int:
    """Return the processes of all workers that were alive since a time."""
    count = session.scalar(
        select(func.coalesce(func.sum(Worker.processes), 0)).where(Worker.seen_us >= since_us)
    )
    return int(count or 0)
