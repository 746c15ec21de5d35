"""Records of real games, played in process by reference bots or at random."""

import random
from collections.abc import Callable, Sequence

from arena.engine.actions import Action, Declaration, Kind
from arena.engine.game import Game
from arena.engine.melds import arrangements, best_discards
from arena.engine.rules import Rules
from arena.engine.showdown import best_defence
from arena.engine.view import Observation
from arena.notation.record import GameRecord, Header, RoundRecord
from arena.notation.replay import derive_game
from arena.notation.text import write_action
from arena.schedule.plan import BoardMode, GamePlan, MatchPlan, TimeControl

Decide = Callable[[Observation], tuple[Action, Declaration | None]]


def by_bot(act: Callable[[Observation], Action]) -> Decide:
    """Let a bot's `act` decide, the referee show for it."""

    def decide(observation: Observation) -> tuple[Action, Declaration | None]:
        legal = observation.legal
        return (legal[0] if legal[0].kind is Kind.SHOW else act(observation)), None

    return decide


def at_random(rng: random.Random) -> Decide:
    """Knock whenever possible, declare at random half the time, throw what is of least use."""

    def decide(observation: Observation) -> tuple[Action, Declaration | None]:
        legal = observation.legal
        action = rng.choice([a for a in legal if a.kind >= Kind.KNOCK] or list(legal))
        if action.kind is Kind.DISCARD:
            _, useless = best_discards(observation.hand)
            action = rng.choice([a for a in legal if useless >> a.card & 1] or list(legal))
        if rng.random() < 0.5 or action.kind < Kind.KNOCK:
            return action, None
        shown = observation.hand
        if action.kind is Kind.SHOW and rng.random() < 0.5:
            allowed = observation.layoffs_allowed
            return action, best_defence(shown, observation.spread, layoffs_allowed=allowed)
        if action.kind is Kind.KNOCK:
            shown ^= 1 << action.card
        return action, Declaration(rng.choice(arrangements(shown)))

    return decide


def play_game(rules: Rules, plan: GamePlan, players: Sequence[Decide]) -> GameRecord:
    """Play one game and record it."""
    game = Game(rules, plan.seed)
    rounds: list[RoundRecord] = []
    actions = ""
    while not game.over:
        dealer = game.round.dealer
        action, declaration = players[plan.seating[game.turn]](game.observe(game.turn))
        result = game.apply(action, declaration)
        actions += write_action(action, declaration)
        if result is not None:
            rounds.append(RoundRecord(len(rounds) + 1, dealer, actions, result.ending))
            actions = ""
    played = GameRecord(
        plan.index, plan.board, plan.seed, plan.seating, tuple(rounds), None, (), ()
    )
    return derive_game(rules, played)


def play_match(
    rules: Rules, players: Sequence[Decide], *, games: int, names: Sequence[str] = ("a", "b")
) -> tuple[Header, list[GameRecord]]:
    """Play a match on boards of a fixed master seed."""
    control = TimeControl.named("standard")
    plan = MatchPlan(rules, control, BoardMode.PRIVATE, bytes(range(32)), games)
    header = Header(rules, tuple((name, "1") for name in names), control.as_dict(), plan.mode.value)
    return header, [play_game(rules, game, players) for game in plan.games]
