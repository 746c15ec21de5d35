"""The tables. Keys inside are integers, ids outside random text, times microseconds UTC.

Rows of matches come first; tasks carry their keys only. Facts of games are never changed, and
ratings are computed from them, never stored. Counters (`Pairing`, and those of `League` and
`Entry`) are kept in the transaction of the result that they count, and can be recounted from the
games.
"""

import enum
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from arena.store.names import canonical

Key = BigInteger().with_variant(Integer, "sqlite")
"""A 64-bit row key; SQLite numbers rows by itself only where the type is INTEGER."""

_NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


@enum.unique
class LeagueState(enum.StrEnum):
    """Where a league stands."""

    OPEN = "open"
    """Entries may join; the organiser's seed is fixed and its hash public (R9.3)."""
    RUNNING = "running"
    """The master seed is fixed; matches are written and played."""
    FINISHED = "finished"
    """Every match has ended; the organiser's seed is public."""


@enum.unique
class MatchState(enum.StrEnum):
    """Where a match stands. Only the first three can still change by themselves."""

    WAITING = "waiting"
    """In the database only; not to be queued before `Match.not_before_us`."""
    QUEUED = "queued"
    """A task was sent to the broker."""
    RUNNING = "running"
    """A worker holds the lease."""
    DONE = "done"
    """Played; its facts count."""
    QUARANTINED = "quarantined"
    """Three attempts or voids (R10.3); an organiser decides."""
    LAPSED = "lapsed"
    """Unrated: a bot was absent to the league's deadline (R10.7) or refused, an entry was
    withdrawn, or an organiser closed the league or voided the match."""


OPEN_STATES = (MatchState.WAITING, MatchState.QUEUED, MatchState.RUNNING)
"""States of matches that are still to end."""


@enum.unique
class BotKind(enum.StrEnum):
    """Who runs a bot version."""

    REMOTE = "remote"
    """The author's own service, at an address."""
    HOSTED = "hosted"
    """Started by the arena, immutable."""
    IMPORTED = "imported"
    """Played in another arena, whose league was imported; it has no address and never plays."""


class Base(DeclarativeBase):
    """Declarative base; constraint names are fixed so that migrations can name them."""

    metadata = MetaData(naming_convention=_NAMES)


def _canonical(context: Any) -> str:
    return canonical(context.get_current_parameters()["name"])


class Bot(Base):
    """A program that plays, under one name for all its versions."""

    __tablename__ = "bot"
    __table_args__ = (Index(None, "canonical", unique=True),)
    id: Mapped[int] = mapped_column(Key, primary_key=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    name: Mapped[str] = mapped_column(String(64), unique=True)
    canonical: Mapped[str] = mapped_column(String(64), default=_canonical, server_default="")
    """The name as it is compared with others' (`arena.store.names`)."""
    created_us: Mapped[int] = mapped_column(BigInteger)


class BotVersion(Base):
    """One build of a bot, or the address of one."""

    __tablename__ = "bot_version"
    __table_args__ = (UniqueConstraint("bot_id", "version"),)
    id: Mapped[int] = mapped_column(Key, primary_key=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    bot_id: Mapped[int] = mapped_column(ForeignKey("bot.id"))
    version: Mapped[str] = mapped_column(String(64))
    kind: Mapped[str] = mapped_column(String(16))
    host: Mapped[str] = mapped_column(String(255))
    port: Mapped[int]
    key: Mapped[bytes] = mapped_column(LargeBinary)
    """The secret by which the bot proves that it is the registered one; empty on loopback only."""
    info: Mapped[dict[str, Any]] = mapped_column(JSON)
    """What the bot said of itself when it was registered (`BotInfo` by field)."""
    absent_until_us: Mapped[int] = mapped_column(BigInteger, default=0)
    """Not to be scheduled before: it could not be reached (R10.7)."""
    created_us: Mapped[int] = mapped_column(BigInteger)


class League(Base):
    """A set of entries that play each other under one rule set."""

    __tablename__ = "league"
    id: Mapped[int] = mapped_column(Key, primary_key=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    slug: Mapped[str | None] = mapped_column(String(64), unique=True)
    """A name of the creator's own, by which creating it again finds it; None: it has none."""
    name: Mapped[str] = mapped_column(String(64))
    state: Mapped[str] = mapped_column(String(16), index=True)
    preset: Mapped[str] = mapped_column(String(32))
    """Name of the preset that the rules started from."""
    rules: Mapped[dict[str, Any]] = mapped_column(JSON)
    """The full set of options (`Rules.as_dict`)."""
    format: Mapped[str] = mapped_column(String(16))
    legs: Mapped[int]
    """How often every pair meets."""
    boards: Mapped[str] = mapped_column(String(16))
    """`private` or `mirrored` (R9.4)."""
    games: Mapped[int]
    """Games of a match."""
    time_control: Mapped[dict[str, Any]] = mapped_column(JSON)
    licence: Mapped[str] = mapped_column(String(64), server_default="CC-BY-4.0")
    """SPDX identifier of the licence of its data, for bundles."""
    organiser_seed: Mapped[bytes] = mapped_column(LargeBinary)
    commitment: Mapped[str] = mapped_column(String(64))
    """SHA-256 of the organiser's seed, hexadecimal; public from the start (R9.3)."""
    master_seed: Mapped[bytes | None] = mapped_column(LargeBinary)
    deadline_us: Mapped[int] = mapped_column(BigInteger)
    """How long a match waits for an absent bot after the league's start, microseconds (R10.7)."""
    matches_total: Mapped[int] = mapped_column(default=0)
    matches_written: Mapped[int] = mapped_column(default=0)
    """Rows written so far; they are written in chunks, ahead of the workers."""
    matches_ended: Mapped[int] = mapped_column(default=0)
    games_done: Mapped[int] = mapped_column(default=0)
    rounds_done: Mapped[int] = mapped_column(default=0)
    created_us: Mapped[int] = mapped_column(BigInteger)
    started_us: Mapped[int | None] = mapped_column(BigInteger)
    finished_us: Mapped[int | None] = mapped_column(BigInteger)


class Entry(Base):
    """A bot version in a league."""

    __tablename__ = "entry"
    __table_args__ = (
        UniqueConstraint("league_id", "number"),
        UniqueConstraint("league_id", "bot_version_id"),
        Index(None, "bot_version_id"),
    )
    id: Mapped[int] = mapped_column(Key, primary_key=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"))
    number: Mapped[int]
    """From 0, in order of entry; the schedule knows entries by it."""
    bot_version_id: Mapped[int] = mapped_column(ForeignKey("bot_version.id"))
    nonce: Mapped[bytes] = mapped_column(LargeBinary)
    """The entry's own part of the master seed; public from the first match (R9.3)."""
    refusals: Mapped[int] = mapped_column(default=0)
    """Matches that it refused at the start; the third withdraws it (R10.6)."""
    games: Mapped[int] = mapped_column(default=0, server_default="0")
    """Games of finished matches."""
    wins: Mapped[int] = mapped_column(default=0, server_default="0")
    """Those in which it had the first place alone."""
    losses: Mapped[int] = mapped_column(default=0, server_default="0")
    """Those in which another was before it."""
    forfeits: Mapped[int] = mapped_column(default=0, server_default="0")
    """Those that it forfeited; they are among the losses."""
    withdrawn_us: Mapped[int | None] = mapped_column(BigInteger)
    created_us: Mapped[int] = mapped_column(BigInteger)


class Match(Base):
    """What one task plays. Every write of a worker carries its `lease_token`."""

    __tablename__ = "match"
    __table_args__ = (
        UniqueConstraint("league_id", "number"),
        Index(None, "league_id", "state", "number"),
        Index(None, "state", "lease_until_us"),
        Index(None, "league_id", "finished_us"),
        CheckConstraint("attempt >= 0 AND lease_token >= 0", name="counts"),
    )
    id: Mapped[int] = mapped_column(Key, primary_key=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"))
    number: Mapped[int]
    """From 0, in the order of the schedule; with the master seed it gives the boards."""
    cycle: Mapped[int]
    state: Mapped[str] = mapped_column(String(16))
    attempt: Mapped[int] = mapped_column(default=0)
    """Attempts that were lost by a fault of the arena, the running one included."""
    lease_token: Mapped[int] = mapped_column(default=0)
    """Counts the leases; a write with an older one changes nothing."""
    lease_until_us: Mapped[int] = mapped_column(BigInteger, default=0)
    lease_owner: Mapped[str] = mapped_column(String(128), default="")
    """The process that holds the lease: machine, process id and its start time."""
    not_before_us: Mapped[int] = mapped_column(BigInteger, default=0)
    queued_us: Mapped[int] = mapped_column(BigInteger, default=0)
    early_ends: Mapped[int] = mapped_column(default=0)
    """Times that it ended early after incidents (R10.2)."""
    games_done: Mapped[int] = mapped_column(default=0)
    rounds: Mapped[int] = mapped_column(default=0)
    cause: Mapped[str] = mapped_column(String(200), default="")
    """Why it waits, lapsed or was quarantined; empty where nothing is to be said."""
    trace: Mapped[str] = mapped_column(Text, default="")
    """The arena's own error that voided the last attempt, for the organiser."""
    started_us: Mapped[int | None] = mapped_column(BigInteger)
    finished_us: Mapped[int | None] = mapped_column(BigInteger)


class MatchPlayer(Base):
    """One player of a match."""

    __tablename__ = "match_player"
    __table_args__ = (Index(None, "entry_id", "match_id"), Index(None, "bot_id", "match_id"))
    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), primary_key=True)
    player: Mapped[int] = mapped_column(primary_key=True)
    """0, 1 (, 2): the index by which game facts name the player."""
    entry_id: Mapped[int] = mapped_column(ForeignKey("entry.id"))
    bot_id: Mapped[int] = mapped_column(ForeignKey("bot.id"))
    wins: Mapped[int] = mapped_column(default=0)
    points: Mapped[int] = mapped_column(default=0)
    """Points of all finished rounds."""
    faults: Mapped[str] = mapped_column(String(200), default="")
    """Causes of its forfeits in this match, each once, parted by spaces."""


class Game(Base):
    """The facts of a finished game; a checkpoint while its match still runs."""

    __tablename__ = "game"
    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    """From 0, within the match."""
    board: Mapped[int] = mapped_column(BigInteger)
    """The board's index in the league (R9.1)."""
    seating: Mapped[list[int]] = mapped_column(JSON)
    """Player by seat."""
    winner: Mapped[int | None]
    """A player, or None for a drawn game."""
    points: Mapped[list[int]] = mapped_column(JSON)
    """Points of the rounds by player, without bonuses of the end."""
    totals: Mapped[list[int]] = mapped_column(JSON)
    """Totals after bonuses by player."""
    rounds: Mapped[int]
    """Finished rounds."""
    places: Mapped[list[int]] = mapped_column(JSON)
    """By player: 1 and how many finished before it; equal places are shared (R7.5, R10.2)."""
    duels: Mapped[list[list[int]]] = mapped_column(JSON)
    """Rounds and margin of the players (0, 1), of three also (0, 2) and (1, 2): how many rounds the
    two played against each other, and the points by which the first won them (`arena.store.facts`).
    """
    open_round: Mapped[bool]
    """Whether a forfeit left a round open, which counts as lost by 35 points (R10.2)."""
    forfeiter: Mapped[int | None]
    """The player who forfeited the game, else None."""
    cause: Mapped[str] = mapped_column(String(32), default="")
    """Cause of the forfeit (R10.6)."""
    faults: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    """The faults that forfeited it, each with its evidence; empty for a game played out."""


class Void(Base):
    """A try at a game that was given up; the game is played again on a reserve board (R10.3)."""

    __tablename__ = "void"
    id: Mapped[int] = mapped_column(Key, primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), index=True)
    number: Mapped[int]
    """The game's number in the match."""
    board: Mapped[int] = mapped_column(BigInteger)
    cause: Mapped[str] = mapped_column(String(200))
    event: Mapped[int]
    """Which void of the match, from 1; one may void many games. 0 counts for nobody."""
    faults: Mapped[list[dict[str, Any]]] = mapped_column(JSON)


class Checkpoint(Base):
    """A game that has begun, then its record and times, until its match ends."""

    __tablename__ = "checkpoint"
    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    board: Mapped[int] = mapped_column(BigInteger)
    record: Mapped[str | None] = mapped_column(Text)
    """None while the game is open: another attempt must not play on that board."""
    times: Mapped[str | None] = mapped_column(Text)


class MatchLog(Base):
    """The packed record of an ended match, and the times that go with it."""

    __tablename__ = "match_log"
    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), primary_key=True)
    record: Mapped[bytes] = mapped_column(LargeBinary)
    times: Mapped[bytes] = mapped_column(LargeBinary)


class Pairing(Base):
    """Counters of one entry against another, from the first one's side.

    In games of three a win is to finish before the other, and rounds are those of the two alone.
    """

    __tablename__ = "pairing"
    entry_id: Mapped[int] = mapped_column(ForeignKey("entry.id"), primary_key=True)
    opponent_id: Mapped[int] = mapped_column(ForeignKey("entry.id"), primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"), index=True)
    games: Mapped[int] = mapped_column(default=0)
    wins: Mapped[int] = mapped_column(default=0)
    losses: Mapped[int] = mapped_column(default=0)
    forfeits: Mapped[int] = mapped_column(default=0)
    """Games that the entry itself forfeited; they are among the losses."""
    rounds: Mapped[int] = mapped_column(default=0)
    margin: Mapped[int] = mapped_column(default=0)
    """Points won less points lost over those rounds."""


class Worker(Base):
    """A worker that showed itself; how many processes it has says how much to queue."""

    __tablename__ = "worker"
    name: Mapped[str] = mapped_column(String(128), primary_key=True)
    processes: Mapped[int]
    seen_us: Mapped[int] = mapped_column(BigInteger)
