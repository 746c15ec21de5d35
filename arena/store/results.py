"""What a worker writes while it plays: begun games, results, voids, the end of a match.

All under its lease: the first statement of each step is the fence, which also renews the lease, so
that a match is held as long as it makes progress.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from sqlalchemy import delete, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from arena.engine.errors import GinArenaError
from arena.notation.files import read_record, write_record
from arena.notation.pack import pack
from arena.notation.record import Header
from arena.notation.record import Void as VoidRecord
from arena.notation.times import read_times, write_times
from arena.referee.outcome import Fault, FinishedGame, VoidedGame
from arena.referee.verdict import Cause, Evidence
from arena.schedule.plan import GamePlan, MatchPlan
from arena.store.facts import duel, duels_of, is_sole_first
from arena.store.leases import Lease, end_match, renew
from arena.store.models import (
    Checkpoint,
    Entry,
    Game,
    League,
    Match,
    MatchLog,
    MatchPlayer,
    MatchState,
    Pairing,
    Void,
)
from arena.store.plans import header_of, league_of, match_plan, players_of

_REFUSALS: Final = 3
"""Refused matches after which an entry is withdrawn (R10.6)."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a remote bot listens."""

    name: str
    version: str
    host: str
    port: int
    key: bytes
    """The secret by which it proves that it is the registered one; empty on loopback only."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """All that a worker needs to play a match, and what earlier attempts left."""

    lease: Lease
    plan: MatchPlan
    players: tuple[Address, ...]
    header: Header
    """The header under which checkpoints are kept: names as they were registered."""
    finished: tuple[FinishedGame, ...]
    voided: tuple[VoidedGame, ...]
    begun: Mapping[int, int]
    """Games that began and have no result, with their boards."""
    unreadable: Mapping[int, int]
    """Games whose kept result is damaged, with their boards; they are void, and only they."""
    early_ends: int
    deadline_us: int
    """When the match lapses if a bot is still absent, microseconds UTC (R10.7)."""
    withdrawn: bool
    """Whether one of the entries was withdrawn: the match is not to be played."""


def read_assignment(session: Session, lease: Lease) -> Assignment:
    """Return what a claimed match is and how far it is."""
    match, league = session.get_one(Match, lease.match_key), league_of(session, lease.match_key)
    players = tuple(
        Address(bot.name, version.version, version.host, version.port, version.key)
        for bot, version in players_of(session, match.id)
    )
    checkpoints = session.scalars(
        select(Checkpoint).where(Checkpoint.match_id == match.id).order_by(Checkpoint.number)
    ).all()
    games = {game.number: game for game in _games(session, match.id)}
    done = [(row, _read_finished(row, games)) for row in checkpoints if row.record is not None]
    return Assignment(
        lease=lease,
        plan=match_plan(league, match.number),
        players=players,
        header=header_of(league, tuple((player.name, player.version) for player in players)),
        finished=tuple(game for _, game in done if game is not None),
        voided=tuple(_read_void(row) for row in _voids(session, match.id)),
        begun={row.number: row.board for row in checkpoints if row.record is None},
        unreadable={row.number: row.board for row, game in done if game is None},
        early_ends=match.early_ends,
        deadline_us=(league.started_us or 0) + league.deadline_us,
        withdrawn=_withdrawn(session, match.id),
    )


def _games(session: Session, match_key: int) -> Sequence[Game]:
    return session.scalars(
        select(Game).where(Game.match_id == match_key).order_by(Game.number)
    ).all()


def _voids(session: Session, match_key: int) -> Sequence[Void]:
    return session.scalars(select(Void).where(Void.match_id == match_key).order_by(Void.id)).all()


def _withdrawn(session: Session, match_key: int) -> bool:
    query = (
        select(Entry.id)
        .join(MatchPlayer, MatchPlayer.entry_id == Entry.id)
        .where(MatchPlayer.match_id == match_key, Entry.withdrawn_us.is_not(None))
    )
    return session.scalar(query) is not None


def begin_game(session: Session, lease: Lease, game: GamePlan, *, until_us: int) -> None:
    """Note that a game begins on a board, before a bot sees a card of it (R10.3).

    Raises:
        LeaseLostError: the lease is no longer the newest.
    """
    renew(session, lease, until_us=until_us)
    session.execute(
        insert(Checkpoint).values(match_id=lease.match_key, number=game.index, board=game.board)
    )


def save_game(
    session: Session, lease: Lease, header: Header, game: FinishedGame, *, until_us: int
) -> None:
    """Keep a finished game: its facts for good, record and times until the match ends.

    Raises:
        LeaseLostError: the lease is no longer the newest.
    """
    renew(session, lease, until_us=until_us)
    record = write_record(header, [game.record])
    row = Checkpoint(
        match_id=lease.match_key,
        number=game.record.index,
        board=game.record.board,
        record=record,
        times=write_times(record, [game.times]),
    )
    session.merge(row)
    _add_game(session, lease.match_key, game)


def _add_game(session: Session, match_key: int, game: FinishedGame) -> None:
    record = game.record
    row = Game(
        match_id=match_key,
        number=record.index,
        board=record.board,
        seating=list(record.seating),
        winner=record.winner,
        points=list(record.points),
        totals=list(record.totals),
        rounds=sum(one.ending is not None for one in record.rounds),
        places=list(record.places),
        duels=duels_of(record),
        open_round=record.has_open_round,
        forfeiter=record.forfeit.player if record.forfeit else None,
        cause=record.forfeit.cause if record.forfeit else "",
        faults=[_write_fault(fault) for fault in game.faults],
    )
    session.add(row)
    session.flush()
    _count_game(session, row, sign=1)


def _count_game(session: Session, game: Game, *, sign: int) -> None:
    """Add a game to the counters of its match, or take it off again."""
    match = session.get_one(Match, game.match_id)
    match.games_done += sign
    match.rounds += sign * game.rounds
    players = session.scalars(select(MatchPlayer).where(MatchPlayer.match_id == game.match_id))
    for row in players:
        row.wins += sign * is_sole_first(game.places, row.player)
        row.points += sign * game.points[row.player]
        if game.forfeiter == row.player and game.cause not in row.faults.split():
            row.faults = f"{row.faults} {game.cause}".strip()
    session.flush()


def void_game(session: Session, lease: Lease, voided: VoidedGame, *, until_us: int) -> None:
    """Note a void, and drop what was stored of the game: it begins anew on another board.

    Raises:
        LeaseLostError: the lease is no longer the newest.
    """
    renew(session, lease, until_us=until_us)
    key = (lease.match_key, voided.index)
    session.execute(
        delete(Checkpoint).where(Checkpoint.match_id == key[0], Checkpoint.number == key[1])
    )
    if (stored := session.get(Game, key)) is not None:
        _count_game(session, stored, sign=-1)
        session.delete(stored)
    session.add(
        Void(
            match_id=lease.match_key,
            number=voided.index,
            board=voided.void.board,
            cause=voided.void.cause,
            event=voided.event,
            faults=[_write_fault(fault) for fault in voided.faults],
        )
    )
    session.flush()


def finish_match(
    session: Session, lease: Lease, header: Header, games: Sequence[FinishedGame], *, at_us: int
) -> None:
    """Write the result of a match, once: its log, its counters, its end, in this transaction.

    Games that were not saved before (never begun, counted as lost) are added.

    Raises:
        LeaseLostError: the lease is no longer the newest.
    """
    end_match(session, lease, MatchState.DONE, at_us=at_us)
    record = write_record(header, [game.record for game in games])
    times = write_times(record, [game.times for game in games])
    store_result(session, lease.match_key, games, record=record, times=times)
    session.execute(delete(Checkpoint).where(Checkpoint.match_id == lease.match_key))


def store_result(
    session: Session, match_key: int, games: Iterable[FinishedGame], *, record: str, times: str
) -> None:
    """Keep the log of an ended match and the facts of its games, and count them.

    Args:
        session: a writing session.
        match_key: the match.
        games: all its games; those saved before are left as they are.
        record: the record of all games, as text.
        times: the times that go with it.
    """
    saved = {game.number for game in _games(session, match_key)}
    for game in games:
        if game.record.index not in saved:
            _add_game(session, match_key, game)
    session.execute(
        insert(MatchLog).values(match_id=match_key, record=pack(record), times=pack(times))
    )
    count_result(session, match_key)


def count_result(session: Session, match_key: int, *, sign: int = 1) -> None:
    """Count a played match in its league, for its entries and between them; -1 takes it back."""
    match, games = session.get_one(Match, match_key), _games(session, match_key)
    session.execute(
        update(League)
        .where(League.id == match.league_id)
        .values(
            games_done=League.games_done + sign * len(games),
            rounds_done=League.rounds_done + sign * sum(game.rounds for game in games),
        )
    )
    entries = session.scalars(
        select(MatchPlayer.entry_id)
        .where(MatchPlayer.match_id == match_key)
        .order_by(MatchPlayer.player)
    ).all()
    for player in sorted(range(len(entries)), key=entries.__getitem__):
        counts = entry_counts(games, player)
        added = {name: getattr(Entry, name) + sign * value for name, value in counts.items()}
        session.execute(update(Entry).where(Entry.id == entries[player]).values(added))
    pairs = [(a, b) for a in range(len(entries)) for b in range(len(entries)) if a != b]
    for a, b in sorted(pairs, key=lambda pair: (entries[pair[0]], entries[pair[1]])):
        keys = {
            "league_id": match.league_id,
            "entry_id": entries[a],
            "opponent_id": entries[b],
        }
        counts = pair_counts(games, a, b)
        _add_to_pairing(session, keys, {name: sign * value for name, value in counts.items()})


def entry_counts(games: Iterable[Game], player: int) -> dict[str, int]:
    """Return the counters of `Entry` for one player of a match."""
    counts: dict[str, int] = defaultdict(int)
    for game in games:
        counts["games"] += 1
        counts["wins"] += is_sole_first(game.places, player)
        counts["losses"] += game.places[player] > 1
        counts["forfeits"] += game.forfeiter == player
    return dict(counts)


def pair_counts(games: Iterable[Game], player: int, opponent: int) -> dict[str, int]:
    """Return the counters of `Pairing` for one player of a match against another."""
    counts: dict[str, int] = defaultdict(int)
    for game in games:
        rounds, margin = duel(game.duels, player, opponent)
        counts["games"] += 1
        counts["wins"] += game.places[player] < game.places[opponent]
        counts["losses"] += game.places[player] > game.places[opponent]
        counts["forfeits"] += game.forfeiter == player
        counts["rounds"] += rounds
        counts["margin"] += margin
    return dict(counts)


def _add_to_pairing(session: Session, keys: Mapping[str, int], counts: Mapping[str, int]) -> None:
    """Add counters to the row of a pair, which may not be there yet."""
    on_postgres = session.get_bind().dialect.name == "postgresql"
    row = (postgresql if on_postgres else sqlite).insert(Pairing).values(**keys, **counts)
    session.execute(
        row.on_conflict_do_update(
            index_elements=[Pairing.entry_id, Pairing.opponent_id],
            set_={name: getattr(Pairing, name) + value for name, value in counts.items()},
        )
    )


def refuse_match(session: Session, lease: Lease, player: int, *, cause: str, at_us: int) -> None:
    """End a match that a bot refused at its start, unrated; the third withdraws the entry (R10.6).

    Raises:
        LeaseLostError: the lease is no longer the newest.
    """
    end_match(session, lease, MatchState.LAPSED, at_us=at_us, cause=cause)
    entry = session.scalars(
        select(Entry)
        .join(MatchPlayer, MatchPlayer.entry_id == Entry.id)
        .where(MatchPlayer.match_id == lease.match_key, MatchPlayer.player == player)
        .with_for_update(of=Entry)
    ).one()
    entry.refusals += 1
    if entry.refusals >= _REFUSALS:
        entry.withdrawn_us = entry.withdrawn_us or at_us


def _write_fault(fault: Fault) -> dict[str, Any]:
    return {
        "game": fault.game,
        "player": fault.player,
        "cause": fault.cause.value,
        "evidence": asdict(fault.evidence),
    }


def read_fault(stored: Mapping[str, Any]) -> Fault:
    """Read a fault as it is stored."""
    return Fault(
        game=stored["game"],
        player=stored["player"],
        cause=Cause(stored["cause"]),
        evidence=Evidence(**stored["evidence"]),
    )


def _read_void(row: Void) -> VoidedGame:
    return VoidedGame(
        index=row.number,
        void=VoidRecord(row.board, row.cause),
        faults=tuple(map(read_fault, row.faults)),
        event=row.event,
    )


def _read_finished(row: Checkpoint, games: Mapping[int, Game]) -> FinishedGame | None:
    """Return the result that a checkpoint kept; None: it is damaged, or is of another game."""
    try:
        text, times, faults = row.record or "", row.times or "", games[row.number].faults
        record = read_record(text)
        (game,), (spent,) = record.games, read_times(times, text, record)
        kept = FinishedGame(game, spent, tuple(map(read_fault, faults)))
    except (GinArenaError, LookupError, TypeError, ValueError):
        return None
    return kept if (game.index, game.board) == (row.number, row.board) else None
