"""A bundle into a store: the league, its entries, every match with its facts.

The bundle is proved first. The league, its entries and matches keep their public ids. A bot keeps
its id as well, and is the same bot in every bundle of its arena; its name here tells that it was
imported, so that it never takes the name of a bot of this arena. The anchor, whose code is frozen,
is the anchor of this arena. Nothing imported has an address, and nothing of it is ever played.
"""

from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.exc import DataError, IntegrityError
from sqlalchemy.orm import Session

from arena.bundle.archive import MANIFEST, RECORD, TIMES, BundleError, list_part, read_parts
from arena.bundle.exporting import PUBLISHED, find_finished, league_parts
from arena.bundle.league import BundleEntry, BundleLeague, BundleMatch
from arena.bundle.proof import verify_bundle
from arena.bundle.reading import Bundle, MatchParts
from arena.notation.files import read_record
from arena.notation.record import Record
from arena.notation.times import read_times
from arena.ratings.elo import ANCHOR_BOT
from arena.referee.outcome import FinishedGame
from arena.store import results
from arena.store.database import new_public_id, now_us
from arena.store.models import (
    Bot,
    BotKind,
    BotVersion,
    Entry,
    League,
    LeagueState,
    Match,
    MatchPlayer,
    MatchState,
    Void,
)
from arena.store.names import check_name

_LONGEST_NAME: Final = 64


def import_league(
    session: Session, path: Path, *, on_match: Callable[[int, int], None] | None = None
) -> tuple[str, bool]:
    """Import the league of a bundle and return its public id, and whether it is new here.

    A league that is here already, the same in every part, is left as it is.

    Args:
        session: a writing session.
        path: an archive or an unpacked folder.
        on_match: told the matches proved and their number, after each.

    Raises:
        BundleError: the bundle does not hold, or clashes with what is here.
        OSError: there is no such file.
    """
    proof = verify_bundle(path, on_match=on_match)
    if not proof.holds:
        raise BundleError(f"the bundle does not hold: {proof.problems[0]}")
    bundle = Bundle(path)
    league = bundle.league
    if session.scalar(select(League.id).where(League.public_id == league.id)) is not None:
        _compare(session, league.id, path)
        return league.id, False
    try:
        _add_all(session, bundle)
    except (KeyError, TypeError, DataError, IntegrityError) as error:
        raise BundleError(f"the bundle has a value that cannot be kept: {error}") from error
    return league.id, True


def _add_all(session: Session, bundle: Bundle) -> None:
    _check_ids(session, Entry, [entry.id for entry in bundle.league.entries])
    row = _add_league(session, bundle.league)
    entries = [_add_entry(session, row.id, entry) for entry in bundle.league.entries]
    for parts in bundle.matches():
        _add_match(session, row.id, entries, parts)


def _compare(session: Session, league_id: str, path: Path) -> None:
    """Check that a league that is here is that of the bundle, part by part."""
    here = (list_part(*part) for part in league_parts(session, find_finished(session, league_id)))
    there = (list_part(*part) for part in read_parts(path) if part[0] != MANIFEST)
    for mine, other in zip_longest(here, there):
        if mine != other:
            name = (other or mine or ("",))[0]
            raise BundleError(f"league {league_id} is here already, with another {name}")


def _check_ids(session: Session, table: type[Entry] | type[Match], ids: list[str]) -> None:
    found = session.scalars(select(table.public_id).where(table.public_id.in_(ids))).first()
    if found is not None:
        raise BundleError(
            f"{table.__tablename__} {found} is here already, in another league than the bundle's"
        )


def _add_league(session: Session, league: BundleLeague) -> League:
    row = League(
        public_id=league.id,
        name=league.name,
        state=LeagueState.FINISHED.value,
        preset=league.preset,
        rules=league.rules,
        format=league.schedule,
        legs=league.legs,
        boards=league.boards,
        games=league.games,
        time_control=league.time_control,
        licence=league.licence,
        organiser_seed=bytes.fromhex(league.organiser_seed),
        commitment=league.commitment,
        master_seed=bytes.fromhex(league.master_seed),
        deadline_us=league.deadline_us,
        matches_total=league.matches,
        matches_written=league.matches,
        matches_ended=league.matches,
        created_us=league.created_us,
        started_us=league.started_us,
        finished_us=league.finished_us,
    )
    session.add(row)
    session.flush()
    return row


def _add_entry(session: Session, league_key: int, entry: BundleEntry) -> Entry:
    row = Entry(
        public_id=entry.id,
        league_id=league_key,
        number=entry.number,
        bot_version_id=_find_version(session, entry).id,
        nonce=bytes.fromhex(entry.nonce),
        refusals=entry.refusals,
        withdrawn_us=entry.withdrawn_us,
        created_us=entry.created_us,
    )
    session.add(row)
    session.flush()
    return row


def _find_version(session: Session, entry: BundleEntry) -> BotVersion:
    """Return the bot version of an entry, added where it is not here."""
    bot = _find_bot(session, entry)
    found = session.scalar(
        select(BotVersion).where(BotVersion.bot_id == bot.id, BotVersion.version == entry.version)
    )
    if found is not None:
        return found
    published = {"bot": entry.bot, "name": entry.name, "kind": entry.kind, "hash": entry.hash}
    version = BotVersion(
        public_id=new_public_id(),
        bot_id=bot.id,
        version=entry.version,
        kind=BotKind.IMPORTED.value,
        host="",
        port=0,
        key=b"",
        info={PUBLISHED: published} if entry.bot else {},
        created_us=now_us(),
    )
    session.add(version)
    session.flush()
    return version


def _find_bot(session: Session, entry: BundleEntry) -> Bot:
    """Return the bot of an entry, added where it is not here; the anchor is the one of here."""
    if not entry.bot:
        where, name = Bot.name == ANCHOR_BOT[0], ANCHOR_BOT[0]
    else:
        where, name = Bot.public_id == entry.bot, _imported_name(entry)
    found = session.scalar(select(Bot).where(where))
    if found is None:
        check_name("bot", name)
        found = Bot(public_id=entry.bot or new_public_id(), name=name, created_us=now_us())
        session.add(found)
        session.flush()
    elif found.name != name:
        raise BundleError(
            f"bot {entry.name} ({entry.bot}) is registered in this arena as {found.name}; "
            "a bundle adds nothing to the results of its bots"
        )
    return found


def _imported_name(entry: BundleEntry) -> str:
    mark = f" (imported {entry.bot[:8]})"
    return f"{entry.name[: _LONGEST_NAME - len(mark)]}{mark}"


def _add_match(session: Session, league_key: int, entries: list[Entry], parts: MatchParts) -> None:
    facts = parts.facts()
    _check_ids(session, Match, [facts.id])
    row = Match(
        public_id=facts.id,
        league_id=league_key,
        number=facts.number,
        cycle=facts.cycle,
        state=MatchState(facts.state).value,
        cause=facts.cause,
        attempt=facts.attempt,
        early_ends=facts.early_ends,
        started_us=facts.started_us,
        finished_us=facts.finished_us,
    )
    session.add(row)
    session.flush()
    _add_players(session, row.id, [entries[number] for number in facts.entries])
    session.add_all(_void(row.id, void) for void in facts.voids)
    if facts.state == MatchState.DONE:
        _add_result(session, row.id, facts, parts)
    session.flush()


def _add_players(session: Session, match_key: int, entries: list[Entry]) -> None:
    bots = [session.get_one(BotVersion, entry.bot_version_id).bot_id for entry in entries]
    session.add_all(
        MatchPlayer(match_id=match_key, player=player, entry_id=entry.id, bot_id=bot)
        for player, (entry, bot) in enumerate(zip(entries, bots, strict=True))
    )
    session.flush()


def _void(match_key: int, void: dict[str, Any]) -> Void:
    return Void(
        match_id=match_key,
        number=void["game"],
        board=void["board"],
        cause=void["cause"],
        event=void["event"],
        faults=void["faults"],
    )


def _add_result(session: Session, match_key: int, facts: BundleMatch, parts: MatchParts) -> None:
    text, times = parts.text(RECORD), parts.text(TIMES)
    record = read_record(text)
    games = _finished(facts, record, times, text)
    results.store_result(session, match_key, games, record=text, times=times)


def _finished(facts: BundleMatch, record: Record, times: str, text: str) -> list[FinishedGame]:
    faults = [results.read_fault(fault) for fault in facts.faults]
    return [
        FinishedGame(game, spent, tuple(one for one in faults if one.game == game.index))
        for game, spent in zip(record.games, read_times(times, text, record), strict=True)
    ]
