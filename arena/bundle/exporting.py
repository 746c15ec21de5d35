"""A finished league of a store as the parts of a bundle."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import IO, Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.bundle.archive import (
    CITATION,
    LEAGUE,
    LICENCE,
    MATCH,
    RATINGS,
    RECORD,
    TIMES,
    Part,
    match_part,
    write_archive,
)
from arena.bundle.league import (
    BundleEntry,
    BundleLeague,
    BundleMatch,
    BundleRatings,
    citation,
    json_figures,
    licence_text,
    write_league,
    write_match,
    write_ratings,
)
from arena.notation.pack import unpack
from arena.ratings.elo import ANCHOR_BOT
from arena.ratings.standings import Figures
from arena.store import queries
from arena.store.database import StoreError
from arena.store.models import (
    Bot,
    BotKind,
    BotVersion,
    Entry,
    Game,
    League,
    LeagueState,
    Match,
    MatchLog,
    MatchPlayer,
    MatchState,
    Void,
)
from arena.store.rows import count_undecided, select_entries

PUBLISHED: Final = "published"
"""Where the info of an imported bot version keeps its entry's values as its own arena gave them."""


def export_league(session: Session, league_id: str, stream: IO[bytes]) -> BundleLeague:
    """Write the bundle of a finished league; the same facts give the same bytes.

    Args:
        session: a reading session.
        league_id: public id of the league.
        stream: where to write; it need not be seekable.

    Raises:
        StoreError: no such league, or one that has not finished: its seed and its boards are
            secret until then (R9.3, R9.5).
    """
    league = find_finished(session, league_id)
    values = bundle_league(session, league)
    write_archive(stream, league_parts(session, league))
    return values


def find_finished(session: Session, league_id: str) -> League:
    """Return a finished league.

    Raises:
        StoreError: no such league, one that has not finished, or one with quarantined matches.
    """
    league = session.scalar(select(League).where(League.public_id == league_id))
    if league is None:
        raise StoreError(f"no league {league_id}; `gin-arena league list` shows them")
    if league.state != LeagueState.FINISHED:
        raise StoreError(
            f"league {league.name} is {league.state}; its bundle can be written when it has "
            "finished: until then its seed and boards are secret"
        )
    if undecided := count_undecided(session, league.id):
        raise StoreError(
            f"league {league.name} has {undecided} quarantined matches; decide on them first with "
            "`gin-arena match`: until then its seed and boards are secret"
        )
    return league


def league_parts(session: Session, league: League) -> Iterator[Part]:
    """Yield the parts of a finished league, all but the manifest, in their order."""
    values = bundle_league(session, league)
    yield LEAGUE, write_league(values)
    yield LICENCE, licence_text(values)
    yield CITATION, citation(values)
    yield RATINGS, write_ratings(_ratings(session, values))
    numbers = {entry.id: entry.number for entry in values.entries}
    keys = session.scalars(
        select(Match.id).where(Match.league_id == league.id).order_by(Match.number)
    ).all()
    for key in keys:
        yield from _match_parts(session, session.get_one(Match, key), numbers)
        session.expunge_all()


def bundle_league(session: Session, league: League) -> BundleLeague:
    """Return the league's own values."""
    entries = session.execute(
        select_entries().where(Entry.league_id == league.id).order_by(Entry.number)
    )
    return BundleLeague(
        id=league.public_id,
        name=league.name,
        preset=league.preset,
        rules=league.rules,
        schedule=league.format,
        legs=league.legs,
        boards=league.boards,
        games=league.games,
        time_control=league.time_control,
        deadline_us=league.deadline_us,
        licence=league.licence,
        commitment=league.commitment,
        organiser_seed=league.organiser_seed.hex(),
        master_seed=(league.master_seed or b"").hex(),
        matches=league.matches_total,
        created_us=league.created_us,
        started_us=league.started_us,
        finished_us=league.finished_us,
        entries=tuple(_entry(*row) for row in entries),
    )


def _entry(entry: Entry, version: BotVersion, bot: Bot) -> BundleEntry:
    return BundleEntry(
        number=entry.number,
        id=entry.public_id,
        version=version.version,
        nonce=entry.nonce.hex(),
        refusals=entry.refusals,
        withdrawn_us=entry.withdrawn_us,
        created_us=entry.created_us,
        **_published(version, bot),
    )


def _published(version: BotVersion, bot: Bot) -> dict[str, Any]:
    """Return a bot as its own arena names it."""
    if (bot.name, version.version) == ANCHOR_BOT:
        return {"bot": "", "name": bot.name, "kind": BotKind.HOSTED.value, "hash": None}
    if PUBLISHED in version.info:
        return dict(version.info[PUBLISHED])
    digest = version.info.get("sha256")
    return {"bot": bot.public_id, "name": bot.name, "kind": version.kind, "hash": digest}


def _ratings(session: Session, league: BundleLeague) -> BundleRatings:
    found = queries.standings(session, league.id)
    if found is None:
        raise StoreError(f"no league {league.id}")
    numbers = {entry.id: entry.number for entry in league.entries}
    names = [field.name for field in fields(Figures)]
    rows = [
        {
            name: numbers[row.bot.entry_id] if name == "entry" else getattr(row, name)
            for name in names
        }
        for row in found.rows
    ]
    return BundleRatings(found.games, tuple(found.flags), tuple(map(json_figures, rows)))


def _match_parts(session: Session, match: Match, numbers: dict[str, int]) -> Iterator[Part]:
    entries = session.scalars(
        select(Entry.public_id)
        .join(MatchPlayer, MatchPlayer.entry_id == Entry.id)
        .where(MatchPlayer.match_id == match.id)
        .order_by(MatchPlayer.player)
    )
    facts = BundleMatch(
        number=match.number,
        id=match.public_id,
        cycle=match.cycle,
        state=match.state,
        cause=match.cause,
        entries=tuple(numbers[entry] for entry in entries),
        attempt=match.attempt,
        early_ends=match.early_ends,
        started_us=match.started_us,
        finished_us=match.finished_us,
        voids=tuple(_voids(session, match.id)),
        faults=tuple(_faults(session, match)),
    )
    yield match_part(match.number, MATCH), write_match(facts)
    if match.state == MatchState.DONE:
        log = session.get_one(MatchLog, match.id)
        yield match_part(match.number, RECORD), unpack(log.record).encode()
        yield match_part(match.number, TIMES), unpack(log.times).encode()


def _voids(session: Session, match_key: int) -> Iterator[dict[str, Any]]:
    rows = session.scalars(select(Void).where(Void.match_id == match_key).order_by(Void.id))
    for row in rows:
        yield {
            "game": row.number,
            "board": row.board,
            "cause": row.cause,
            "event": row.event,
            "faults": row.faults,
        }


def _faults(session: Session, match: Match) -> Sequence[dict[str, Any]]:
    if match.state != MatchState.DONE:
        return []
    rows = session.scalars(select(Game).where(Game.match_id == match.id).order_by(Game.number))
    return [fault for row in rows for fault in row.faults]
