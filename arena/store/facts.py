"""Facts of a finished game, read off its record: places, and who won what against whom.

Of two players every round is between them. Of three a round is between the box and the captain;
the one who sits out neither wins nor loses points in it (R7.5).
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from arena.engine.captain import Roles
from arena.engine.deal import draw_for_deal
from arena.engine.places import places
from arena.notation.record import GameRecord, RoundRecord
from arena.ratings.intervals import FORFEIT_MARGIN


def places_of(record: GameRecord) -> list[int]:
    """Return the place of each player, from 1; who forfeited is last (R7.5, R10.2)."""
    boxes = [0] * len(record.seating)
    for one in record.rounds:
        if one.winner is not None:
            boxes[record.seating[one.winner]] += 1
    forfeiter = record.forfeit.player if record.forfeit else None
    winner = record.winner if forfeiter is None else None
    return list(places(winner, record.points, boxes, forfeiter=forfeiter))


def is_sole_first(places: Sequence[int], player: int) -> bool:
    """Whether a player has the first place alone."""
    return places[player] == 1 and places.count(1) == 1


def duels_of(record: GameRecord) -> list[list[int]]:
    """Return rounds and margin of each two players, (0, 1), (0, 2), (1, 2).

    The open round of a forfeited game counts as lost by 35 points (R10.2).
    """
    pairs = list(combinations(range(len(record.seating)), 2))
    sums = {pair: [0, 0] for pair in pairs}
    for seats, one in _active_seats(record):
        first, second = sorted(record.seating[seat] for seat in seats)
        row = sums[first, second]
        row[0] += 1
        row[1] += _margin(record, one, first)
    return [sums[pair] for pair in pairs]


def duel(duels: Sequence[Sequence[int]], player: int, opponent: int) -> tuple[int, int]:
    """Return the rounds of two players and the points by which the first of them won them."""
    first, second = sorted((player, opponent))
    rounds, margin = duels[first + second - 1]
    return rounds, margin if player < opponent else -margin


def own_rounds(duels: Sequence[Sequence[int]], player: int) -> tuple[int, int]:
    """Return the rounds that a player played and the points by which it won them."""
    count = 2 if len(duels) == 1 else 3
    against = [duel(duels, player, other) for other in range(count) if other != player]
    return sum(rounds for rounds, _ in against), sum(margin for _, margin in against)


def _active_seats(record: GameRecord) -> Iterator[tuple[tuple[int, int], RoundRecord]]:
    """Yield the two seats that play each round, with the round."""
    if len(record.seating) == 2:
        yield from (((0, 1), one) for one in record.rounds)
        return
    roles = Roles.drawn(draw_for_deal(record.seed, 3)[-1])
    for one in record.rounds:
        yield (roles.box, roles.captain), one
        roles = roles.after(one.winner)


def _margin(record: GameRecord, one: RoundRecord, player: int) -> int:
    """Return the points by which one of the two active players won a round."""
    if one.ending is None:
        lost = record.forfeit is not None and record.forfeit.player == player
        return -FORFEIT_MARGIN if lost else FORFEIT_MARGIN
    if one.winner is None:
        return 0
    return one.points if record.seating[one.winner] == player else -one.points
