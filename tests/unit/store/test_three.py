"""Leagues of three players: schedule, facts, counters, standings (R7)."""

from collections import Counter
from itertools import combinations, permutations

import pytest
from sqlalchemy import select

from arena.engine.errors import InvalidRulesError
from arena.notation.verify import verify_record
from arena.ratings.bradley_terry import GameFact, fit
from arena.schedule.plan import BoardMode
from arena.store import queries, repository, results
from arena.store.database import Store, StoreError
from arena.store.facts import duel, duels_of, own_rounds
from arena.store.models import Entry, Game, MatchPlayer, Pairing
from arena.store.repository import LeagueSpec
from arena.store.results import Assignment
from arena.store.views import MatchDetail, Standings
from tests.leagues import claim_next, forfeit_game, make_league, play_game, play_league

NAMES = ["simple", "greedy", "random", "patient"]
SHORT = {"target": 30, "max_dead_rounds": 1000}
"""Games that bots who play by chance bring to an end."""


def _details(store: Store, league: str) -> list[MatchDetail]:
    with store.reading() as session:
        rows = queries.matches(session, league_id=league).rows
        return [detail for row in rows if (detail := queries.match(session, row.id))]


def _standings(store: Store, league: str) -> Standings:
    with store.reading() as session:
        found = queries.standings(session, league)
    assert found is not None
    return found


def _take(store: Store) -> Assignment:
    lease = claim_next(store)
    assert lease is not None
    with store.reading() as session:
        return results.read_assignment(session, lease)


def test_every_trio_meets_and_sits_in_every_seating(store: Store) -> None:
    league = make_league(store, [*NAMES, "odd"], preset="captain", games=6, options=SHORT)
    play_league(store, strong=None)
    details = _details(store, league)
    trios = Counter(frozenset(who.name for who in detail.row.players) for detail in details)
    assert trios == Counter(map(frozenset, combinations([*NAMES, "odd"], 3)))
    for detail in details:
        assert {game.seating for game in detail.games} == set(permutations(range(3)))
    with store.reading() as session:
        found = queries.league(session, league)
    assert found is not None
    assert (found.format, found.summary.state) == ("triples", "finished")
    assert found.balance.startswith("Every trio meets once. Any two are in 3 matches together")


def test_a_captain_league_says_nothing_of_balance_before_it_has_three(store: Store) -> None:
    with store.writing() as session:
        league = repository.create_league(session, LeagueSpec(name="L", preset="captain"))
        for number in (1, 2):
            version = repository.submit_bot(
                session, f"b{number}", version="1", host="::1", port=number
            )
            repository.enter(session, league, version_id=version)
        with pytest.raises(StoreError, match="needs at least 3"):
            repository.start_league(session, league)
    with store.reading() as session:
        found = queries.league(session, league)
    assert found is not None
    assert (found.balance, found.games) == ("", 24)


@pytest.mark.parametrize("boards", list(BoardMode))
def test_facts_counters_and_standings_are_those_of_the_records(
    store: Store, boards: BoardMode
) -> None:
    league = make_league(store, NAMES, preset="captain", games=6, boards=boards, options=SHORT)
    play_league(store, strong=None)
    facts, rounds, margins = [], Counter[str](), Counter[str]()
    with store.reading() as session:
        for detail in _details(store, league):
            names = [player.name for player in detail.row.players]
            record = verify_record(queries.match_record(session, detail.row.id) or "")
            for game, shown in zip(record.games, detail.games, strict=True):
                assert shown.places == game.places
                key = (detail.row.number, game.board)
                facts.append(GameFact(tuple(names), game.places, key))
                for player, name in enumerate(names):
                    rounds[name] += len(game.margins(player))
                    margins[name] += sum(game.margins(player))
    assert {sorted(fact.places)[1] for fact in facts} - {1}
    expected = {rating.entry: rating for rating in fit(facts, anchor="simple").ratings}
    table = _standings(store, league)
    assert (table.games, len(table.rows)) == (24, 4)
    for row in table.rows:
        name = row.bot.name
        assert row.elo == pytest.approx(expected[name].elo)
        assert row.elo_low == pytest.approx(expected[name].low)
        assert row.score == pytest.approx(expected[name].score / 18)
        places = Counter(
            fact.places[fact.entries.index(name)] for fact in facts if name in fact.entries
        )
        assert row.places == tuple(places[place] for place in (1, 2, 3))
        assert (row.games, row.wins + row.draws + row.losses) == (18, 18)
        assert row.rounds == rounds[name]
        assert row.points_per_round == pytest.approx(margins[name] / rounds[name])
    assert sum(margins.values()) == 0


def test_counters_equal_a_recount_of_the_games(store: Store) -> None:
    league = make_league(store, NAMES, preset="captain", games=6, options=SHORT)
    play_league(store, strong=None)
    with store.reading() as session:
        seats: dict[int, list[int]] = {}
        for seat in session.scalars(select(MatchPlayer).order_by(MatchPlayer.player)):
            seats.setdefault(seat.match_id, []).append(seat.entry_id)
        games = [(seats[game.match_id], game) for game in session.scalars(select(Game))]
        pairs = session.scalars(select(Pairing)).all()
        assert len(pairs) == 12
        for pair in pairs:
            ours = [
                (seated.index(pair.entry_id), seated.index(pair.opponent_id), game)
                for seated, game in games
                if {pair.entry_id, pair.opponent_id} <= set(seated)
            ]
            assert pair.games == len(ours) == 12
            assert pair.wins == sum(game.places[a] < game.places[b] for a, b, game in ours)
            assert pair.losses == sum(game.places[a] > game.places[b] for a, b, game in ours)
            assert pair.rounds == sum(duel(game.duels, a, b)[0] for a, b, game in ours)
            assert pair.margin == sum(duel(game.duels, a, b)[1] for a, b, game in ours)
        entries = {entry.public_id: entry for entry in session.scalars(select(Entry))}
        bots = {bot.name: bot for bot in queries.bots(session)}
    for row in _standings(store, league).rows:
        entry = entries[row.bot.entry_id]
        assert (entry.games, entry.wins, entry.losses) == (row.games, row.wins, row.losses)
        assert (bots[row.bot.name].games, bots[row.bot.name].wins) == (row.games, row.wins)
    assert sum(entry.wins for entry in entries.values()) > 0


def test_a_round_is_between_box_and_captain_alone(store: Store) -> None:
    make_league(store, NAMES[:3], preset="captain", games=6, options=SHORT)
    task = _take(store)
    for plan in task.plan.games:
        record = play_game(task.plan, plan, strong=None).record
        duels = duels_of(record)
        assert sum(rounds for rounds, _ in duels) == len(record.rounds)
        for player in range(3):
            assert own_rounds(duels, player) == (
                len(record.margins(player)),
                sum(record.margins(player)),
            )


def test_the_forfeiter_is_third_and_the_others_keep_their_order(store: Store) -> None:
    """R10.2; the open round is lost by 35 points to the other who played it."""
    league = make_league(store, ["simple", "greedy", "random"], preset="captain", games=6)
    task = _take(store)
    games = []
    for plan in task.plan.games:
        first = forfeit_game(task.plan, plan, plan.seating[0])
        active = [plan.seating[seat] for seat in first.record.rounds[0].active]
        games.append(forfeit_game(task.plan, plan, active[1]))
    forfeiters = [game.record.forfeit.player for game in games if game.record.forfeit]
    for game, loser in zip(games, forfeiters, strict=True):
        assert game.record.places == tuple(3 if player == loser else 1 for player in range(3))
        assert sorted(own_rounds(duels_of(game.record), player) for player in range(3)) == [
            (0, 0),
            (1, -35),
            (1, 35),
        ]
    with store.writing() as session:
        results.finish_match(session, task.lease, task.header, games, at_us=4)
    names = [player.name for player in task.players]
    for row in _standings(store, league).rows:
        lost = forfeiters.count(names.index(row.bot.name))
        assert (row.forfeits, row.losses, row.draws, row.wins) == (lost, lost, 6 - lost, 0)
        assert row.places == (6 - lost, 0, lost)
        assert row.score == pytest.approx(0.75 * (6 - lost) / 6)


@pytest.mark.parametrize(
    ("preset", "options", "error"),
    [
        ("captain", {"columns": 3}, "Hollywood has no third score sheet"),
        ("captain", {"next_dealer": "winner"}, "next_dealer box goes with players 3"),
        ("classic", {"spade_double": "true"}, "need knock_limit upcard"),
        ("classic", {"oklahoma_ace": "one"}, "need knock_limit upcard"),
        ("classic", {"players": 3}, "next_dealer box goes with players 3"),
    ],
)
def test_impossible_combinations_are_refused_with_the_reason(
    store: Store, preset: str, options: dict[str, object], error: str
) -> None:
    """R6.3, R8."""
    spec = LeagueSpec(name="L", preset=preset, options=options)
    with store.writing() as session, pytest.raises(InvalidRulesError, match=error):
        repository.create_league(session, spec)


@pytest.mark.parametrize(
    ("preset", "options"),
    [
        ("captain", {"gin_bonus": "20", "knock_limit": "upcard"}),
        ("hollywood", {"knock_limit": "upcard", "spade_double": "true"}),
        ("oklahoma", {"oklahoma_ace": "one"}),
        ("straight", {"max_dead_rounds": 5}),
        ("eaai", {"big_gin_bonus": 31}),
    ],
)
def test_every_rule_set_has_its_leagues(
    store: Store, preset: str, options: dict[str, object]
) -> None:
    league = make_league(store, NAMES[:3], preset=preset, options={**SHORT, **options}, games=6)
    play_league(store, strong=None)
    table = _standings(store, league)
    with store.reading() as session:
        found = queries.league(session, league)
        for row in queries.matches(session).rows:
            record = verify_record(queries.match_record(session, row.id) or "")
            assert found is not None
            assert record.header.rules == found.rules
    assert all(row.games for row in table.rows)
    assert [row.elo for row in table.rows if row.bot.name == "simple"] == [1500.0]
