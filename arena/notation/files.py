"""The record as a file, ``ginarena-record/1``: JSON Lines, each linked to all before it.

In order: a header; for each game an opening line, a line a round and a closing line; a last line
with the number of games. The deals are not written, board seed and round number give them (R9.1).
Nothing in it depends on when, where or how fast the match was played.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from arena.engine.errors import GinArenaError
from arena.engine.result import Ending
from arena.engine.rules import Rules
from arena.notation.chain import Line, chain, unchain
from arena.notation.record import FORMAT, Forfeit, GameRecord, Header, Record, RoundRecord, Void

BOARD_MODES: Final = ("private", "mirrored")
"""How tables share boards (R9.4)."""
_SEED_DIGITS: Final = 64
_TWO: Final = 2
"""Players of a game without places: its winner says all."""


def write_record(header: Header, games: Iterable[GameRecord]) -> str:
    """Write a record; the same facts give the same bytes."""
    return chain(record_lines(header, games))


def record_lines(header: Header, games: Iterable[GameRecord]) -> Iterator[dict[str, Any]]:
    """Yield the lines of a record in order, as values without links."""
    yield {
        "format": FORMAT,
        "rules": header.rules.as_dict(),
        "players": [list(player) for player in header.players],
        "time_control": dict(header.time_control),
        "boards": header.boards,
    }
    count = 0
    for game in games:
        count += 1
        yield from _game_lines(game)
    yield {"games": count}


def _game_lines(game: GameRecord) -> Iterator[dict[str, Any]]:
    opening: dict[str, Any] = {
        "game": game.index,
        "board": game.board,
        "seed": game.seed.hex(),
        "seating": list(game.seating),
    }
    if game.voids:
        opening["voids"] = [[void.board, void.cause] for void in game.voids]
    yield opening
    yield from map(_round_line, game.rounds)
    closing: dict[str, Any] = {
        "winner": game.winner,
        "points": list(game.points),
        "totals": list(game.totals),
    }
    if len(game.seating) > _TWO:
        closing["places"] = list(game.places)
    if game.forfeit:
        closing["forfeit"] = [game.forfeit.player, game.forfeit.cause]
    yield closing


def _round_line(record: RoundRecord) -> dict[str, Any]:
    line: dict[str, Any] = {"round": record.number, "dealer": record.dealer}
    if record.captain is not None:
        line["captain"] = record.captain
    line["actions"] = record.actions
    if record.advice:
        line["advice"] = record.advice
    if record.notes:
        line["notes"] = [list(note) for note in record.notes]
    if record.ending is not None:
        line |= {"ending": record.ending.value, "winner": record.winner, "points": record.points}
    return line


def read_record(text: str) -> Record:
    """Read a record and check its form and its links; `verify_record` checks its facts too.

    Raises:
        RecordError: the first line that does not hold.
    """
    lines = unchain(text)
    header = _read_header(lines[0])
    games: list[GameRecord] = []
    rest = iter(lines[1:])
    for line in rest:
        if "games" in line.values:
            break
        games.append(_read_game(line, rest, players=header.rules.players))
    else:
        lines[-1].fail("nothing follows; a record ends with its number of games")
    for line in rest:
        line.fail("follows the number of games, which ends a record")
    compare(lines, record_lines(header, games))
    return Record(header, tuple(games))


def compare(lines: Iterable[Line], expected: Iterable[Mapping[str, Any]]) -> None:
    """Check that lines hold exactly the expected values, in number and order.

    Raises:
        RecordError: the first line that differs, and the first field of it that does.
    """
    for line, values in zip(lines, expected, strict=True):
        if line.values == values and list(line.values) == list(values):
            continue
        for name in (*values, *line.values):
            if name not in values:
                line.fail("does not belong there", name)
            if name not in line.values or line.values[name] != values[name]:
                found = line.values.get(name)
                line.fail(f"is {found!r}; it should be {values[name]!r}", name)
        line.fail(f"members out of order; the order is {', '.join(values)}")


def _read_header(line: Line) -> Header:
    if line.values.get("format") != FORMAT:
        line.fail(f"{line.values.get('format')!r} is not {FORMAT!r}", "format")
    players = line.values.get("players")
    clocks = line.values.get("time_control")
    if not isinstance(players, list) or not all(map(_is_pair_of_text, players)):
        line.fail("is not a list of names and versions", "players")
    if not isinstance(clocks, dict) or any(type(v) not in (int, str) for v in clocks.values()):
        line.fail("is not a set of whole numbers by name", "time_control")
    if line.text("boards") not in BOARD_MODES:
        line.fail(f"is not one of {', '.join(BOARD_MODES)}", "boards")
    rules = _read_rules(line)
    if len(players) != rules.players:
        line.fail(f"{len(players)} players; the rules are for {rules.players}", "players")
    named = tuple((name, version) for name, version in players)
    return Header(rules, named, clocks, line.text("boards"))


def _is_pair_of_text(value: object) -> bool:
    return isinstance(value, list) and list(map(type, value)) == [str, str]


def _read_rules(line: Line) -> Rules:
    options = line.values.get("rules")
    if not isinstance(options, dict):
        line.fail("is not a set of options by name", "rules")
    kinds = {name: type(value) for name, value in Rules().as_dict().items()}
    for name, value in options.items():
        text = name == "knock_limit" and value == "upcard"
        if not text and type(value) is not kinds.get(name, type(value)):
            line.fail(f"{name} is {value!r}", "rules")
    try:
        return Rules().with_options(options)
    except (GinArenaError, TypeError) as error:
        line.fail(str(error), "rules")


def _read_game(opening: Line, rest: Iterator[Line], *, players: int) -> GameRecord:
    seed = opening.text("seed")
    if len(seed) != _SEED_DIGITS or seed.strip("0123456789abcdef"):
        opening.fail(f"is not {_SEED_DIGITS} hex digits", "seed")
    seating = opening.integers("seating")
    if sorted(seating) != list(range(players)):
        opening.fail(f"{list(seating)} does not seat each player once", "seating")
    rounds: list[RoundRecord] = []
    for line in rest:
        if "round" in line.values:
            rounds.append(_read_round(line))
            continue
        return GameRecord(
            index=opening.integer("game"),
            board=opening.integer("board"),
            seed=bytes.fromhex(seed),
            seating=seating,
            rounds=tuple(rounds),
            winner=None if line.values.get("winner") is None else line.integer("winner"),
            points=_by_player(line, "points", players),
            totals=_by_player(line, "totals", players),
            forfeit=_read_forfeit(line),
            voids=_read_voids(opening),
        )
    return opening.fail("the game has no closing line", "game")


def _by_player(line: Line, name: str, players: int) -> tuple[int, ...]:
    values = line.integers(name)
    if len(values) != players:
        line.fail(f"has {len(values)} numbers for {players} players", name)
    return values


def _read_round(line: Line) -> RoundRecord:
    record = RoundRecord(
        number=line.integer("round"),
        dealer=line.integer("dealer"),
        actions=line.text("actions"),
        captain=line.integer("captain") if "captain" in line.values else None,
        advice=line.text("advice") if "advice" in line.values else "",
        notes=_read_notes(line),
    )
    if "ending" not in line.values:
        return record
    ending = line.text("ending")
    if ending not in set(Ending):
        line.fail(f"{ending!r} is not one of {', '.join(Ending)}", "ending")
    winner = None if line.values.get("winner") is None else line.integer("winner")
    points = line.integer("points")
    return replace(record, ending=Ending(ending), winner=winner, points=points)


def _read_notes(line: Line) -> tuple[tuple[int, str], ...]:
    value = line.values.get("notes", [])
    if not isinstance(value, list) or not all(map(_is_int_and_text, value)):
        line.fail("is not a list of places and notes", "notes")
    return tuple((place, text) for place, text in value)


def _read_forfeit(line: Line) -> Forfeit | None:
    value = line.values.get("forfeit")
    if value is None:
        return None
    if not _is_int_and_text(value):
        line.fail("is not a player and a cause", "forfeit")
    return Forfeit(*value)


def _read_voids(line: Line) -> tuple[Void, ...]:
    value = line.values.get("voids", [])
    if not isinstance(value, list) or not all(map(_is_int_and_text, value)):
        line.fail("is not a list of boards and causes", "voids")
    return tuple(Void(*item) for item in value)


def _is_int_and_text(value: object) -> bool:
    return isinstance(value, list) and list(map(type, value)) == [int, str]
