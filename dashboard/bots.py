"""The list of bots, and the page of each."""

from dataclasses import dataclass

from flask import Blueprint, render_template
from sqlalchemy.orm import Session

from arena.store import queries
from arena.store.views import BotDetail, StandingRow
from dashboard.page import after_key, found, reading

blueprint = Blueprint("bots", __name__, url_prefix="/bots")
_BOTS, _MATCHES, _LEAGUES = 50, 25, 10


@dataclass(frozen=True, slots=True)
class Place:
    """Where a bot stands in a league."""

    league_id: str
    league_name: str
    entries: int
    row: StandingRow


@blueprint.get("")
def index() -> str:
    """List the bots, newest first."""
    after = after_key()
    with reading() as session:
        bots = queries.bots(session, after=after, limit=_BOTS + 1)
    following = bots[_BOTS - 1].id if len(bots) > _BOTS else None
    return render_template("bots.html", bots=bots[:_BOTS], after=after, next=following)


@blueprint.get("/<bot_id>")
def show(bot_id: str) -> str:
    """Show one bot: its places, versions and matches."""
    after = after_key()
    with reading() as session:
        bot = found(queries.bot(session, bot_id), "bot")
        matches = queries.matches(session, bot_id=bot_id, after=after, limit=_MATCHES)
        places = _places(session, bot)
    return render_template("bot.html", bot=bot, places=places, matches=matches, after=after)


def _places(session: Session, bot: BotDetail) -> list[Place]:
    """Return the bot's lines in the leagues it entered last."""
    entered = {pair: None for version in bot.versions for pair in version.leagues}
    places: list[Place] = []
    for league_id, name in list(entered)[:_LEAGUES]:
        standings = queries.standings(session, league_id)
        rows = standings.rows if standings else ()
        places += [
            Place(league_id, name, len(rows), row)
            for row in rows
            if row.games and row.bot.bot_id == bot.summary.id
        ]
    return places
