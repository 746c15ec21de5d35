"""Ratings from stored facts: the same bits in whatever order the facts came."""

import math

import pytest

from arena.ratings.bradley_terry import Fit, GameFact, fit
from arena.store import queries
from arena.store.database import Store
from arena.store.leases import Lease
from arena.store.standings import ratings
from arena.store.views import StandingRow
from tests.leagues import claim_next, forfeit_game, make_league, play_claimed, play_league

NAMES = ["simple", "greedy", "random", "patient"]


def _rows(store: Store, league: str) -> list[StandingRow]:
    with store.reading() as session:
        found = queries.standings(session, league)
    assert found is not None
    return list(found.rows)


def _fit(store: Store, league: str) -> Fit:
    with store.reading() as session:
        return ratings(session, league)


def _claim_all(store: Store) -> list[Lease]:
    leases = []
    while lease := claim_next(store):
        leases.append(lease)
    return leases


def test_ratings_do_not_depend_on_the_order_of_results(store: Store) -> None:
    """P2, W18: identical bits; the second league's rows were written in reverse."""
    fits = []
    for order in (1, -1):
        league = make_league(store, NAMES, games=4)
        for lease in _claim_all(store)[::order]:
            play_claimed(store, lease, strong=0)
        fits.append((_fit(store, league), _values(_rows(store, league))))
    (first, rows), (second, other_rows) = fits
    assert first.ratings == second.ratings
    assert first.covariance.tobytes() == second.covariance.tobytes()
    assert rows == other_rows


def _values(rows: list[StandingRow]) -> list[tuple[object, ...]]:
    return [(row.bot.name, row.elo, row.elo_low, row.points_per_round, row.games) for row in rows]


def test_standings_are_the_joint_fit_of_the_games(store: Store) -> None:
    league = make_league(store, NAMES, games=4, legs=2)
    play_league(store)
    with store.reading() as session:
        details = [queries.match(session, row.id) for row in queries.matches(session).rows]
    facts = [
        GameFact(
            entries=tuple(player.name for player in detail.row.players),
            places=tuple(1 if game.winner in (player, None) else 2 for player in (0, 1)),
            cluster=(detail.row.number, game.board),
        )
        for detail in details
        if detail
        for game in detail.games
    ]
    expected = {rating.entry: rating for rating in fit(facts, anchor="simple").ratings}
    rows = _rows(store, league)
    assert len(rows) == 4
    for row in rows:
        assert row.elo == pytest.approx(expected[row.bot.name].elo)
        assert row.elo_high == pytest.approx(expected[row.bot.name].high)
        assert row.games == expected[row.bot.name].games == 24
        assert row.wins + row.draws / 2 == expected[row.bot.name].score
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    assert [row.elo for row in rows] == sorted((row.elo for row in rows), reverse=True)


def test_the_anchor_has_1500_and_without_it_the_mean_has(store: Store) -> None:
    with_anchor = make_league(store, NAMES, games=4)
    without = make_league(store, ["greedy", "random"], games=4)
    play_league(store)
    (anchor,) = [row for row in _rows(store, with_anchor) if row.anchor]
    assert (anchor.bot.name, anchor.bot.version, anchor.elo) == ("simple", "1", 1500.0)
    rows = _rows(store, without)
    assert sum(row.elo for row in rows) / 2 == pytest.approx(1500)
    with store.reading() as session:
        found = queries.standings(session, without)
    assert found is not None
    assert any("simple@1" in flag for flag in found.flags)


def test_running_matches_are_not_rated(store: Store) -> None:
    league = make_league(store, ["simple", "greedy"], games=4, legs=2)
    claim_next(store)
    rows = _rows(store, league)
    assert [(row.games, row.elo) for row in rows] == [(0, 1500.0)] * 2
    assert all(math.isinf(row.elo_high) and row.provisional for row in rows)
    play_league(store)
    assert [row.games for row in _rows(store, league)] == [4, 4]


def test_a_forfeited_game_is_a_lost_one(store: Store) -> None:
    """R10.2, R10.4."""
    from arena.store import results

    league = make_league(store, ["simple", "greedy"], games=2)
    lease = claim_next(store)
    assert lease is not None
    with store.reading() as session:
        task = results.read_assignment(session, lease)
    loser = [player.name for player in task.players].index("greedy")
    games = [forfeit_game(task.plan, game, loser) for game in task.plan.games]
    with store.writing() as session:
        results.finish_match(session, lease, task.header, games, at_us=3)
    simple, greedy = _rows(store, league)
    assert (simple.wins, greedy.losses, greedy.forfeits, simple.forfeits) == (2, 2, 2, 0)
    assert (greedy.rounds, greedy.points_per_round) == (2, -35.0)
