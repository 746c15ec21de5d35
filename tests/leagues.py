"""Leagues and finished games for tests of the store, the worker and the pages."""

import random
from collections.abc import Sequence
from typing import Any

from arena.engine.actions import Action, Kind
from arena.engine.game import Game
from arena.engine.rules import Rules
from arena.notation.record import Forfeit, GameRecord, GameTimes, RoundRecord, Void
from arena.notation.replay import derive_game
from arena.notation.text import read_actions, write_action
from arena.referee.outcome import Fault, FinishedGame
from arena.referee.verdict import Cause, Evidence
from arena.schedule.plan import GamePlan, MatchPlan
from arena.store import leases, repository, results
from arena.store.database import Store
from arena.store.leases import Lease
from arena.store.repository import LeagueSpec

LONG = 10**18
"""A time far in the future, microseconds."""


def make_league(store: Store, names: Sequence[str], **values: Any) -> str:
    """Start a league of bots that listen nowhere; returns its public id."""
    spec = LeagueSpec(**{"name": "Test", "games": 2, "organiser_seed": bytes(32), **values})
    with store.writing() as session:
        league = repository.create_league(session, spec)
        for number, name in enumerate(names):
            version = repository.submit_bot(
                session, name, version="1", host="127.0.0.1", port=1 + number
            )
            nonce = number.to_bytes(32, "big")
            repository.enter(session, league, version_id=version, nonce=nonce)
        repository.start_league(session, league)
    return league


def claim_next(store: Store, *, owner: str = "test", until_us: int = LONG) -> Lease | None:
    """Queue the next match if any waits, and claim it."""
    with store.writing() as session:
        for key in leases.queue_matches(session, limit=1, at_us=1):
            return leases.claim(session, key, owner=owner, at_us=1, until_us=until_us, attempts=3)
    return None


def play_league(store: Store, *, strong: int | None = 0) -> int:
    """Play every waiting match by chance and return how many; see `play_game` for `strong`."""
    count = 0
    while lease := claim_next(store):
        play_claimed(store, lease, at_us=count + 2, strong=strong)
        count += 1
    return count


def play_claimed(store: Store, lease: Lease, *, at_us: int = 2, strong: int | None = 0) -> None:
    """Play a claimed match to its end."""
    with store.reading() as session:
        task = results.read_assignment(session, lease)
    games = [play_game(task.plan, game, strong=strong) for game in task.plan.games]
    with store.writing() as session:
        results.finish_match(session, lease, task.header, games, at_us=at_us)


def play_forfeits(store: Store) -> None:
    """Play the next match: player 1 forfeits the first half of its games, player 0 the second."""
    lease = claim_next(store)
    assert lease is not None
    with store.reading() as session:
        task = results.read_assignment(session, lease)
    half = len(task.plan.games) // 2
    games = [forfeit_game(task.plan, game, int(game.index < half)) for game in task.plan.games]
    with store.writing() as session:
        results.finish_match(session, lease, task.header, games, at_us=1)


def play_game(plan: MatchPlan, game: GamePlan, *, strong: int | None = 0) -> FinishedGame:
    """Play a game by chance, the same each time; player `strong`, None: each, knocks if it can."""
    table = Game(plan.rules, game.seed)
    dice = random.Random(game.seed)
    rounds: list[str] = [""]
    while not table.over:
        action = _choose(table, dice, knocks=strong in (None, game.seating[table.turn]))
        rounds[-1] += write_action(action)
        if table.apply(action) is not None:
            rounds.append("")
    return _finished(plan.rules, game, [text for text in rounds if text])


def forfeit_game(plan: MatchPlan, game: GamePlan, player: int) -> FinishedGame:
    """Return a game forfeited in its first round, with its evidence."""
    evidence = Evidence("round 1: draw", "nothing for 15 s", 15_000_000, 15_000_000)
    fault = Fault(game.index, player, Cause.TIMEOUT, evidence)
    record = _record(game, ("p",), forfeit=Forfeit(player, Cause.TIMEOUT.value))
    return FinishedGame(derive_game(plan.rules, record), GameTimes(game.index, ((1,),)), (fault,))


def _choose(table: Game, dice: random.Random, *, knocks: bool) -> Action:
    legal = table.round.legal_actions()
    knock = [action for action in legal if action.kind in (Kind.KNOCK, Kind.BIG_GIN)]
    if knock and knocks:
        return knock[0]
    return dice.choice([action for action in legal if action not in knock] or legal)


def _record(
    game: GamePlan,
    rounds: Sequence[str],
    *,
    forfeit: Forfeit | None = None,
    voids: Sequence[Void] = (),
) -> GameRecord:
    return GameRecord(
        index=game.index,
        board=game.board,
        seed=game.seed,
        seating=game.seating,
        rounds=tuple(RoundRecord(number, 0, text) for number, text in enumerate(rounds, 1)),
        winner=None,
        points=(0,) * len(game.seating),
        totals=(0,) * len(game.seating),
        forfeit=forfeit,
        voids=tuple(voids),
    )


def _finished(rules: Rules, game: GamePlan, rounds: Sequence[str]) -> FinishedGame:
    record = derive_game(rules, _record(game, rounds))
    ticks = tuple((1,) * len(read_actions(one.actions)) for one in record.rounds)
    return FinishedGame(record, GameTimes(game.index, ticks))
