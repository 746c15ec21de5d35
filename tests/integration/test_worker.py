"""Leagues played by real workers over real Redis, on SQLite and on PostgreSQL."""

from collections import Counter
from pathlib import Path

from sqlalchemy import func, select

from arena.notation.advice import Counsel, count_advice
from arena.notation.files import read_record
from arena.notation.verify import verify_record
from arena.store import queries
from arena.store.database import Store
from arena.store.models import Checkpoint, Game, MatchLog, MatchState, Pairing
from tests.workers import Arena, run_arena


def _count(store: Store, table: type[Game | MatchLog | Checkpoint]) -> int:
    with store.reading() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


def check_results(arena: Arena, *, games: int) -> None:
    """Check that every match has one exact result: log, games, counters."""
    store = arena.store
    matches = arena.matches()
    assert [match.state for match in matches] == [MatchState.DONE] * len(matches)
    with store.reading() as session:
        rows = queries.matches(session, limit=1000).rows
        for row in rows:
            record = verify_record(queries.match_record(session, row.id) or "")
            assert len(record.games) == row.games_done == games
            players = range(len(row.players))
            wins = [sum(game.winner == player for game in record.games) for player in players]
            assert list(row.wins) == wins
        total = session.scalar(select(func.sum(Pairing.games)))
        (league,) = queries.leagues(session)
        pairs = len(rows[0].players) * (len(rows[0].players) - 1)
    assert total == pairs * games * len(matches)
    assert (league.state, league.games_done) == ("finished", games * len(matches))
    assert _count(store, MatchLog) == len(matches)
    assert _count(store, Game) == games * len(matches)
    assert _count(store, Checkpoint) == 0


def test_two_schedulers_and_two_workers_play_a_league_once(
    store: Store, database_url: str, tmp_path: Path
) -> None:
    """W16: the whole way, and nothing twice."""
    with run_arena(store, database_url, tmp_path, worker_processes=1) as arena:
        bots = [(name, arena.start_bot(name)) for name in ("simple", "greedy", "random")]
        for name in ("one", "two"):
            arena.start_worker(f"worker-{name}")
            arena.start_scheduler(f"scheduler-{name}")
        arena.open_league(bots, games=4)
        arena.wait_for_end()
        check_results(arena, games=4)
        assert [(match.attempt, match.lease_token) for match in arena.matches()] == [(1, 1)] * 3
        with store.reading() as session:
            (league,) = queries.leagues(session)
            standings = queries.standings(session, league.id)
        assert standings is not None
        assert standings.games == 12
        assert standings.rows[-1].bot.name == "random"


def test_a_captain_league_of_the_reference_bots(
    store: Store, database_url: str, tmp_path: Path
) -> None:
    """R7: three over gRPC with their advisers, every trio in every seating, rated."""
    names = ("simple", "greedy", "random", "patient")
    with run_arena(store, database_url, tmp_path) as arena:
        bots = [(name, arena.start_bot(name)) for name in names]
        arena.start_worker()
        arena.start_scheduler()
        league = arena.open_league(bots, games=6, preset="captain")
        arena.wait_for_end()
        check_results(arena, games=6)
        with store.reading() as session:
            rows = queries.matches(session).rows
            standings = queries.standings(session, league)
            advice = Counter[tuple[str, Counsel]]()
            for row in rows:
                for game in read_record(queries.match_record(session, row.id) or "").games:
                    for (_, captain), found in count_advice(game).items():
                        name = row.players[captain].name
                        advice.update({(name, what): number for what, number in found.items()})
        assert {len(row.players) for row in rows} == {3}
        assert not any(row.cause for row in rows)
        assert standings is not None
        assert [row.games for row in standings.rows] == [18] * 4
        assert standings.rows[-1].bot.name == "random"
        assert sum(sum(row.places) for row in standings.rows) == 3 * 24
        assert set(advice) == {("greedy", Counsel.FOLLOWED), ("greedy", Counsel.DIFFERED)}
        assert advice["greedy", Counsel.FOLLOWED] > 100


def test_an_absent_bot_is_waited_for_and_is_not_at_fault(
    store: Store, database_url: str, tmp_path: Path
) -> None:
    """R10.7: others' matches go on."""
    with run_arena(store, database_url, tmp_path) as arena:
        bots = [(name, arena.start_bot(name)) for name in ("simple", "greedy")]
        arena.open_league([*bots, ("away", 1)], games=2)
        arena.start_worker()
        arena.start_scheduler()
        arena.wait(lambda: _settled(arena) == ["done", "waiting", "waiting"], "the rest waits")
        for match in arena.matches():
            assert match.state == MatchState.DONE or match.attempt == 0
        with store.reading() as session:
            (row,) = queries.matches(session, state="done").rows
        assert {player.name for player in row.players} == {"simple", "greedy"}
        assert _count(store, Game) == 2


def _settled(arena: Arena) -> list[str]:
    return sorted(match.state for match in arena.matches())
