"""What pages and the API read; above all what they may not read (R9.5)."""

from typing import Any

import pytest

from arena.store import queries, results
from arena.store.database import Store
from arena.store.queries import HiddenError
from tests.leagues import (
    LONG,
    claim_next,
    forfeit_game,
    make_league,
    play_claimed,
    play_game,
    play_league,
)


def test_nothing_of_a_board_is_shown_before_its_match_has_ended(store: Store) -> None:
    """R9.5: records, times and evidence; scores are no secret."""
    make_league(store, ["simple", "greedy"], games=2)
    lease = claim_next(store)
    assert lease is not None
    with store.reading() as session:
        task = results.read_assignment(session, lease)
    game = forfeit_game(task.plan, task.plan.games[0], 0)
    with store.writing() as session:
        results.save_game(session, lease, task.header, game, until_us=LONG)
    with store.reading() as session:
        (row,) = queries.matches(session).rows
        detail = queries.match(session, row.id)
        with pytest.raises(HiddenError, match="still plays"):
            queries.match_record(session, row.id)
        with pytest.raises(HiddenError, match="still plays"):
            queries.match_times(session, row.id)
    assert detail is not None
    assert not detail.open
    assert [(one.cause, one.evidence) for one in detail.games] == [("TIMEOUT", None)]
    games = [game, play_game(task.plan, task.plan.games[1])]
    with store.writing() as session:
        results.finish_match(session, lease, task.header, games, at_us=5)
    with store.reading() as session:
        detail = queries.match(session, row.id)
        assert queries.match_record(session, row.id)
        assert queries.match_times(session, row.id)
    assert detail is not None
    assert detail.open
    evidence = detail.games[0].evidence
    assert evidence is not None
    assert evidence.answered == "nothing for 15 s"


def test_the_organisers_seed_is_shown_when_the_league_has_finished(store: Store) -> None:
    """R9.3."""
    league = make_league(store, ["simple", "greedy"])
    shown = []
    for _ in range(2):
        with store.reading() as session:
            detail = queries.league(session, league)
        assert detail is not None
        shown.append(detail.organiser_seed)
        play_league(store)
    assert shown == [None, bytes(32).hex()]


def test_pages_of_matches_join_without_a_gap(store: Store) -> None:
    league = make_league(store, [f"b{number}" for number in range(5)])
    play_league(store)
    with store.reading() as session:
        everything = queries.matches(session, league_id=league).rows
        pages, after = [], None
        while True:
            page = queries.matches(session, league_id=league, after=after, limit=3)
            pages.append(page.rows)
            after = page.next
            if after is None:
                break
    assert [len(rows) for rows in pages] == [3, 3, 3, 1]
    assert tuple(row for rows in pages for row in rows) == everything
    assert [row.number for row in everything] == list(range(9, -1, -1))


def test_matches_of_a_bot_are_those_it_plays_in(store: Store) -> None:
    league = make_league(store, ["simple", "greedy", "random"])
    make_league(store, ["simple", "odd"])
    with store.reading() as session:
        bots = {bot.name: bot.id for bot in queries.bots(session)}
        every = queries.matches(session, bot_id=bots["simple"], limit=2)
        rest = queries.matches(session, bot_id=bots["simple"], after=every.next)
        of_league = queries.matches(session, bot_id=bots["simple"], league_id=league)
        none = queries.matches(session, bot_id=bots["odd"], league_id=league)
    assert (len(every.rows), len(rest.rows), rest.next) == (2, 1, None)
    assert all("simple" in {player.name for player in row.players} for row in every.rows)
    assert len(of_league.rows) == 2
    assert none.rows == ()


def test_matches_by_state(store: Store) -> None:
    league = make_league(store, ["simple", "greedy", "random"])
    lease = claim_next(store)
    assert lease is not None
    play_claimed(store, lease)
    with store.reading() as session:
        assert len(queries.matches(session, league_id=league, state="done").rows) == 1
        assert len(queries.matches(session, state="waiting").rows) == 2
        progress = queries.progress(session, league)
    assert progress is not None
    assert (progress.by_state["done"], progress.by_state["waiting"]) == (1, 2)


def test_progress_counts_the_games_of_running_matches(store: Store) -> None:
    league = make_league(store, ["simple", "greedy"], games=4)
    lease = claim_next(store)
    assert lease is not None
    with store.reading() as session:
        task = results.read_assignment(session, lease)
    games = [play_game(task.plan, game) for game in task.plan.games]
    with store.writing() as session:
        for game in games[:3]:
            results.save_game(session, lease, task.header, game, until_us=LONG)
    with store.reading() as session:
        half = queries.progress(session, league)
    with store.writing() as session:
        results.finish_match(session, lease, task.header, games, at_us=1)
    with store.reading() as session:
        whole = queries.progress(session, league)
    assert half is not None
    assert whole is not None
    assert (half.ended, half.games_done) == (0, 3)
    assert half.rounds_done == sum(len(game.record.rounds) for game in games[:3])
    assert (whole.ended, whole.games_done) == (1, 4)
    assert whole.rounds_done == sum(len(game.record.rounds) for game in games)


def test_rate_and_time_left_are_of_the_last_minute(store: Store) -> None:
    league = make_league(store, ["simple", "greedy", "random"])
    with store.reading() as session:
        begun = queries.progress(session, league)
    assert begun is not None
    start = begun.started_us
    assert start is not None
    lease = claim_next(store)
    assert lease is not None
    play_claimed(store, lease, at_us=start + 5_000_000)
    with store.reading() as session:
        soon = queries.progress(session, league, at_us=start + 10_000_000)
        late = queries.progress(session, league, at_us=start + 70_000_000)
    assert soon is not None
    assert late is not None
    assert (begun.matches_per_second, begun.seconds_left) == (0.0, None)
    assert soon.matches_per_second == pytest.approx(0.1)
    assert soon.seconds_left == pytest.approx(20.0)
    assert (late.matches_per_second, late.seconds_left) == (0.0, None)


def test_the_cross_table_has_both_sides_of_every_pair(store: Store) -> None:
    league = make_league(store, ["simple", "greedy", "random"], games=4)
    play_league(store)
    with store.reading() as session:
        cells = {(c.entry_id, c.opponent_id): c for c in queries.cross_table(session, league)}
    assert len(cells) == 6
    for (entry, opponent), cell in cells.items():
        other = cells[opponent, entry]
        assert (cell.games, cell.wins, cell.losses) == (other.games, other.losses, other.wins)
        assert cell.points_per_round == -other.points_per_round
        assert cell.wins + cell.losses + cell.draws == cell.games == 4


def test_a_bots_page_sums_its_versions(store: Store) -> None:
    league = make_league(store, ["simple", "greedy"], games=4)
    play_league(store)
    with store.reading() as session:
        bots = queries.bots(session)
        detail = queries.bot(session, bots[0].id)
        first = queries.bots(session, limit=1)
        second = queries.bots(session, after=first[0].id, limit=1)
    assert detail is not None
    assert detail.summary == bots[0]
    (version,) = detail.versions
    assert (version.games, version.leagues) == (4, ((league, "Test"),))
    assert bots == first + second
    assert bots[0].wins == bots[1].losses


def test_leagues_are_listed_newest_first(store: Store) -> None:
    ids = [make_league(store, ["simple", "greedy"], name=name) for name in ("A", "B", "C")]
    with store.reading() as session:
        found = queries.leagues(session, limit=2)
        rest = queries.leagues(session, after=found[-1].id)
    assert [league.id for league in found + rest] == ids[::-1]
    assert [(league.entries, league.matches_total) for league in rest] == [(2, 1)]


@pytest.mark.parametrize(
    ("query", "empty"),
    [
        (queries.league, None),
        (queries.progress, None),
        (queries.standings, None),
        (queries.cross_table, ()),
        (queries.match, None),
        (queries.match_record, None),
        (queries.match_times, None),
        (queries.bot, None),
    ],
)
def test_what_does_not_exist_is_not_found(store: Store, query: Any, empty: object) -> None:
    make_league(store, ["simple", "greedy"])
    with store.reading() as session:
        assert query(session, "a' OR 1=1") == empty
        assert queries.matches(session, league_id="x").rows == ()
        assert queries.matches(session, bot_id="x").rows == ()
        assert queries.matches(session, after="x").rows == ()


def test_a_match_that_lapsed_has_no_record(store: Store) -> None:
    from arena.store import leases
    from arena.store.models import MatchState

    make_league(store, ["simple", "greedy"])
    lease = claim_next(store)
    assert lease is not None
    with store.writing() as session:
        leases.end_match(session, lease, MatchState.LAPSED, cause="absent", at_us=1)
    with store.reading() as session:
        (row,) = queries.matches(session).rows
        assert (row.state, row.cause) == ("lapsed", "absent")
        assert queries.match_record(session, row.id) is None
