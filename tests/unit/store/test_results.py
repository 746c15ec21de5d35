"""What a worker writes while it plays; one result a match, whatever happens."""

from collections.abc import Callable

import pytest
from sqlalchemy import func, select

from arena.notation.files import write_record
from arena.notation.pack import unpack
from arena.notation.record import Void
from arena.notation.verify import verify_record
from arena.referee.outcome import VoidedGame
from arena.schedule.plan import BoardMode
from arena.store import queries, results
from arena.store.database import Store
from arena.store.leases import Lease, LeaseLostError
from arena.store.models import (
    Base,
    Checkpoint,
    Entry,
    Game,
    League,
    Match,
    MatchLog,
    MatchPlayer,
    Pairing,
)
from arena.store.results import Assignment
from tests.leagues import LONG, claim_next, forfeit_game, make_league, play_game, play_league


def _take(store: Store) -> tuple[Lease, Assignment]:
    lease = claim_next(store)
    assert lease is not None
    return lease, _read(store, lease)


def _read(store: Store, lease: Lease) -> Assignment:
    with store.reading() as session:
        return results.read_assignment(session, lease)


def _rows(store: Store, table: type[Base]) -> int:
    with store.reading() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


def test_a_match_is_read_as_it_was_planned(store: Store) -> None:
    make_league(store, ["simple", "greedy"], games=4, boards=BoardMode.MIRRORED)
    _, task = _take(store)
    assert {player.name for player in task.players} == {"simple", "greedy"}
    assert [player.port for player in task.players] in ([1, 2], [2, 1])
    assert (task.plan.mode, len(task.plan.games)) == (BoardMode.MIRRORED, 4)
    assert task.header.players == tuple((player.name, "1") for player in task.players)
    assert (task.finished, task.voided, task.begun, task.withdrawn) == ((), (), {}, False)


def test_a_retry_gets_the_finished_games_back_exactly(store: Store) -> None:
    make_league(store, ["simple", "greedy"], games=4)
    lease, task = _take(store)
    plan = task.plan
    played = [play_game(plan, plan.games[2]), forfeit_game(plan, plan.games[0], 1)]
    with store.writing() as session:
        for planned in plan.games[:3]:
            results.begin_game(session, lease, planned, until_us=LONG)
    for game in played:
        with store.writing() as session:
            results.save_game(session, lease, task.header, game, until_us=LONG)
    again = _read(store, lease)
    assert again.finished == (played[1], played[0])
    assert again.begun == {1: plan.games[1].board}


def test_the_counters_of_a_running_match_are_those_of_its_finished_games(store: Store) -> None:
    make_league(store, ["simple", "greedy"], games=4)
    lease, task = _take(store)
    games = [
        forfeit_game(task.plan, task.plan.games[0], 1),
        play_game(task.plan, task.plan.games[1]),
    ]
    with store.writing() as session:
        for game in games:
            results.save_game(session, lease, task.header, game, until_us=LONG)
    with store.reading() as session:
        (row,) = queries.matches(session).rows
    assert (row.games_done, row.games_total) == (2, 4)
    assert row.rounds == len(games[1].record.rounds)
    assert row.points == games[1].record.points
    won = [sum(game.record.winner == player for game in games) for player in (0, 1)]
    assert list(row.wins) == won
    assert row.cause == f"{row.players[1].name}: TIMEOUT"


def test_a_void_drops_what_was_stored_and_stays_to_be_read(store: Store) -> None:
    """R10.3: in mirrored the finished half of a seating set goes too."""
    make_league(store, ["simple", "greedy"], games=2, boards=BoardMode.MIRRORED)
    lease, task = _take(store)
    first, second = task.plan.games
    with store.writing() as session:
        results.save_game(session, lease, task.header, play_game(task.plan, first), until_us=LONG)
        results.begin_game(session, lease, second, until_us=LONG)
    voids = [VoidedGame(n, Void(first.board, "WORKER_LOST"), (), event=1) for n in (1, 0)]
    with store.writing() as session:
        for void in voids:
            results.void_game(session, lease, void, until_us=LONG)
    again = _read(store, lease)
    assert (again.finished, again.begun, again.voided) == ((), {}, tuple(voids))
    with store.reading() as session:
        (row,) = queries.matches(session).rows
    assert (row.games_done, row.rounds, row.wins, row.points) == (0, 0, (0, 0), (0, 0))


def test_a_finished_match_has_its_log_its_counters_and_no_checkpoints(store: Store) -> None:
    league = make_league(store, ["simple", "greedy"], games=4)
    lease, task = _take(store)
    games = [play_game(task.plan, game) for game in task.plan.games]
    with store.writing() as session:
        results.save_game(session, lease, task.header, games[1], until_us=LONG)
        results.finish_match(session, lease, task.header, games, at_us=9)
    text = write_record(task.header, [game.record for game in games])
    rounds = sum(len(game.record.rounds) for game in games)
    with store.reading() as session:
        (row,) = queries.matches(session).rows
        assert queries.match_record(session, row.id) == text
        log = session.scalars(select(MatchLog)).one()
        assert unpack(log.record) == text
        detail = queries.league(session, league)
    assert verify_record(text).games == tuple(game.record for game in games)
    assert (row.state, row.finished_us, row.games_done, row.rounds) == ("done", 9, 4, rounds)
    assert detail is not None
    assert (detail.summary.games_done, detail.summary.rounds_done) == (4, rounds)
    assert _rows(store, Checkpoint) == 0


def test_a_result_is_written_once(store: Store) -> None:
    """W4."""
    make_league(store, ["simple", "greedy"])
    lease, task = _take(store)
    games = [play_game(task.plan, game) for game in task.plan.games]
    with store.writing() as session:
        results.finish_match(session, lease, task.header, games, at_us=9)
    before = _counters(store)
    with pytest.raises(LeaseLostError), store.writing() as session:
        results.finish_match(session, lease, task.header, games, at_us=10)
    assert _counters(store) == before


def test_a_result_is_whole_or_not_there(store: Store) -> None:
    """W9: an error inside the transaction of a result leaves nothing of it."""
    make_league(store, ["simple", "greedy"])
    lease, task = _take(store)
    games = [play_game(task.plan, game) for game in task.plan.games]

    def write_and_break() -> None:
        with store.writing() as session:
            results.finish_match(session, lease, task.header, games, at_us=9)
            raise ConnectionError("the database went away")

    with pytest.raises(ConnectionError):
        write_and_break()
    assert (_rows(store, Game), _rows(store, MatchLog), _rows(store, Pairing)) == (0, 0, 0)
    with store.writing() as session:
        results.finish_match(session, lease, task.header, games, at_us=9)
    assert (_rows(store, Game), _rows(store, MatchLog), _rows(store, Pairing)) == (2, 1, 2)


def _counters(store: Store) -> list[tuple[int, ...]]:
    columns = (Pairing.games, Pairing.wins, Pairing.losses, Pairing.rounds, Pairing.margin)
    with store.reading() as session:
        pairs = session.execute(select(*columns).order_by(Pairing.entry_id, Pairing.opponent_id))
        leagues = session.execute(
            select(League.matches_ended, League.games_done, League.rounds_done)
        )
        return [tuple(row) for row in (*pairs, *leagues)]


def test_the_counters_of_pairs_equal_a_recount_of_the_games(store: Store) -> None:
    make_league(store, ["simple", "greedy", "random"], games=2, legs=2)
    play_league(store)
    with store.reading() as session:
        counted = {(row.entry_id, row.opponent_id): row for row in session.scalars(select(Pairing))}
        assert len(counted) == 6
        for (entry, opponent), row in counted.items():
            games = [
                (game, player)
                for game, player in session.execute(
                    select(Game, MatchPlayer.player)
                    .join(MatchPlayer, MatchPlayer.match_id == Game.match_id)
                    .where(MatchPlayer.entry_id == entry)
                )
                if _opponent(session.get_one(MatchPlayer, (game.match_id, 1 - player))) == opponent
            ]
            assert row.games == len(games) == 4
            assert row.wins == sum(game.winner == player for game, player in games)
            assert row.losses == sum(game.winner == 1 - player for game, player in games)
            assert row.rounds == sum(game.rounds for game, _ in games)
            assert row.margin == sum(
                game.points[player] - game.points[1 - player] for game, player in games
            )


def _opponent(row: MatchPlayer) -> int:
    return row.entry_id


def test_the_open_round_of_a_forfeited_game_counts_as_lost_by_35(store: Store) -> None:
    """R10.2."""
    make_league(store, ["simple", "greedy"])
    lease, task = _take(store)
    games = [forfeit_game(task.plan, game, 1) for game in task.plan.games]
    with store.writing() as session:
        results.finish_match(session, lease, task.header, games, at_us=9)
        rows = session.scalars(select(Pairing).order_by(Pairing.margin)).all()
    lost, won = rows
    assert (lost.games, lost.wins, lost.losses, lost.forfeits) == (2, 0, 2, 2)
    assert (lost.rounds, lost.margin) == (2, -70)
    assert (won.games, won.wins, won.forfeits, won.rounds, won.margin) == (2, 2, 0, 2, 70)


def test_the_third_refusal_withdraws_the_entry(store: Store) -> None:
    """R10.6."""
    make_league(store, ["simple", "greedy"], legs=4)
    for count in (1, 2, 3):
        lease, task = _take(store)
        assert not task.withdrawn
        player = [player.name for player in task.players].index("greedy")
        with store.writing() as session:
            results.refuse_match(session, lease, player, cause="REFUSED: full", at_us=count)
    _, task = _take(store)
    assert task.withdrawn
    with store.reading() as session:
        states = [(row.state, row.cause) for row in queries.matches(session, state="lapsed").rows]
        entries = session.execute(
            select(Entry.refusals, Entry.withdrawn_us).order_by(Entry.refusals)
        ).all()
    assert states == [("lapsed", "REFUSED: full")] * 3
    assert [tuple(row) for row in entries] == [(0, None), (3, 3)]


@pytest.mark.parametrize("step", ["begin", "save", "void"])
def test_every_write_is_fenced(store: Store, step: str) -> None:
    """A worker that lost its lease changes nothing."""
    make_league(store, ["simple", "greedy"])
    lease, task = _take(store)
    stale = Lease(lease.match_key, token=lease.token - 1, attempt=1)
    game = task.plan.games[0]
    played = play_game(task.plan, game)
    void = VoidedGame(0, Void(game.board, "x"))
    with store.writing() as session:
        steps: dict[str, Callable[[], None]] = {
            "begin": lambda: results.begin_game(session, stale, game, until_us=LONG),
            "save": lambda: results.save_game(session, stale, task.header, played, until_us=LONG),
            "void": lambda: results.void_game(session, stale, void, until_us=LONG),
        }
        with pytest.raises(LeaseLostError):
            steps[step]()
    assert (_rows(store, Game), _rows(store, Checkpoint)) == (0, 0)


def test_progress_renews_the_lease(store: Store) -> None:
    make_league(store, ["simple", "greedy"])
    lease, task = _take(store)
    with store.writing() as session:
        results.begin_game(session, lease, task.plan.games[0], until_us=LONG + 1)
        assert session.get_one(Match, lease.match_key).lease_until_us == LONG + 1
        played = play_game(task.plan, task.plan.games[0])
        results.save_game(session, lease, task.header, played, until_us=LONG + 2)
        session.expire_all()
        assert session.get_one(Match, lease.match_key).lease_until_us == LONG + 2
