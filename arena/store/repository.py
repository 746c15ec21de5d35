"""Writes of organisers and authors: bots, leagues, entries, and the rows of a league's matches.

Every function takes a writing session first and is one step of its transaction.
"""

import hashlib
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from arena.engine.deal import SEED_BYTES, master_seed
from arena.engine.rules import Rules
from arena.ratings.elo import ANCHOR_BOT
from arena.rpc.address import is_loopback
from arena.schedule.league import Schedule
from arena.schedule.plan import BoardMode, TimeControl
from arena.store.database import StoreError, new_public_id, now_us
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
)
from arena.store.names import canonical, check_name
from arena.store.plans import match_plan, read_rules, slots_of

GAMES: Final = {2: 20, 3: 24}
"""Games of a match by its players, where the organiser says nothing."""
_LICENCE: Final = re.compile(r"[A-Za-z0-9.+-]{1,64}")
CHUNK: Final = 500
"""Rows of matches written in one transaction; a league is never held in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueSpec:
    """What an organiser decides about a league."""

    name: str
    preset: str = "classic"
    options: Mapping[str, Any] = field(default_factory=dict)
    """Single options of the rules in place of the preset's."""
    boards: BoardMode = BoardMode.PRIVATE
    games: int | None = None
    """Games of a match; None: `GAMES` by the number of players."""
    legs: int = 1
    """How often the schedule is played through."""
    time_control: TimeControl = field(default_factory=TimeControl)
    deadline: timedelta = timedelta(hours=24)
    """How long matches wait for absent bots after the start (R10.7)."""
    licence: str = "CC-BY-4.0"
    """SPDX identifier of the licence of its data."""
    slug: str | None = None
    """Creating a league of the same slug again returns the first."""
    organiser_seed: bytes | None = None
    """32 bytes; random where None."""


def submit_bot(
    session: Session,
    name: str,
    *,
    version: str,
    host: str,
    port: int,
    key: bytes = b"",
    kind: BotKind = BotKind.REMOTE,
    info: Mapping[str, Any] | None = None,
) -> str:
    """Register a version of a bot and return its public id; known already, it gets the address.

    Raises:
        StoreError: a name, version or port that cannot be, a new name that looks like another
            bot's, or an address beyond this machine without a key to prove that the bot there is
            the registered one.
    """
    check_name("bot", name)
    check_name("version", version)
    if not key and not _is_here(host):
        raise StoreError(
            f"{host} is not this machine's own loopback, and there is no key: anyone there could "
            "answer for the bot; start the bot with a key, and give the same with --key"
        )
    if not 1 <= port <= 65535:
        raise StoreError(f"port {port}; it may be 1 to 65535")
    bot = _find_bot(session, name) or _add_bot(session, name)
    found = session.scalar(
        select(BotVersion).where(BotVersion.bot_id == bot.id, BotVersion.version == version)
    )
    if found is None:
        found = BotVersion(
            public_id=new_public_id(),
            bot_id=bot.id,
            version=version,
            kind=kind.value,
            created_us=now_us(),
        )
        session.add(found)
    elif found.kind == BotKind.IMPORTED:
        if (name, version) != ANCHOR_BOT:
            raise StoreError(f"{name} {version} was imported; register a bot of another name")
        found.kind = kind.value
    found.host, found.port, found.key, found.info = host, port, key, dict(info or {})
    found.absent_until_us = 0
    session.flush()
    return found.public_id


def _find_bot(session: Session, name: str) -> Bot | None:
    return session.scalar(select(Bot).where(Bot.name == name))


def _add_bot(session: Session, name: str) -> Bot:
    alike = session.scalar(select(Bot.name).where(Bot.canonical == canonical(name)))
    if alike is not None:
        raise StoreError(f"bot name {name!r} looks like {alike!r}, which is taken; choose another")
    bot = Bot(public_id=new_public_id(), name=name, created_us=now_us())
    session.add(bot)
    session.flush()
    return bot


def _is_here(host: str) -> bool:
    """Whether a host is sure to be this machine's own loopback; a name is not looked up."""
    try:
        return is_loopback(host)
    except ValueError:
        return host.lower() == "localhost"


def create_league(session: Session, spec: LeagueSpec) -> str:
    """Open a league for entries and return its public id; the organiser's seed is fixed now.

    Raises:
        StoreError: a name or number that cannot be.
        InvalidRulesError: rules or clocks that cannot be.
    """
    found = spec.slug and session.scalar(select(League).where(League.slug == spec.slug))
    if found:
        return found.public_id
    rules = Rules.preset(spec.preset, **spec.options)
    games = GAMES[rules.players] if spec.games is None else spec.games
    _check_spec(spec, rules, games)
    seed = spec.organiser_seed or secrets.token_bytes(SEED_BYTES)
    league = League(
        public_id=new_public_id(),
        slug=spec.slug,
        name=spec.name,
        state=LeagueState.OPEN.value,
        preset=spec.preset,
        rules=rules.as_dict(),
        format="triples" if rules.players == 3 else "round_robin",
        legs=spec.legs,
        boards=spec.boards.value,
        games=games,
        time_control=spec.time_control.as_dict(),
        licence=spec.licence,
        organiser_seed=seed,
        commitment=hashlib.sha256(seed).hexdigest(),
        deadline_us=spec.deadline // timedelta(microseconds=1),
        created_us=now_us(),
    )
    session.add(league)
    session.flush()
    return league.public_id


def _check_spec(spec: LeagueSpec, rules: Rules, games: int) -> None:
    check_name("league", spec.name)
    if not _LICENCE.fullmatch(spec.licence):
        raise StoreError(f"licence {spec.licence!r}; it is an SPDX identifier, CC-BY-4.0")
    if min(games, spec.legs) < 1:
        raise StoreError(f"{games} games, {spec.legs} legs; both are at least 1")
    if spec.organiser_seed is not None and len(spec.organiser_seed) != SEED_BYTES:
        raise StoreError(f"a seed of {len(spec.organiser_seed)} bytes; it has {SEED_BYTES}")
    slots_of(rules, spec.boards, games)


def enter(session: Session, league_id: str, *, version_id: str, nonce: bytes | None = None) -> str:
    """Enter a bot version into an open league and return the entry's public id.

    An entry that is there already is returned as it is.

    Raises:
        StoreError: no such league or version, the league has started, or the bot said when it was
            registered that it does not play these rules.
    """
    league = find_league(session, league_id)
    version = session.scalar(select(BotVersion).where(BotVersion.public_id == version_id))
    if version is None:
        raise StoreError(f"no bot version {version_id}")
    if version.kind == BotKind.IMPORTED:
        raise StoreError("that bot was imported: it has no address here, and never plays")
    found = session.scalar(
        select(Entry).where(Entry.league_id == league.id, Entry.bot_version_id == version.id)
    )
    if found is not None:
        return found.public_id
    if league.state != LeagueState.OPEN:
        raise StoreError(f"league {league.name} is {league.state}; entries join while it is open")
    rule_sets = version.info.get("rule_sets")
    if rule_sets and league.preset not in rule_sets:
        raise StoreError(f"the bot says that it plays {', '.join(rule_sets)}; not {league.preset}")
    entry = Entry(
        public_id=new_public_id(),
        league_id=league.id,
        number=_entries(session, league),
        bot_version_id=version.id,
        nonce=nonce or secrets.token_bytes(SEED_BYTES),
        created_us=now_us(),
    )
    session.add(entry)
    session.flush()
    return entry.public_id


def start_league(session: Session, league_id: str) -> None:
    """Close the entries, fix the master seed (R9.3), write the first matches; once only.

    Raises:
        StoreError: no such league, or fewer entries than play in a match.
    """
    league = find_league(session, league_id)
    if league.state != LeagueState.OPEN:
        return
    entries, players = _entries(session, league), read_rules(league.rules).players
    if entries < players:
        raise StoreError(f"league {league.name} has {entries} entries; it needs at least {players}")
    nonces = session.scalars(
        select(Entry.nonce).where(Entry.league_id == league.id).order_by(Entry.number)
    )
    league.master_seed = master_seed(league.organiser_seed, nonces)
    league.matches_total = Schedule(players, entries, league.legs).matches
    league.state, league.started_us = LeagueState.RUNNING.value, now_us()
    match_plan(league, league.matches_total - 1)
    write_matches(session, league)


def write_matches(session: Session, league: League, *, chunk: int = CHUNK) -> int:
    """Write the next rows of a running league's schedule and return how many."""
    entries = session.execute(
        select(Entry.id, BotVersion.bot_id)
        .join(BotVersion, BotVersion.id == Entry.bot_version_id)
        .where(Entry.league_id == league.id)
        .order_by(Entry.number)
    ).all()
    first = league.matches_written
    numbers = range(first, min(first + chunk, league.matches_total))
    if not numbers:
        return 0
    schedule = Schedule(read_rules(league.rules).players, len(entries), league.legs)
    tables = list(zip(numbers, schedule.tables(numbers), strict=True))
    session.execute(
        insert(Match),
        [
            {
                "public_id": new_public_id(),
                "league_id": league.id,
                "number": number,
                "cycle": cycle,
                "state": MatchState.WAITING.value,
            }
            for number, (cycle, _) in tables
        ],
    )
    keys = dict(
        session.execute(
            select(Match.number, Match.id).where(
                Match.league_id == league.id, Match.number >= first
            )
        ).all()
    )
    session.execute(
        insert(MatchPlayer),
        [
            {
                "match_id": keys[number],
                "player": player,
                "entry_id": entries[entry].id,
                "bot_id": entries[entry].bot_id,
            }
            for number, (_, table) in tables
            for player, entry in enumerate(table)
        ],
    )
    league.matches_written = numbers.stop
    return len(numbers)


def find_league(session: Session, league_id: str) -> League:
    """Return a league to be changed, locked until the transaction ends.

    Raises:
        StoreError: no such league.
    """
    found = session.scalar(select(League).where(League.public_id == league_id).with_for_update())
    if found is None:
        raise StoreError(f"no league {league_id}")
    return found


def _entries(session: Session, league: League) -> int:
    count = session.scalar(select(func.count()).where(Entry.league_id == league.id))
    return count or 0
