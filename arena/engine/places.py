"""The order in which the seats of a game come out, 1 is best (rules R5.3, R7.5, R10.2)."""

from collections.abc import Sequence


def places(
    winner: int | None, points: Sequence[int], boxes: Sequence[int], *, forfeiter: int | None = None
) -> tuple[int, ...]:
    """Return the place of each seat: the winner's, then by points, then by rounds won; ties share.

    A drawn game gives all the first place. Who forfeits comes last, and the others keep the order
    that they have at that moment.

    Args:
        winner: the seat that won; None: drawn, or forfeited.
        points: by seat.
        boxes: rounds won, by seat.
        forfeiter: the seat that forfeited the game.
    """
    seats = range(len(points))
    if winner is None and forfeiter is None:
        return tuple(1 for _ in seats)
    marks = [(seat != forfeiter, seat == winner, points[seat], boxes[seat]) for seat in seats]
    return tuple([1 + sum([other > mark for other in marks]) for mark in marks])
