"""`gin-arena show` and `gin-arena verify`: read a record, and prove it."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, TypeVar

from arena.bundle.archive import is_bundle
from arena.cli import FAILED, OK, CommandError, SubParsers
from arena.cli._paths import check_distinct
from arena.engine.actions import Action, Kind
from arena.engine.cards import CARD_TEXT, CardSet, set_text
from arena.engine.result import RoundResult
from arena.engine.round import Round
from arena.engine.view import Advice
from arena.notation.chain import RecordError
from arena.notation.files import read_record
from arena.notation.record import GameRecord, Header, Record, RoundRecord
from arena.notation.replay import replay_game
from arena.notation.text import read_actions
from arena.notation.times import read_times
from arena.notation.verify import verify_record
from arena.notation.visible import visible

_Item = TypeVar("_Item")

_PAIR: Final = (0, 1)
"""The seats of a game of two."""
_WORDS: Final = {
    Kind.PASS: "passes",
    Kind.TAKE: "takes",
    Kind.STOCK: "draws",
    Kind.DISCARD: "throws",
    Kind.KNOCK: "knocks with",
    Kind.BIG_GIN: "big gin",
    Kind.SHOW: "shows",
}


def register(commands: SubParsers) -> None:
    """Add `show` and `verify`."""
    show = commands.add_parser("show", help="print a record, one of its games, or one round")
    show.add_argument("file", type=Path, help="a record, ginarena-record/1")
    show.add_argument("--game", type=int, metavar="N", help="list the rounds of game N, from 0")
    show.add_argument("--round", type=int, metavar="K", help="print round K of the game, from 1")
    show.set_defaults(handler=_show)
    verify = commands.add_parser("verify", help="replay a record or a league and prove it")
    what = verify.add_mutually_exclusive_group(required=True)
    what.add_argument("file", type=Path, nargs="?", help="a record, or a league's bundle")
    what.add_argument(
        "--league", metavar="WHERE", help="a league's page, its bundle, or the unpacked folder"
    )
    verify.add_argument("--times", type=Path, metavar="FILE", help="check its times as well")
    verify.set_defaults(handler=_verify)


def _read(path: Path) -> str:
    try:
        # A byte that is not ASCII is refused by the record's reader, which says in which line.
        return path.read_bytes().decode("latin-1")
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror}") from error


def _is_bundle(path: Path) -> bool:
    try:
        return is_bundle(path)
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror}") from error


def _verify(arguments: argparse.Namespace) -> int:
    if arguments.league or _is_bundle(arguments.file):
        from arena.cli import _bundles

        return _bundles.verify_league(arguments.league or str(arguments.file))
    check_distinct(arguments.file, arguments.times, names="the record and --times")
    path, text = arguments.file, _read(arguments.file)
    try:
        record = verify_record(text)
        if arguments.times:
            path = arguments.times
            read_times(_read(path), text, record)
    except RecordError as error:
        print(f"{path}: {visible(str(error))}")
        return FAILED
    rounds = sum(len(game.rounds) for game in record.games)
    print(f"{arguments.file}: holds; {len(record.games)} games, {rounds} rounds replayed")
    return OK


def _show(arguments: argparse.Namespace) -> int:
    record = read_record(_read(arguments.file))
    if arguments.game is None:
        if arguments.round is not None:
            raise CommandError("--round goes with --game; say which game")
        lines = _match_lines(record)
    else:
        game = _pick(record.games, arguments.game, "game", first=0)
        if arguments.round is None:
            lines = _game_lines(record.header, game)
        else:
            chosen = _pick(game.rounds, arguments.round, "round", first=1)
            lines = _round_lines(record.header, game, chosen)
    for line in lines:
        print(line)
    return OK


def _pick(items: Sequence[_Item], number: int, word: str, *, first: int) -> _Item:
    place = number - first
    if not 0 <= place < len(items):
        last = first + len(items) - 1
        raise CommandError(f"no {word} {number}; there are {first} to {last}")
    return items[place]


def _match_lines(record: Record) -> Iterator[str]:
    header = record.header
    clocks = header.time_control.get("name", "own")
    yield f"{' against '.join(_names(header))}, {header.boards} boards, {clocks} clocks"
    width = 9 if len(header.players) == len(_PAIR) else 15
    yield f"{'game':>4} {'board':>8} {'rounds':>6} {'points':>{width}} {'totals':>{width}}  winner"
    for game in record.games:
        yield (
            f"{game.index:>4} {game.board:>8} {len(game.rounds):>6} {_pair(game.points):>{width}}"
            f" {_pair(game.totals):>{width}}  {_winner(header, game)}"
        )


def _game_lines(header: Header, game: GameRecord) -> Iterator[str]:
    names = _seated(header, game)
    captain, joint = ("", " and ") if len(names) == len(_PAIR) else (", captain", ", ")
    seats = joint.join(map(str, range(len(names))))
    yield f"game {game.index}, board {game.board}: {joint.join(names)} at seats {seats}"
    yield f"{'round':>5} {'actions':>7} {'ending':>8} {'points':>6}  dealer{captain}, winner"
    for record in game.rounds:
        winner = "nobody" if record.winner is None else names[record.winner]
        count = len(read_actions(record.actions))
        yield (
            f"{record.number:>5} {count:>7} {record.ending or 'open':>8} {record.points:>6}"
            f"  {', '.join([names[seat] for seat in _named(record)])}, {winner}"
        )
    yield f"points {_pair(game.points)}, totals {_pair(game.totals)}: {_winner(header, game)}"


def _round_lines(header: Header, game: GameRecord, record: RoundRecord) -> Iterator[str]:
    seated = _seated(header, game)
    names = [seated[seat] for seat in (_PAIR if record.captain is None else record.active)]
    width = max(map(len, names))
    yield f"game {game.index}, round {record.number}: {seated[record.dealer]} deals"
    steps = replay_game(header.rules, game)
    for place, step in enumerate(s for s in steps if s.round_number == record.number):
        if step.seat is None or step.action is None:
            for seat, name in enumerate(names):
                yield f"    {name:<{width}}  {'':<14} {set_text(step.round.hands[seat])}"
            yield f"    first upcard {CARD_TEXT[step.round.discards[-1]]}"
            continue
        words = _words(step.action, step.round, step.seat)
        hand = set_text(step.round.hands[step.seat])
        told = _told(step.advice, step.action)
        yield f"{place:>3} {names[step.seat]:<{width}}  {words:<14} {hand}{told}"
        if step.round.result is not None:
            yield from _result_lines(names, step.round.result, record.points)


def _words(action: Action, position: Round, seat: int) -> str:
    words = _WORDS[action.kind]
    card = action.card
    if action.kind in (Kind.TAKE, Kind.STOCK):
        card = position.observe(seat).drawn or 0
    elif action.card < 0:
        return words
    return f"{words} {CARD_TEXT[card]}"


def _told(advice: Advice | None, action: Action) -> str:
    """Return what a captain was told, where there was advice."""
    if advice is None:
        return ""
    note = f": {advice.note}" if advice.note else ""
    if advice.action == action:
        return f"  as advised{note}"
    card = f" {CARD_TEXT[advice.action.card]}" if advice.action.card >= 0 else ""
    return f"  against advice, {_WORDS[advice.action.kind]}{card}{note}"


def _named(record: RoundRecord) -> Sequence[int]:
    """Return the seats that a list of rounds names: the dealer, of three the captain too."""
    return record.active if record.captain is not None else record.active[:1]


def _result_lines(names: Sequence[str], result: RoundResult, points: int) -> Iterator[str]:
    if result.knocker is not None:
        yield (
            f"    {names[result.knocker]} shows {_melds(result.knocker_melds)},"
            f" deadwood {result.knocker_deadwood}"
        )
        laid_off = " ".join(CARD_TEXT[card] for card, _ in result.layoffs)
        yield (
            f"    {names[1 - result.knocker]} shows {_melds(result.defender_melds)},"
            f" lays off {laid_off or 'nothing'}, deadwood {result.defender_deadwood}"
        )
    winner = "nobody scores" if result.winner is None else f"{names[result.winner]} scores {points}"
    yield f"    {result.ending.replace('_', ' ')}: {winner}"


def _melds(melds: Sequence[CardSet]) -> str:
    return " ".join(map(set_text, melds)) or "nothing"


def _names(header: Header) -> list[str]:
    return [visible(f"{name} {version}") for name, version in header.players]


def _seated(header: Header, game: GameRecord) -> list[str]:
    return [_names(header)[player] for player in game.seating]


def _pair(values: Sequence[int]) -> str:
    return " : ".join(map(str, values))


def _winner(header: Header, game: GameRecord) -> str:
    names = _names(header)
    won = "drawn" if game.winner is None else f"{names[game.winner]} wins"
    if game.forfeit:
        return f"{won}, {names[game.forfeit.player]} forfeits ({game.forfeit.cause})"
    return won
