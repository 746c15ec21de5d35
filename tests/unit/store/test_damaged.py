"""Kept results that cannot be read again: they void their own games, and the match goes on."""

import asyncio
from collections.abc import Callable
from functools import partial

import pytest
from sqlalchemy import select, update

from arena.notation.verify import verify_record
from arena.referee.ledger import UNREADABLE
from arena.referee.match import play_match
from arena.referee.outcome import MatchEnd, MatchOutcome
from arena.schedule.plan import BoardMode
from arena.sdk import Bot, LocalPlayer
from arena.sdk.bots.greedy import Greedy
from arena.sdk.bots.simple import Simple
from arena.store import queries, results
from arena.store.database import Store
from arena.store.leases import Lease
from arena.store.models import Checkpoint, Game, Void
from arena.store.results import Assignment
from tests.leagues import LONG, claim_next, make_league, play_game
from worker.play import Keeper

DAMAGE: dict[str, Callable[[str, str], dict[str, str | int | None]]] = {
    "a negative time": lambda record, times: {"times": times.replace("[1,", "[-1,", 1)},
    "times that end too soon": lambda record, times: {"times": times[: len(times) // 2]},
    "no times": lambda record, times: {"times": None},
    "a record that ends too soon": lambda record, times: {"record": record[:-9]},
    "a changed record": lambda record, times: {"record": record.replace('"winner"', '"Winner"')},
    "an empty record": lambda record, times: {"record": "", "times": ""},
    "no record of ours": lambda record, times: {"record": "[]", "times": "[]"},
    "another board": lambda record, times: {"board": 7},
}


def _half_played(store: Store, boards: BoardMode) -> tuple[Lease, Assignment]:
    """Claim a match of four games and keep the results of the first three."""
    make_league(store, ["simple", "greedy"], games=4, boards=boards)
    lease = claim_next(store)
    assert lease is not None
    task = _read(store, lease)
    keeper = Keeper(store, task, LONG)
    for planned in task.plan.games[:3]:
        keeper.begin(planned)
        keeper.save(play_game(task.plan, planned))
    return lease, _read(store, lease)


def _read(store: Store, lease: Lease) -> Assignment:
    with store.reading() as session:
        return results.read_assignment(session, lease)


def _damage(store: Store, number: int, what: str) -> None:
    """Damage the kept result of a game."""
    with store.writing() as session:
        row = session.scalars(select(Checkpoint).where(Checkpoint.number == number)).one()
        changed = DAMAGE[what](row.record or "", row.times or "")
        session.execute(update(Checkpoint).where(Checkpoint.number == number).values(changed))


def _local(bot: type[Bot]) -> LocalPlayer:
    return LocalPlayer(bot())


def _play_on(store: Store, task: Assignment) -> MatchOutcome:
    keeper = Keeper(store, task, LONG)
    bots: dict[str, type[Bot]] = {"simple": Simple, "greedy": Greedy}
    return asyncio.run(
        play_match(
            [partial(_local, bots[player.name]) for player in task.players],
            task.plan,
            on_begin=keeper.begin,
            on_game=keeper.save,
            on_void=keeper.void,
            finished=task.finished,
            voided=task.voided,
            begun=task.begun,
            unreadable=task.unreadable,
        )
    )


@pytest.mark.parametrize("what", DAMAGE)
def test_a_damaged_result_is_told_from_the_others(store: Store, what: str) -> None:
    lease, task = _half_played(store, BoardMode.PRIVATE)
    assert ([game.record.index for game in task.finished], task.unreadable) == ([0, 1, 2], {})
    _damage(store, 1, what)
    again = _read(store, lease)
    board = 7 if what == "another board" else task.finished[1].record.board
    assert again.finished == (task.finished[0], task.finished[2])
    assert (again.unreadable, again.begun) == ({1: board}, {})


def test_a_result_without_its_facts_is_damaged_too(store: Store) -> None:
    lease, _ = _half_played(store, BoardMode.PRIVATE)
    with store.writing() as session:
        session.delete(session.scalars(select(Game).where(Game.number == 2)).one())
    assert list(_read(store, lease).unreadable) == [2]


@pytest.mark.parametrize(
    ("boards", "replayed"), [(BoardMode.PRIVATE, {1}), (BoardMode.MIRRORED, {0, 2})]
)
def test_a_damaged_result_voids_its_own_board_and_the_match_is_played_out(
    store: Store, boards: BoardMode, replayed: set[int]
) -> None:
    """R10.3: private boards: the one game; mirrored ones: the seating set of the board."""
    lease, task = _half_played(store, boards)
    before = {game.record.index: game.record for game in task.finished}
    _damage(store, min(replayed), "a negative time")
    task = _read(store, lease)
    outcome = _play_on(store, task)
    assert outcome.end is MatchEnd.COMPLETE
    with store.writing() as session:
        results.finish_match(session, lease, task.header, outcome.games, at_us=9)
    with store.reading() as session:
        (row,) = queries.matches(session).rows
        games = verify_record(queries.match_record(session, row.id) or "").games
        voids = session.scalars(select(Void).order_by(Void.number)).all()
        stored = {game.number: game.board for game in session.scalars(select(Game))}
    assert (row.state, row.games_done, len(games)) == ("done", 4, 4)
    assert {(void.number, void.board, void.cause) for void in voids} == {
        (index, before[index].board, UNREADABLE) for index in replayed
    }
    assert {void.event for void in voids} == {1}
    for game in games:
        assert stored[game.index] == game.board
        if game.index in replayed:
            assert game.board != before[game.index].board
        elif game.index in before:
            assert game == before[game.index]
