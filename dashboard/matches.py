"""The page of a match, and the replay of each of its rounds."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from flask import Blueprint, render_template
from markupsafe import Markup

from arena.engine.cards import CARD_TEXT
from arena.notation.files import read_record
from arena.notation.record import GameRecord, Record, RoundRecord
from arena.store import queries
from arena.store.views import GameRow, MatchDetail
from dashboard.charts import draw_margin
from dashboard.page import after_number, found, reading
from dashboard.replay import describe_outcome, margins, replay_round
from dashboard.words import card_name, describe_clock

blueprint = Blueprint("matches", __name__, url_prefix="/matches")
_GAMES, _FAULTS = 50, 20


@dataclass(frozen=True, slots=True)
class RoundLink:
    """A round in the table of games."""

    number: int
    label: str
    """The points; a dash where nobody scored, a cross where a forfeit ended it."""
    look: str
    """`first`, `second` or `third` by who scored, `cut` by a forfeit, empty for nobody."""
    title: str


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game in the table of games."""

    row: GameRow
    margin: Markup
    """The running margin; empty in games of three, which have none."""
    last_margin: int
    rounds: tuple[RoundLink, ...]


@blueprint.get("/<match_id>")
def show(match_id: str) -> str:
    """Show one match: score, games and rounds, forfeits with their evidence."""
    with reading() as session:
        match = found(queries.match(session, match_id), "match")
        text = queries.match_record(session, match_id) if match.open else None
    after = after_number(len(match.games))
    record = read_record(text) if text else None
    shown = match.games[after : after + _GAMES]
    following = after + _GAMES if after + _GAMES < len(match.games) else None
    return render_template(
        "match.html",
        match=match,
        row=match.row,
        record=record,
        games=_lines(match, shown, record),
        faults=[game for game in shown if game.forfeiter is not None][:_FAULTS],
        after=after,
        next=following,
        clock=describe_clock(match.time_control.as_dict()),
    )


@blueprint.get("/<match_id>/games/<int:game>/rounds/<int:number>")
def replay(match_id: str, game: int, number: int) -> str:
    """Show one round of an ended match, step by step."""
    with reading() as session:
        match = found(queries.match(session, match_id), "match")
        text = queries.match_record(session, match_id)
    record = read_record(found(text, "record"))
    shown = found(replay_round(record, game - 1, number), "round")
    steps = {
        "cards": {name: card_name(card) for card, name in enumerate(CARD_TEXT)},
        "steps": [asdict(step) for step in shown.steps],
    }
    return render_template("replay.html", replay=shown, row=match.row, steps=steps)


def _lines(match: MatchDetail, shown: Sequence[GameRow], record: Record | None) -> list[GameLine]:
    records = {game.index: game for game in record.games} if record else {}
    names = [player.name for player in match.row.players]
    return [_line(row, records.get(row.index), names) for row in shown]


def _line(row: GameRow, game: GameRecord | None, names: Sequence[str]) -> GameLine:
    if game is None:
        return GameLine(row, Markup(), 0, ())
    course = margins(game) if len(names) == 2 else []
    links = tuple(_link(game, played, names) for played in game.rounds)
    return GameLine(
        row, draw_margin(course) if course else Markup(), course[-1] if course else 0, links
    )


def _link(game: GameRecord, played: RoundRecord, names: Sequence[str]) -> RoundLink:
    title = describe_outcome(game, played, names)
    if played.ending is None:
        return RoundLink(played.number, "\u2715", "cut", title)
    if played.winner is None:
        return RoundLink(played.number, "\u2013", "", title)
    look = ("first", "second", "third")[game.seating[played.winner]]
    return RoundLink(played.number, str(played.points), look, title)
