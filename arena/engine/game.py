"""A game: rounds from one board until a seat reaches the target (rules R2.3, R2.4, R5, R7)."""

from arena.engine.actions import Action, Declaration
from arena.engine.captain import Roles
from arena.engine.cards import RANK
from arena.engine.deal import Deal, draw_for_deal
from arena.engine.errors import Illegal, IllegalActionError
from arena.engine.hollywood import HollywoodScore
from arena.engine.result import RoundResult, price
from arena.engine.round import Round
from arena.engine.rules import Rules
from arena.engine.score import GameResult, Score
from arena.engine.view import Observation

__all__ = ["Game", "GameResult", "Score", "first_dealer", "next_dealer"]


def first_dealer(rules: Rules, seed: bytes) -> int:
    """Return the seat that deals the first round of a game for two (R2.3)."""
    if rules.first_dealer == "seeded":
        return seed[-1] & 1
    first, second = [RANK[card] for card in draw_for_deal(seed, 2)[-1]]
    return int((second > first) == (rules.first_dealer == "high"))


def next_dealer(rules: Rules, dealer: int, winner: int | None) -> int:
    """Return the seat that deals after a round; None as its winner: dead or tied (R2.4)."""
    if winner is None:
        return dealer
    return {"winner": winner, "loser": 1 - winner}.get(rules.next_dealer, 1 - dealer)


class Game:
    """A game of two or three seats; all its deals come from the seed of its board.

    A round is always between two: of three players between the box and the captain, who are the
    round's seats 0 and 1, whatever their seats in the game (R7.2).
    """

    def __init__(self, rules: Rules, seed: bytes) -> None:
        self.rules = rules
        self.seed = seed
        self.score: Score | HollywoodScore = (
            Score(rules) if rules.columns == 1 else HollywoodScore(rules)
        )
        self.round_number = 1
        self.roles: Roles | None = None
        """The roles of the round, None in a game of two."""
        dealer = 0
        if rules.players == 2:
            dealer = first_dealer(rules, seed)
        else:
            self.roles = Roles.drawn(draw_for_deal(seed, 3)[-1])
        self.round = Round(rules, Deal.of(seed, 1), dealer)

    @property
    def seats(self) -> tuple[int, ...]:
        """The game's seat of each seat of the round; of three the adviser follows."""
        roles = self.roles
        return (0, 1) if roles is None else (roles.box, roles.captain, roles.adviser)

    @property
    def turn(self) -> int:
        """The seat that decides."""
        return self.seats[self.round.turn]

    @property
    def dealer(self) -> int:
        """The seat that dealt the round."""
        return self.seats[self.round.dealer]

    @property
    def adviser(self) -> int | None:
        """The seat that sits out, None in a game of two."""
        return None if self.roles is None else self.roles.adviser

    @property
    def points(self) -> tuple[int, ...]:
        """Points by seat, before the bonuses of the end."""
        return self.score.points

    @property
    def over(self) -> bool:
        """Whether the game has its result."""
        return self.score.over

    @property
    def result(self) -> GameResult | None:
        """The result, None while the game goes on."""
        return self.score.result() if self.over else None

    def observe(self, seat: int) -> Observation:
        """Return what a seat may know now; the adviser sees what the captain sees (R7.3)."""
        points = self.score.points
        if self.roles is not None:
            seats = self.seats
            seat = min(seats.index(seat), 1)
            points = tuple([points[each] for each in seats])
        seen = self.round.observe(seat, round_number=self.round_number, points=points)
        if isinstance(self.score, HollywoodScore):
            seen = seen._replace(columns=self.score.sums)
        return seen

    def apply(
        self, action: Action, declaration: Declaration | None = None, *, seat: int | None = None
    ) -> RoundResult | None:
        """Play an action of the seat on turn; see `Round.apply`.

        Returns:
            The result of the round that the action ended, by the round's seats, else None. The next
            round is dealt at once unless the game is over; then `round` stays at the last one.

        Raises:
            IllegalActionError: with the cause; nothing has changed.
        """
        seats = self.seats
        if seat is not None and seat != self.turn and not self.over:
            raise IllegalActionError(Illegal.NOT_YOUR_TURN, f"seat {self.turn} is on turn")
        self.round.apply(action, declaration)
        result = self.round.result
        if result is not None and not self.over:
            winner = None if result.winner is None else seats[result.winner]
            self.score.add(winner, price(self.rules, result))
            self._deal_next(winner)
        return result

    def _deal_next(self, winner: int | None) -> None:
        if self.over:
            return
        dealer = 0
        if self.roles is None:
            dealer = next_dealer(self.rules, self.round.dealer, winner)
        else:
            self.roles = self.roles.after(winner)
        self.round_number += 1
        self.round = Round(self.rules, Deal.of(self.seed, self.round_number), dealer)
