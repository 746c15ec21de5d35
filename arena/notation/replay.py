"""The replay of a recorded game through the engine: positions, and every derived value."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NoReturn

from arena.engine.actions import Action, Declaration
from arena.engine.errors import IllegalActionError, InvalidNotationError
from arena.engine.game import Game
from arena.engine.result import price
from arena.engine.round import Round
from arena.engine.rules import Rules
from arena.engine.view import Advice
from arena.notation.advice import (
    Counsel,
    Given,
    is_note,
    read_mark,
    read_marks,
    write_mark,
    write_marks,
)
from arena.notation.record import GameRecord, RoundRecord
from arena.notation.text import Played, read_actions, write_actions

_TWO: Final = 2
_CAPTAIN: Final = 1
"""The round's seat of the captain, in a game of three."""


class ReplayError(InvalidNotationError):
    """A recorded game that the rules do not allow; `round_number` says where (0: the game)."""

    def __init__(self, round_number: int, detail: str, *, field: str = "actions") -> None:
        super().__init__(f"round {round_number}: {detail}" if round_number else detail)
        self.round_number = round_number
        self.detail = detail
        self.field = field if round_number else ""


@dataclass(frozen=True, slots=True)
class Step:
    """One position of a replay: the deal, or what an action led to."""

    round_number: int
    """From 1, within the game."""
    round: Round
    """The round as it now stands; the next step changes it, so `copy` what is kept."""
    seat: int | None = None
    """The round's seat that acted; None at the deal."""
    action: Action | None = None
    """None at the deal."""
    declaration: Declaration | None = None
    """What was declared with it; None: the referee's default."""
    seats: tuple[int, ...] = (0, 1)
    """The game's seat of each seat of the round; of three the adviser follows."""
    advice: Advice | None = None
    """What the adviser had told the captain."""


def replay_game(rules: Rules, game: GameRecord) -> Iterator[Step]:
    """Yield every position of a game, each round from its deal on.

    Raises:
        ReplayError: an action that the rules refuse, or text that is none.
    """
    played = Game(rules, game.seed)
    for place, record in enumerate(game.rounds, 1):
        yield from _replay_round(played, place, record)


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
        rounds.append(_derive_round(rules, played, place, record))
        is_last = place == len(game.rounds)
        if rounds[-1].ending is None and not (game.forfeit and is_last):
            raise ReplayError(place, "the actions stop before the end of the round")
    _check_end(played, game, rounds)
    seats = game.seating
    result = played.result
    if result is None:
        points = by_player(played.points, seats)
        open_game = replace(game, rounds=tuple(rounds), points=points, totals=points)
        return replace(open_game, winner=open_game.first)
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


def _check_end(played: Game, game: GameRecord, rounds: Sequence[RoundRecord]) -> None:
    if game.forfeit and rounds and rounds[-1].ending is not None:
        raise ReplayError(0, "the game is forfeited and no round of it is open")
    if not game.forfeit and not played.over:
        raise ReplayError(0, "the game stops before its end and nobody forfeits it")


def _derive_round(rules: Rules, played: Game, place: int, record: RoundRecord) -> RoundRecord:
    number, dealer, seats = played.round_number, played.dealer, played.seats
    steps = list(_replay_round(played, place, record))
    own = [step for step in steps if step.seat == _CAPTAIN]
    marks = zip(read_marks(record.advice), own, strict=False)
    derived = RoundRecord(
        number=number,
        dealer=dealer,
        actions=write_actions((s.action, s.declaration) for s in steps if s.action is not None),
        captain=None if played.roles is None else seats[_CAPTAIN],
        advice=write_marks(
            write_mark(read_mark(mark, step.action), step.action)
            for mark, step in marks
            if step.action is not None
        ),
        notes=tuple(
            (k, step.advice.note)
            for k, step in enumerate(own)
            if step.advice is not None and step.advice.note
        ),
    )
    result = steps[-1].round.result
    if result is None:
        return derived
    winner = None if result.winner is None else seats[result.winner]
    return replace(derived, ending=result.ending, winner=winner, points=price(rules, result))


def _replay_round(played: Game, place: int, record: RoundRecord) -> Iterator[Step]:
    if played.over:
        raise ReplayError(place, "the game was over before this round")
    number, current, seats = played.round_number, played.round, played.seats
    told = _Told(place, record)
    yield Step(number, current, seats=seats)
    for count, (action, declaration) in enumerate(_read(place, record.actions), 1):
        if current.result is not None:
            raise ReplayError(place, f"the round was over before action {count}")
        seat, advice = current.turn, None
        if len(seats) > _TWO and seat == _CAPTAIN:
            advice = told.at(action, current)
        try:
            played.apply(action, declaration)
        except IllegalActionError as error:
            raise ReplayError(place, f"action {count} is refused: {error}") from error
        yield Step(number, current, seat, action, declaration, seats, advice)
    told.close()


class _Told:
    """What a round's record says that the captain was told, decision by decision."""

    def __init__(self, place: int, record: RoundRecord) -> None:
        self._place = place
        self._notes = dict(record.notes)
        self._count = 0
        try:
            self._marks = read_marks(record.advice)
        except InvalidNotationError as error:
            raise ReplayError(place, str(error), field="advice") from error

    def at(self, action: Action, position: Round) -> Advice | None:
        """Return the advice at the captain's next action; None: there was none."""
        given: Given = Counsel.UNASKED
        if self._count < len(self._marks):
            given = read_mark(self._marks[self._count], action)
        note = self._notes.pop(self._count, "")
        self._count += 1
        if isinstance(given, Counsel):
            if note:
                self._fail("a note without advice", "notes")
            return None
        if given != action and given not in position.legal_actions():
            self._fail(f"mark {self._count} advises what is not legal", "advice")
        if not is_note(note):
            self._fail(f"the note of mark {self._count} is too long or not printable", "notes")
        return Advice(given, note)

    def close(self) -> None:
        """Refuse marks and notes that belong to no action of the captain."""
        if self._marks and len(self._marks) != self._count:
            detail = f"{len(self._marks)} marks; the captain acts {self._count} times"
            self._fail(detail, "advice")
        if self._notes:
            self._fail("a note that belongs to no action of the captain", "notes")

    def _fail(self, detail: str, field: str) -> NoReturn:
        raise ReplayError(self._place, detail, field=field)


def _read(place: int, actions: str) -> list[Played]:
    try:
        return read_actions(actions)
    except InvalidNotationError as error:
        raise ReplayError(place, str(error)) from error
