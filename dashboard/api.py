"""The read-only JSON API, version 1: the data of the pages."""

from dataclasses import asdict
from typing import Any, Final

from flask import Blueprint, Response, jsonify, render_template, request

from arena.store import queries
from arena.store.views import LeagueDetail, MatchDetail
from dashboard.page import after_key, found, rate_words, reading

blueprint = Blueprint("api", __name__, url_prefix="/api/v1")
_PAGE: Final = 50
_RESOURCES: Final = (
    ("/api/v1/leagues", "Leagues, newest first"),
    ("/api/v1/leagues/{league}", "One league: rules, format, entries, seeds as they become public"),
    ("/api/v1/leagues/{league}/progress", "Matches played, rate, time left"),
    ("/api/v1/leagues/{league}/standings", "Ratings with their 95 % intervals"),
    ("/api/v1/leagues/{league}/cross-table", "Every entry against every other"),
    ("/api/v1/leagues/{league}/matches", "Matches of a league, newest first"),
    ("/api/v1/bots", "Bots, newest first"),
    ("/api/v1/bots/{bot}", "One bot with its versions"),
    ("/api/v1/bots/{bot}/matches", "Matches of a bot, newest first"),
    ("/api/v1/matches/{match}", "One match with its finished games, forfeits and evidence"),
    ("/api/v1/matches/{match}/record", "The record of an ended match, JSON Lines"),
)


@blueprint.get("")
def index() -> str | Response:
    """List the resources: as a page, or as JSON to who prefers it."""
    if request.accept_mimetypes.best_match(["text/html", "application/json"]) == "text/html":
        return render_template("api.html", resources=_RESOURCES)
    return jsonify(resources=[{"path": path, "about": about} for path, about in _RESOURCES])


@blueprint.get("/leagues")
def leagues() -> Response:
    """List leagues."""
    with reading() as session:
        found_leagues = queries.leagues(session, after=after_key(), limit=_PAGE + 1)
    rows = [asdict(league) for league in found_leagues[:_PAGE]]
    following = rows[-1]["id"] if len(found_leagues) > _PAGE else None
    return jsonify(leagues=rows, next=following)


@blueprint.get("/leagues/<league_id>")
def league(league_id: str) -> Response:
    """Show one league."""
    with reading() as session:
        detail = found(queries.league(session, league_id), "league")
    return jsonify(_league_values(detail))


@blueprint.get("/leagues/<league_id>/progress")
def progress(league_id: str) -> Response:
    """Say how far a league is; pages ask this while it runs."""
    with reading() as session:
        now = found(queries.progress(session, league_id), "league")
    answer = jsonify({**asdict(now), "words": rate_words(now)})
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blueprint.get("/leagues/<league_id>/standings")
def standings(league_id: str) -> Response:
    """Show the ranking of a league."""
    with reading() as session:
        now = found(queries.standings(session, league_id), "league")
    return jsonify(_finite(asdict(now)))


@blueprint.get("/leagues/<league_id>/cross-table")
def cross_table(league_id: str) -> Response:
    """Show every entry against every other."""
    with reading() as session:
        found(queries.league(session, league_id), "league")
        cells = queries.cross_table(session, league_id)
    return jsonify(cells=[asdict(cell) for cell in cells])


@blueprint.get("/leagues/<league_id>/matches")
def league_matches(league_id: str) -> Response:
    """List the matches of a league."""
    with reading() as session:
        found(queries.league(session, league_id), "league")
        page = queries.matches(session, league_id=league_id, after=after_key(), limit=_PAGE)
    return jsonify(matches=[asdict(row) for row in page.rows], next=page.next)


@blueprint.get("/bots")
def bots() -> Response:
    """List bots."""
    with reading() as session:
        found_bots = queries.bots(session, after=after_key(), limit=_PAGE + 1)
    rows = [asdict(bot) for bot in found_bots[:_PAGE]]
    return jsonify(bots=rows, next=rows[-1]["id"] if len(found_bots) > _PAGE else None)


@blueprint.get("/bots/<bot_id>")
def bot(bot_id: str) -> Response:
    """Show one bot."""
    with reading() as session:
        detail = found(queries.bot(session, bot_id), "bot")
    return jsonify(asdict(detail))


@blueprint.get("/bots/<bot_id>/matches")
def bot_matches(bot_id: str) -> Response:
    """List the matches of a bot."""
    with reading() as session:
        found(queries.bot(session, bot_id), "bot")
        page = queries.matches(session, bot_id=bot_id, after=after_key(), limit=_PAGE)
    return jsonify(matches=[asdict(row) for row in page.rows], next=page.next)


@blueprint.get("/matches/<match_id>")
def match(match_id: str) -> Response:
    """Show one match with its finished games."""
    with reading() as session:
        detail = found(queries.match(session, match_id), "match")
    return jsonify(_match_values(detail))


@blueprint.get("/matches/<match_id>/record")
def record(match_id: str) -> Response:
    """Hand out the record of an ended match."""
    with reading() as session:
        text = found(queries.match_record(session, match_id), "record")
    answer = Response(text, mimetype="application/jsonl")
    answer.headers["Content-Disposition"] = f'attachment; filename="{match_id}.jsonl"'
    return answer


def _league_values(detail: LeagueDetail) -> dict[str, Any]:
    return {**asdict(detail), "rules": detail.rules.as_dict()}


def _match_values(detail: MatchDetail) -> dict[str, Any]:
    return {**asdict(detail), "rules": detail.rules.as_dict()}


def _finite(value: Any) -> Any:
    """Return values with null for what JSON cannot say: the bar of a bar that is not known."""
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(inner) for inner in value]
    return None if value in (float("inf"), float("-inf")) else value
