"""The pages of leagues of three: who won, whose places, box and captain in a replay."""

import re

import pytest

from arena.engine.captain import Roles
from arena.engine.deal import draw_for_deal
from arena.notation.files import read_record
from arena.notation.record import Record
from arena.store import queries
from arena.store.database import Store
from dashboard.app import create_app
from dashboard.replay import replay_round
from tests.leagues import make_league, play_league

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
NAMES = ["simple", "greedy", "random"]


def _played(store: Store) -> tuple[str, str, Record]:
    options = {"target": 30, "max_dead_rounds": 1000}
    league = make_league(store, NAMES, games=6, preset="captain", options=options)
    play_league(store, strong=None)
    with store.reading() as session:
        (row,) = queries.matches(session).rows
        return league, row.id, read_record(queries.match_record(session, row.id) or "")


def test_every_page_of_a_league_of_three_is_shown(store: Store) -> None:
    league, match, record = _played(store)
    client = create_app(store).test_client()
    page = client.get(f"/leagues/{league}").get_data(as_text=True)
    assert "triples. Every trio meets once." in page
    page = client.get(f"/matches/{match}").get_data(as_text=True)
    assert all(name in page for name in NAMES)
    assert "Running margin" not in page
    for game in record.games:
        assert "\u2013".join(map(str, game.places)) in page
        for played in game.rounds:
            path = f"/matches/{match}/games/{game.index + 1}/rounds/{played.number}"
            assert path in page
    scorers = {game.seating[one.winner] for game in record.games for one in game.rounds
               if one.winner is not None}  # fmt: skip
    looks = set(re.findall(r'<a class="(first|second|third)"', page))
    assert looks == {("first", "second", "third")[player] for player in scorers}
    page = client.get(path).get_data(as_text=True)
    assert "sits out and advises" in page
    assert client.get(f"/api/v1/matches/{match}").status_code == 200


def test_a_replay_shows_box_and_captain_and_names_who_acts(store: Store) -> None:
    """R7.1, R7.4: the roles follow from the draw and from who won."""
    _, _, record = _played(store)
    names = [name for name, _ in record.header.players]
    for game in record.games:
        roles = Roles.drawn(draw_for_deal(game.seed, 3)[-1])
        for played in game.rounds:
            shown = replay_round(record, game.index, played.number)
            assert shown is not None
            box, captain, adviser = (
                names[game.seating[seat]] for seat in (roles.box, roles.captain, roles.adviser)
            )
            assert (shown.names, shown.adviser, shown.dealer) == ((box, captain), adviser, 0)
            assert shown.steps[0].text.startswith(f"{box} deals")
            assert shown.steps[1].text.startswith(captain)
            assert shown.steps[0].turn == 1
            if played.winner is not None:
                winner = names[game.seating[played.winner]]
                assert shown.steps[-1].text.endswith(f"{winner} scores {played.points}.")
            roles = roles.after(played.winner)
