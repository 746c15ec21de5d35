"""Captain, gin for three: who plays whom (rules R7.1-R7.5)."""

from dataclasses import dataclass

from arena.engine.cards import RANK, Card


@dataclass(frozen=True, slots=True)
class Roles:
    """The roles of a round, by seat 0 to 2."""

    box: int
    """Deals, and plays against the captain."""
    captain: int
    adviser: int
    """Sits out and advises the captain."""

    @classmethod
    def drawn(cls, cards: tuple[Card, ...]) -> "Roles":
        """Return the first roles by the cards drawn, by seat: highest rank in the box (R7.1)."""
        box, captain, adviser = sorted(range(3), key=lambda seat: -RANK[cards[seat]])
        return cls(box, captain, adviser)

    def after(self, winner: int | None) -> "Roles":
        """Return the roles of the next round (R7.4).

        Args:
            winner: the seat that won, None for a dead or tied round.
        """
        if winner is None:
            return self
        if winner == self.box:
            return Roles(self.box, self.adviser, self.captain)
        return Roles(self.captain, self.adviser, self.box)
