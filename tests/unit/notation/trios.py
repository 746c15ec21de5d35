"""Records of captain with advice, played at random in process."""

import random
from collections.abc import Sequence

from arena.engine.game import Game
from arena.engine.rules import Rules
from arena.notation.advice import Counsel, Given, write_mark, write_marks
from arena.notation.record import GameRecord, Header, RoundRecord
from arena.notation.replay import derive_game
from arena.notation.text import write_action
from arena.schedule.plan import BoardMode, GamePlan, MatchPlan, TimeControl
from tests.unit.notation.playing import at_random

NAMES = (("a", "1"), ("b", "1"), ("c", "1"))


def play_game(rules: Rules, plan: GamePlan, rng: random.Random) -> GameRecord:
    """Play a game of three in which every kind of advice occurs, notes with some of it."""
    game, decide = Game(rules, plan.seed), at_random(rng)
    rounds: list[RoundRecord] = []
    actions = ""
    marks: list[str] = []
    notes: list[tuple[int, str]] = []
    while not game.over:
        dealer, captain, _ = game.seats
        seen = game.observe(game.turn)
        action, declaration = decide(seen)
        if game.turn == captain:
            given = advice(rng, seen.legal)
            if not isinstance(given, Counsel) and rng.random() < 0.1:
                notes.append((len(marks), rng.choice(["now", "ärger"])))
            marks.append(write_mark(given, action))
        result = game.apply(action, declaration)
        actions += write_action(action, declaration)
        if result is not None:
            rounds.append(
                RoundRecord(
                    number=len(rounds) + 1,
                    dealer=dealer,
                    actions=actions,
                    ending=result.ending,
                    captain=captain,
                    advice=write_marks(marks),
                    notes=tuple(notes),
                )
            )
            actions, marks, notes = "", [], []
    played = GameRecord(
        plan.index, plan.board, plan.seed, plan.seating, tuple(rounds), None, (), ()
    )
    return derive_game(rules, played)


def advice(rng: random.Random, legal: Sequence[Given]) -> Given:
    """Advise a legal action half the time, else fail in one of the ways there are."""
    kinds = [kind for kind in Counsel if len(kind.value) == 1 and kind is not Counsel.FOLLOWED]
    return rng.choice(legal) if rng.random() < 0.5 else rng.choice(kinds)


def play_match(
    rules: Rules, *, games: int, seed: str = "captain"
) -> tuple[Header, list[GameRecord]]:
    """Play a match on boards of a fixed master seed."""
    rng, control = random.Random(seed), TimeControl()
    plan = MatchPlan(rules, control, BoardMode.PRIVATE, bytes(range(32)), games)
    header = Header(rules, NAMES, control.as_dict(), plan.mode.value)
    return header, [play_game(rules, game, rng) for game in plan.games]
