"""The score of a game: rounds folded into points, boxes and a winner (rules R3.7, R5)."""

from dataclasses import dataclass

from arena.engine.places import places
from arena.engine.rules import Rules


@dataclass(frozen=True, slots=True)
class GameResult:
    """The facts of a finished game, by seat."""

    winner: int | None
    """By the rules' `winner_by`; None: drawn."""
    points: tuple[int, ...]
    """Before the bonuses of the end."""
    totals: tuple[int, ...]
    """With all bonuses."""
    boxes: tuple[int, ...]
    """Rounds won."""
    shutout: bool
    """Whether the loser of the race won no round (R5.2)."""
    race_winner: int | None
    """First to the target."""
    total_winner: int | None
    """The larger total; None where equal."""
    places: tuple[int, ...]
    """1 is best; equal places are shared, all by a drawn game (R7.5)."""


class Score:
    """Points and boxes of a game, a round at a time; pure arithmetic, no cards.

    Three seats are those of captain, where the options leave no bonus to add (R7.5).
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.over = False
        self.rounds = 0
        """Rounds played, dead and tied ones included."""
        self.race_winner: int | None = None
        self._points = [0] * rules.players
        self._boxes = [0] * rules.players
        self._dead = 0

    @property
    def points(self) -> tuple[int, ...]:
        """Points by seat, with the boxes' bonuses only where they count at once."""
        return tuple(self._points)

    @property
    def boxes(self) -> tuple[int, ...]:
        """Rounds won, by seat."""
        return tuple(self._boxes)

    def add(self, winner: int | None, points: int) -> None:
        """Enter a round: its winner's seat and points, or None for a dead or tied one.

        Raises:
            ValueError: the game is over.
        """
        if self.over:
            raise ValueError("the game is over; no round can follow")
        self.rounds += 1
        if winner is None:
            self._dead += 1
            self.over = self._dead == self.rules.max_dead_rounds
            return
        self._dead = 0
        self._boxes[winner] += 1
        self._points[winner] += points
        if self.rules.box_when == "at_once":
            self._points[winner] += self.rules.box_bonus
        if self._points[winner] >= self.rules.target:
            self.over, self.race_winner = True, winner

    @property
    def shutout(self) -> bool:
        """Whether the race is won and no other seat has won a round."""
        won = [seat for seat, boxes in enumerate(self._boxes) if boxes]
        return self.race_winner is not None and won == [self.race_winner]

    @property
    def totals(self) -> tuple[int, ...]:
        """Points by seat with bonuses as they stand: without a race winner the boxes only."""
        rules = self.rules
        bonus = rules.box_bonus if rules.box_when == "end" else 0
        totals = [p + bonus * b for p, b in zip(self._points, self._boxes, strict=True)]
        if self.race_winner is not None:
            totals[self.race_winner] += self._game_bonus()
            if self.shutout and rules.shutout == "double_total":
                totals[self.race_winner] *= 2
        return tuple(totals)

    def _game_bonus(self) -> int:
        bonus = self.rules.game_bonus
        if not self.shutout:
            return bonus
        return {"plus_100": bonus + 100, "double_game": 2 * bonus}.get(self.rules.shutout, bonus)

    @property
    def total_winner(self) -> int | None:
        """The seat with the largest total once the race is won; None where shared."""
        if self.race_winner is None:
            return None
        return largest(self.totals)

    @property
    def winner(self) -> int | None:
        """The winner by the rules' option (R5.3); None: not over, or drawn."""
        return self.race_winner if self.rules.winner_by == "race" else self.total_winner

    def result(self) -> GameResult:
        """Return the facts as they stand."""
        return GameResult(
            winner=self.winner,
            points=self.points,
            totals=self.totals,
            boxes=self.boxes,
            shutout=self.shutout,
            race_winner=self.race_winner,
            total_winner=self.total_winner,
            places=places(self.winner, self.points, self.boxes),
        )


def largest(totals: tuple[int, ...]) -> int | None:
    """Return the seat with the largest number, None where two share it."""
    best = max(totals)
    return totals.index(best) if totals.count(best) == 1 else None
