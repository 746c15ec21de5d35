"""Round-robin by the circle method, seats equal, one cycle at a time.

A cycle pairs every player once (one stands aside when their number is odd); all cycles of a leg
pair everybody with everybody once. Each cycle is computed from its number alone, so that a league
of any length needs no memory.

Source: E. Lucas, "Les jeux de demoiselles", Récréations mathématiques II (1883): all players but
one stand in a circle, which turns by one place from cycle to cycle.
"""

from collections.abc import Iterator


def cycle_count(players: int) -> int:
    """Return the cycles of one leg: players - 1, or players when their number is odd.

    Raises:
        ValueError: fewer than two players.
    """
    if players < 2:
        raise ValueError(f"a round-robin of {players} players; it needs at least 2")
    return players - 1 + players % 2


def cycle(players: int, number: int) -> list[tuple[int, int]]:
    """Return the pairs of one cycle, from 0; the first of a pair sits first in its first game.

    Over a leg every player is first in half of its pairs (in one more or less when their number
    is even); over two legs in exactly half: every second leg turns all pairs round.

    Raises:
        ValueError: fewer than two players, or a negative number.
    """
    count = cycle_count(players)
    if number < 0:
        raise ValueError(f"cycle {number}; cycles are counted from 0")
    leg, turn = divmod(number, count)
    pairs = [((turn + step) % count, (turn - step) % count) for step in range(1, (count + 1) // 2)]
    pairs = [pair if step % 2 else pair[::-1] for step, pair in enumerate(pairs)]
    if players % 2 == 0:
        outer = (turn, count)
        pairs.append(outer if turn % 2 else outer[::-1])
    return [pair[::-1] for pair in pairs] if leg % 2 else pairs


def round_robin(players: int, *, legs: int = 1) -> Iterator[tuple[int, int]]:
    """Yield all pairs, cycle by cycle.

    Raises:
        ValueError: fewer than two players.
    """
    for number in range(legs * cycle_count(players)):
        yield from cycle(players, number)
