"""The first page, and whether the server is up."""

from collections.abc import Sequence

from flask import Blueprint, Response, render_template

from arena.store import queries
from arena.store.views import LeagueSummary
from dashboard.page import reading

blueprint = Blueprint("home", __name__)
_LEAGUES, _RESULTS, _TOP = 20, 8, 5


@blueprint.get("/")
def index() -> str:
    """Show what runs, who leads, what was played last."""
    with reading() as session:
        leagues = queries.leagues(session, limit=_LEAGUES)
        running = [league for league in leagues if league.state == "running"]
        progress = {league.id: queries.progress(session, league.id) for league in running}
        latest = queries.matches(session, state="done", limit=_RESULTS).rows
        rated = _best_known(leagues)
        standings = queries.standings(session, rated.id) if rated else None
    return render_template(
        "home.html",
        leagues=leagues,
        running=running,
        progress=progress,
        latest=latest,
        top_league=rated,
        top=[row for row in standings.rows if row.games][:_TOP] if standings else [],
    )


def _best_known(leagues: Sequence[LeagueSummary]) -> LeagueSummary | None:
    """Return the newest finished league with games, else the newest with any."""
    played = [league for league in leagues if league.games_done]
    finished = [league for league in played if league.state == "finished"]
    return next(iter(finished + played), None)


@blueprint.get("/healthz")
def health() -> Response:
    """Answer 200 when the server is up and reaches its store."""
    with reading() as session:
        queries.leagues(session, limit=1)
    return Response("ok\n", mimetype="text/plain", headers={"Cache-Control": "no-store"})
