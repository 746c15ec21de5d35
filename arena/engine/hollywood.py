"""Hollywood: one game scored in three columns (rules R6.2)."""

from arena.engine.places import places
from arena.engine.rules import Rules
from arena.engine.score import GameResult, Score, largest


class HollywoodScore:
    """Three columns, each a `Score` of its own that closes when a seat reaches the target in it.

    A seat's entries in a column are the boxes of that column.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.columns = tuple(Score(rules) for _ in range(rules.columns))
        self.rounds = 0
        self._dead = 0
        self._boxes = [0] * rules.players

    @property
    def over(self) -> bool:
        """Whether all columns are closed, or too many rounds in a row were dead (R3.7)."""
        drawn = self._dead == self.rules.max_dead_rounds
        return drawn or all(column.over for column in self.columns)

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
            return
        self._dead = 0
        self._boxes[winner] += 1
        for column in self._entered(winner):
            column.add(winner, points)

    def _entered(self, winner: int) -> list[Score]:
        """Return the columns in which a win counts: those begun and the next one."""
        open_columns = [column for column in self.columns if not column.over]
        begun = [column for column in open_columns if column.boxes[winner]]
        return begun + [column for column in open_columns if not column.boxes[winner]][:1]

    @property
    def sums(self) -> tuple[tuple[int, ...], ...]:
        """Points by column, then by seat."""
        return tuple(column.points for column in self.columns)

    @property
    def closed(self) -> tuple[int | None, ...]:
        """By column the seat that closed it."""
        return tuple(column.race_winner for column in self.columns)

    @property
    def points(self) -> tuple[int, ...]:
        """Points of all columns, by seat."""
        return tuple(map(sum, zip(*self.sums, strict=True)))

    @property
    def boxes(self) -> tuple[int, ...]:
        """Rounds won, by seat."""
        return tuple(self._boxes)

    @property
    def totals(self) -> tuple[int, ...]:
        """Points and bonuses of all columns, by seat; an open column has its boxes only."""
        return tuple(map(sum, zip(*[column.totals for column in self.columns], strict=True)))

    @property
    def winner(self) -> int | None:
        """The larger sum of three settled totals; None: not over, or drawn."""
        return largest(self.totals) if all(column.over for column in self.columns) else None

    def result(self) -> GameResult:
        """Return the facts as they stand; the race is that of the first column."""
        first = self.columns[0]
        return GameResult(
            winner=self.winner,
            points=self.points,
            totals=self.totals,
            boxes=self.boxes,
            shutout=first.shutout,
            race_winner=first.race_winner,
            total_winner=self.winner,
            places=places(self.winner, self.points, self.boxes),
        )
