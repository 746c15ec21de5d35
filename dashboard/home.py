"""The first page, and whether the server is up."""

from flask import Blueprint, Response, render_template

from arena.store import queries
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
        rated = next((league for league in leagues if league.games_done), None)
        standings = queries.standings(session, rated.id) if rated else None
    return render_template(
        "home.html",
        leagues=leagues,
        running=running,
        progress=progress,
        latest=latest,
        top_league=rated,
        top=standings.rows[:_TOP] if standings else (),
    )


@blueprint.get("/healthz")
def health() -> Response:
    """Answer 200 when the server is up and reaches its store."""
    with reading() as session:
        queries.leagues(session, limit=1)
    return Response("ok\n", mimetype="text/plain", headers={"Cache-Control": "no-store"})
