"""The proof of a record: links checked, deals rebuilt, actions replayed, results recomputed."""

from collections.abc import Sequence

from arena.notation.chain import Line, RecordError, mend, unchain
from arena.notation.files import compare, read_record, record_lines
from arena.notation.record import GameRecord, Record
from arena.notation.replay import ReplayError, derive_game


def verify_record(text: str) -> Record:
    """Check a record in full and return it.

    Raises:
        RecordError: the first line that does not hold, with its place and, where replay settles
            one, its field.
    """
    try:
        return _verify(text)
    except RecordError as error:
        if error.field == "link":
            _settle(text, error)
        raise


def _settle(text: str, error: RecordError) -> None:
    """Look past a wrong link for the value that is wrong in its line, or in one before."""
    try:
        _verify(mend(text))
    except RecordError as found:
        if found.line <= error.line:
            raise found from None


def _verify(text: str) -> Record:
    record = read_record(text)
    lines = unchain(text)
    opening = 1
    for index, game in enumerate(record.games):
        closing = opening + len(game.rounds) + 1
        _verify_game(record, index, lines[opening : closing + 1])
        opening = closing + 1
    return record


def _verify_game(record: Record, index: int, lines: Sequence[Line]) -> None:
    game = record.games[index]
    least = record.games[index - 1].index + 1 if index else 0
    if game.index < least:
        lines[0].fail(f"is {game.index}; it should be {least} or more", "game")
    try:
        derived = derive_game(record.header.rules, game)
    except ReplayError as error:
        line = lines[error.round_number] if error.round_number else lines[-1]
        line.fail(error.detail, error.field)
    compare(lines, _lines_of(record, derived))


def _lines_of(record: Record, game: GameRecord) -> list[dict[str, object]]:
    return list(record_lines(record.header, [game]))[1:-1]
