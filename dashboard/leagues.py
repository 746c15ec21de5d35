"""The list of leagues, and the page of each."""

from flask import Blueprint, render_template

from arena.store import queries
from arena.store.models import MatchState
from arena.store.views import Standings
from dashboard.charts import Axis, draw_axis, draw_interval
from dashboard.page import after_key, found, reading
from dashboard.words import describe_clock, describe_rules

blueprint = Blueprint("leagues", __name__, url_prefix="/leagues")
_LEAGUES, _MATCHES = 30, 25
_ANCHOR = 1500.0
"""The rating from which the others are measured."""
_WIDEST = 400.0
"""Half the interval in Elo beyond which a bar is cut: one bot's doubt must not squeeze the rest."""


@blueprint.get("")
def index() -> str:
    """List the leagues, newest first."""
    after = after_key()
    with reading() as session:
        leagues = queries.leagues(session, after=after, limit=_LEAGUES + 1)
        shown = leagues[:_LEAGUES]
        progress = {
            league.id: queries.progress(session, league.id)
            for league in shown
            if league.state == "running"
        }
    following = shown[-1].id if len(leagues) > _LEAGUES else None
    return render_template(
        "leagues.html", leagues=shown, progress=progress, after=after, next=following
    )


@blueprint.get("/<league_id>")
def show(league_id: str) -> str:
    """Show one league: progress, standings, cross-table, matches, rules, seeds."""
    after = after_key()
    with reading() as session:
        league = found(queries.league(session, league_id), "league")
        progress = found(queries.progress(session, league_id), "league")
        standings = found(queries.standings(session, league_id), "league")
        cells = queries.cross_table(session, league_id)
        matches = queries.matches(session, league_id=league_id, after=after, limit=_MATCHES)
    return render_template(
        "league.html",
        league=league,
        progress=progress,
        quarantined=progress.by_state[MatchState.QUARANTINED],
        lapsed=progress.by_state[MatchState.LAPSED],
        standings=standings,
        **_draw(standings),
        cross={(cell.entry_id, cell.opponent_id): cell for cell in cells},
        matches=matches,
        after=after,
        rule_lines=describe_rules(league.rules),
        clock=describe_clock(league.time_control.as_dict()),
    )


def _draw(standings: Standings) -> dict[str, object]:
    rated = [row for row in standings.rows if row.games]
    axis = Axis.spanning(
        [max(row.elo_low, row.elo - _WIDEST) for row in rated]
        + [min(row.elo_high, row.elo + _WIDEST) for row in rated]
    )
    bars = [
        (row, draw_interval(axis, row.elo_low, row.elo, row.elo_high, anchor=_ANCHOR))
        for row in rated
    ] + [(row, None) for row in standings.rows if not row.games]
    return {"axis_labels": draw_axis(axis), "bars": bars}
