"""Who won what against whom in a game, read off its record.

Of two players every round is between them. Of three a round is between the box and the captain;
the one who sits out neither wins nor loses points in it (R7.5).
"""

from collections.abc import Sequence
from itertools import combinations

from arena.notation.record import GameRecord, RoundRecord
from arena.ratings.intervals import FORFEIT_MARGIN


def is_sole_first(places: Sequence[int], player: int) -> bool:
    """Whether a player has the first place alone."""
    return places[player] == 1 and places.count(1) == 1


def duels_of(record: GameRecord) -> list[list[int]]:
    """Return rounds and margin of each two players, (0, 1), (0, 2), (1, 2).

    The open round of a forfeited game counts as lost by 35 points (R10.2).
    """
    pairs = list(combinations(range(len(record.seating)), 2))
    sums = {pair: [0, 0] for pair in pairs}
    for one in record.rounds:
        first, second = sorted(record.seating[seat] for seat in one.active)
        sums[first, second][0] += 1
        sums[first, second][1] += _margin(record, one, first)
    return [sums[pair] for pair in pairs]


def duel(duels: Sequence[Sequence[int]], player: int, opponent: int) -> tuple[int, int]:
    """Return the rounds of two players and the points by which the first of them won them."""
    first, second = sorted((player, opponent))
    rounds, margin = duels[first + second - 1]
    return rounds, margin if player < opponent else -margin


def own_rounds(duels: Sequence[Sequence[int]], player: int) -> tuple[int, int]:
    """Return the rounds that a player played and the points by which it won them."""
    players = 2 if len(duels) == 1 else 3
    against = [duel(duels, player, other) for other in range(players) if other != player]
    return sum(rounds for rounds, _ in against), sum(margin for _, margin in against)


def _margin(record: GameRecord, one: RoundRecord, player: int) -> int:
    """Return the points by which one of the two active players won a round."""
    if one.ending is None:
        return FORFEIT_MARGIN * record.open_round(player)
    if one.winner is None:
        return 0
    return one.points if record.seating[one.winner] == player else -one.points
