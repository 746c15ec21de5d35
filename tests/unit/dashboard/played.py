"""Leagues whose games the reference bots played in this process: real rounds to look at."""

from arena.engine.actions import SHOW
from arena.engine.game import Game
from arena.engine.view import Phase
from arena.notation.record import Forfeit, GameRecord, GameTimes, RoundRecord
from arena.notation.replay import derive_game
from arena.notation.text import read_actions, write_action, write_actions
from arena.referee.outcome import Fault, FinishedGame
from arena.referee.verdict import Cause, Evidence
from arena.schedule.plan import GamePlan, MatchPlan
from arena.sdk.bot import Bot
from arena.sdk.load import REFERENCE_BOTS, load_bot
from arena.store import results
from arena.store.database import Store
from arena.store.leases import Lease
from tests.leagues import LONG, claim_next

START_US = 1_796_000_000_000_000
"""When the first match ends: 2026-11-29, microseconds."""
MATCH_US = 40_000_000


def play_with_bots(store: Store, *, matches: int = 1_000, forfeit: bool = False) -> None:
    """Play waiting matches with the reference bots of the entries' names, others with `simple`.

    Args:
        store: with a started league.
        matches: most matches to play.
        forfeit: player 1 forfeits the first game of each match in its second round.
    """
    for number in range(matches):
        lease = claim_next(store)
        if lease is None:
            return
        save_games(store, lease, forfeit=forfeit)
        with store.reading() as session:
            task = results.read_assignment(session, lease)
        with store.writing() as session:
            at_us = START_US + number * MATCH_US
            results.finish_match(session, lease, task.header, task.finished, at_us=at_us)


def save_games(store: Store, lease: Lease, *, forfeit: bool = False, most: int = 1_000) -> None:
    """Play and save games of a claimed match, and leave it running."""
    with store.reading() as session:
        task = results.read_assignment(session, lease)
    bots = [
        load_bot(player.name if player.name in REFERENCE_BOTS else "simple")
        for player in task.players
    ]
    for plan in task.plan.games[:most]:
        game = play_game(task.plan, plan, bots)
        if forfeit and plan.index == 0:
            game = cut_short(task.plan, game.record)
        with store.writing() as session:
            results.begin_game(session, lease, plan, until_us=LONG)
            results.save_game(session, lease, task.header, game, until_us=LONG)


def play_game(plan: MatchPlan, game: GamePlan, bots: list[Bot]) -> FinishedGame:
    """Play one game to its end."""
    table = Game(plan.rules, game.seed)
    rounds = [""]
    while not table.over:
        observation = table.observe(table.turn)
        shows = observation.phase == Phase.SHOWDOWN
        action = SHOW if shows else bots[game.seating[table.turn]].act(observation)
        rounds[-1] += write_action(action)
        if table.apply(action) is not None:
            rounds.append("")
    return _finish(plan, _record(game, rounds[:-1], None))


def cut_short(plan: MatchPlan, record: GameRecord) -> FinishedGame:
    """Return a game that player 1 forfeited in its second round, with the evidence."""
    first, second = (one.actions for one in record.rounds[:2])
    few = write_actions(read_actions(second)[:3])
    game = GamePlan(record.index, record.board, record.seed, record.seating)
    forfeit = Forfeit(1, Cause.TIMEOUT.value)
    finished = _finish(plan, _record(game, [first, few], forfeit))
    evidence = Evidence("round 2: discard, hand AcAd", "nothing for 15 s", 10_000_000, 15_000_000)
    fault = Fault(record.index, 1, Cause.TIMEOUT, evidence)
    return FinishedGame(finished.record, finished.times, (fault,))


def _record(game: GamePlan, rounds: list[str], forfeit: Forfeit | None) -> GameRecord:
    played = tuple(RoundRecord(number, 0, text) for number, text in enumerate(rounds, 1))
    return GameRecord(
        game.index, game.board, game.seed, game.seating, played, None, (0, 0), (0, 0), forfeit
    )


def _finish(plan: MatchPlan, bare: GameRecord) -> FinishedGame:
    record = derive_game(plan.rules, bare)
    ticks = tuple((20,) * len(read_actions(one.actions)) for one in record.rounds)
    return FinishedGame(record, GameTimes(record.index, ticks))
