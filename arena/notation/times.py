"""The times of a match as a file of its own, ``ginarena-times/1``, chained like the record.

In order: a header that names the last link of the record it belongs to; a line a game; a last
line with the number of games.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from arena.notation.chain import Line, chain, unchain
from arena.notation.record import TIMES_FORMAT, FaultTime, GameTimes, Record
from arena.notation.text import read_actions

_FAULT_FIELDS: Final = (int, int, int, str, int, int)


def write_times(record_text: str, times: Iterable[GameTimes]) -> str:
    """Write the times of a record, all games in order.

    Raises:
        RecordError: `record_text` is not chained.
        ValueError: a time below zero, which no reader takes.
    """
    return chain(_lines(unchain(record_text)[-1].link, times))


def _lines(link: str, times: Iterable[GameTimes]) -> Iterator[dict[str, Any]]:
    yield {"format": TIMES_FORMAT, "record": link}
    count = 0
    for game in times:
        count += 1
        if any(tick < 0 for ticks in game.rounds for tick in ticks):
            raise ValueError(f"game {game.index} has a time below zero")
        line: dict[str, Any] = {"game": game.index, "ticks": [list(t) for t in game.rounds]}
        if game.faults:
            line["faults"] = [
                [f.round, f.action, f.player, f.cause, f.sent_us, f.received_us]
                for f in game.faults
            ]
        yield line
    yield {"games": count}


def read_times(text: str, record_text: str, record: Record) -> tuple[GameTimes, ...]:
    """Read times and check form, links, and that they fit their record action by action.

    Args:
        text: the times.
        record_text: the record they belong to.
        record: the same, read.

    Raises:
        RecordError: the first line of the times that does not hold.
    """
    lines = unchain(text)
    header, last = lines[0], lines[-1]
    if header.values != {"format": TIMES_FORMAT, "record": unchain(record_text)[-1].link}:
        header.fail("is not the header of the times of this record", "record")
    if last is header or last.values != {"games": len(record.games)}:
        last.fail(f"should end with the {len(record.games)} games of the record", "games")
    times = tuple(map(_read_game, lines[1:-1]))
    for line, game, counts in zip(lines[1:-1], times, _counts(record), strict=False):
        if [game.index, *map(len, game.rounds)] != counts:
            line.fail(f"game and actions a round should be {counts}", "ticks")
    if len(times) != len(record.games):
        last.fail(f"there are {len(times)} games", "games")
    return times


def _counts(record: Record) -> list[list[int]]:
    return [
        [game.index, *(len(read_actions(round_.actions)) for round_ in game.rounds)]
        for game in record.games
    ]


def _read_game(line: Line) -> GameTimes:
    ticks = line.values.get("ticks")
    if not isinstance(ticks, list) or not all(map(_are_ticks, ticks)):
        line.fail("is not a list of ticks a round", "ticks")
    faults = line.values.get("faults", [])
    if not isinstance(faults, list) or not all(map(_is_fault, faults)):
        line.fail("is not a list of faults", "faults")
    if set(line.values) - {"game", "ticks", "faults"}:
        line.fail("a game's line has game, ticks and faults only")
    return GameTimes(
        line.integer("game"), tuple(map(tuple, ticks)), tuple(FaultTime(*f) for f in faults)
    )


def _are_ticks(value: object) -> bool:
    return isinstance(value, list) and all(type(t) is int and t >= 0 for t in value)


def _is_fault(value: object) -> bool:
    if not isinstance(value, list) or len(value) != len(_FAULT_FIELDS):
        return False
    return _types(value[:-1]) == _FAULT_FIELDS[:-1] and type(value[-1]) in (int, type(None))


def _types(values: Sequence[object]) -> tuple[type, ...]:
    return tuple(map(type, values))
