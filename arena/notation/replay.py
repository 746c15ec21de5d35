"""The replay of a recorded game through the engine: positions, and every derived value."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from arena.engine.actions import Action, Declaration
from arena.engine.errors import IllegalActionError, InvalidNotationError
from arena.engine.game import Game
from arena.engine.result import price
from arena.engine.round import Round
from arena.engine.rules import Rules
from arena.notation.record import GameRecord, RoundRecord
from arena.notation.text import Played, read_actions, write_actions


class ReplayError(InvalidNotationError):
    """A recorded game that the rules do not allow; `round_number` says where (0: the game)."""

    def __init__(self, round_number: int, detail: str) -> None:
        super().__init__(f"round {round_number}: {detail}" if round_number else detail)
        self.round_number = round_number
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Step:
    """One position of a replay: the deal, or what an action led to."""

    round_number: int
    """From 1, within the game."""
    round: Round
    """The round as it now stands; the next step changes it, so `copy` what is kept."""
    seat: int | None = None
    """The seat that acted; None at the deal."""
    action: Action | None = None
    """None at the deal."""
    declaration: Declaration | None = None
    """What was declared with it; None: the referee's default."""


def replay_game(rules: Rules, game: GameRecord) -> Iterator[Step]:
    """Yield every position of a game, each round from its deal on.

    Raises:
        ReplayError: an action that the rules refuse, or text that is none.
    """
    played = Game(rules, game.seed)
    for place, record in enumerate(game.rounds, 1):
        yield from _replay_round(played, place, record.actions)


def derive_game(rules: Rules, game: GameRecord) -> GameRecord:
    """Return the game with every value that replay settles recomputed, nothing of it read.

    Read are the board, its seed, the seating, the rounds' actions, forfeit and voids.

    Raises:
        ReplayError: an action that the rules refuse; a round or a game that ends too early, too
            late, or is open without a forfeit.
    """
    if sorted(game.seating) != list(range(rules.players)):
        raise ReplayError(0, f"seating {list(game.seating)} does not seat each player once")
    if game.forfeit and game.forfeit.player not in game.seating:
        raise ReplayError(0, f"player {game.forfeit.player} forfeits and does not play")
    played = Game(rules, game.seed)
    rounds = []
    for place, record in enumerate(game.rounds, 1):
        rounds.append(_derive_round(rules, played, place, record.actions))
        is_last = place == len(game.rounds)
        if rounds[-1].ending is None and not (game.forfeit and is_last):
            raise ReplayError(place, "the actions stop before the end of the round")
    _check_end(played, game, rounds)
    seats = game.seating
    result = played.result
    if result is None:
        points = by_player(played.points, seats)
        return replace(game, rounds=tuple(rounds), winner=_left(game), points=points, totals=points)
    return replace(
        game,
        rounds=tuple(rounds),
        winner=None if result.winner is None else seats[result.winner],
        points=by_player(result.points, seats),
        totals=by_player(result.totals, seats),
    )


def by_player(values: Sequence[int], seating: Sequence[int]) -> tuple[int, ...]:
    """Return values given by seat in the order of the players."""
    return tuple(values[seating.index(player)] for player in range(len(seating)))


def _left(game: GameRecord) -> int | None:
    """Return the one player who did not forfeit; None with three players (R10.2)."""
    left = [player for player in game.seating if game.forfeit and player != game.forfeit.player]
    return left[0] if len(left) == 1 else None


def _check_end(played: Game, game: GameRecord, rounds: Sequence[RoundRecord]) -> None:
    if game.forfeit and rounds and rounds[-1].ending is not None:
        raise ReplayError(0, "the game is forfeited and no round of it is open")
    if not game.forfeit and not played.over:
        raise ReplayError(0, "the game stops before its end and nobody forfeits it")


def _derive_round(rules: Rules, played: Game, place: int, actions: str) -> RoundRecord:
    number, dealer = played.round_number, played.round.dealer
    steps = list(_replay_round(played, place, actions))
    text = write_actions((s.action, s.declaration) for s in steps if s.action is not None)
    result = steps[-1].round.result
    if result is None:
        return RoundRecord(number, dealer, text)
    return RoundRecord(number, dealer, text, result.ending, result.winner, price(rules, result))


def _replay_round(played: Game, place: int, actions: str) -> Iterator[Step]:
    if played.over:
        raise ReplayError(place, "the game was over before this round")
    number, current = played.round_number, played.round
    yield Step(number, current)
    for count, (action, declaration) in enumerate(_read(place, actions), 1):
        if current.result is not None:
            raise ReplayError(place, f"the round was over before action {count}")
        seat = current.turn
        try:
            played.apply(action, declaration)
        except IllegalActionError as error:
            raise ReplayError(place, f"action {count} is refused: {error}") from error
        yield Step(number, current, seat, action, declaration)


def _read(place: int, actions: str) -> list[Played]:
    try:
        return read_actions(actions)
    except InvalidNotationError as error:
        raise ReplayError(place, str(error)) from error
