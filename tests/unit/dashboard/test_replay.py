"""Replays: every position shown is the one that the engine reached, told in words."""

import pytest
from flask.testing import FlaskClient

from arena.engine.cards import pips, set_text
from arena.engine.deal import Deal
from arena.engine.melds import is_meld, least_deadwood
from arena.notation.files import read_record
from arena.notation.record import Record
from arena.notation.replay import replay_game
from arena.notation.text import read_actions
from arena.store import queries
from dashboard.replay import HandView, Replay, margins, points_before, replay_round
from tests.unit.dashboard.conftest import Arena
from tests.unit.dashboard.markup import Page


@pytest.fixture(scope="module")
def record(arena: Arena) -> Record:
    """The record of a match that ended well."""
    return _record(arena, arena.finished)


def _record(arena: Arena, league: str) -> Record:
    with arena.store.reading() as session:
        text = queries.match_record(session, arena.one(league, "done").id)
    assert text is not None
    return read_record(text)


def rounds_of(record: Record) -> list[Replay]:
    found = [
        replay_round(record, game.index, played.number)
        for game in record.games
        for played in game.rounds
    ]
    return [replay for replay in found if replay is not None]


def cards_of(hand: HandView) -> int:
    text = "".join(hand.melds) + hand.loose
    return len(text) // 2


def cards_in(text: str) -> list[str]:
    return [text[i : i + 2] for i in range(0, len(text), 2)]


def test_every_action_is_a_step(record: Record) -> None:
    for game in record.games:
        for played in game.rounds:
            replay = replay_round(record, game.index, played.number)
            assert replay is not None
            assert len(replay.steps) == 1 + len(read_actions(played.actions))


def test_cards_are_conserved_and_each_in_one_place(record: Record) -> None:
    for replay in rounds_of(record):
        for step in replay.steps:
            shown = [
                card for hand in step.hands for card in cards_in("".join(hand.melds) + hand.loose)
            ]
            shown += cards_in(step.pile)
            assert len(set(shown)) == len(shown)
            assert len(shown) + step.stock == 52


def test_hands_are_those_of_the_engine_by_player(record: Record) -> None:
    game = next(game for game in record.games if game.seating == (1, 0))
    replay = replay_round(record, game.index, 1)
    assert replay is not None
    deal = Deal.of(game.seed, 1)
    for player in (0, 1):
        hand = replay.steps[0].hands[player]
        text = "".join(hand.melds) + hand.loose
        assert sorted(cards_in(text)) == sorted(cards_in(set_text(deal.hands[1 - player])))


def test_melds_are_melds_and_deadwood_is_least_while_in_play(record: Record) -> None:
    game = record.games[0]
    for replay in rounds_of(Record(record.header, (game,))):
        positions = [
            s for s in replay_game(record.header.rules, game) if s.round_number == replay.number
        ]
        assert len(positions) == len(replay.steps)
    for step in replay_game(record.header.rules, game):
        if step.round_number != 1 or step.action is not None:
            continue
        first = replay_round(record, game.index, 1)
        assert first is not None
        for seat, player in enumerate(game.seating):
            shown = first.steps[0].hands[player]
            assert shown.deadwood == str(least_deadwood(step.round.hands[seat]))


def test_eleven_cards_show_what_a_discard_leaves(record: Record) -> None:
    steps = [step for replay in rounds_of(record) for step in replay.steps]
    eleven = [h for s in steps for h in s.hands if s.fresh and cards_of(h) == 11]
    assert eleven
    assert all(" → " in hand.deadwood for hand in eleven)


def test_last_step_tells_the_result_of_the_record(record: Record) -> None:
    for game in record.games:
        for played in game.rounds:
            replay = replay_round(record, game.index, played.number)
            assert replay is not None
            last = replay.steps[-1]
            assert last.turn is None
            if played.winner is not None:
                winner = replay.names[game.seating[played.winner]]
                assert last.text.endswith(f"{winner} scores {played.points}.")
            else:
                assert "nobody scores" in last.text


def test_laid_off_cards_lie_on_the_knockers_melds(record: Record) -> None:
    laid = 0
    for replay in rounds_of(record):
        last = replay.steps[-1]
        for hand in last.hands:
            for card in cards_in(hand.known) if "laying off" in last.text else []:
                assert any(card in cards_in(meld) for meld in hand.melds)
                laid += 1
    assert laid >= 5


def test_text_names_who_acts_and_the_cards(record: Record) -> None:
    replay = rounds_of(record)[0]
    text = " ".join(step.text for step in replay.steps)
    assert "deals; the first upcard is the" in replay.steps[0].text
    assert replay.steps[1].text.startswith(replay.names)
    assert any(sign in text for sign in "♣♦♥♠")


def test_points_before_add_up_to_the_games(record: Record) -> None:
    for game in record.games:
        assert points_before(game, len(game.rounds) + 1) == game.points
        assert margins(game)[-1] == game.points[0] - game.points[1]


def test_open_round_of_a_forfeit_says_who_and_why(arena: Arena) -> None:
    record = _record(arena, arena.hostile)
    replay = replay_round(record, 0, 2)
    assert replay is not None
    assert len(replay.steps) == 4
    assert "Forfeited by" in replay.outcome
    assert "Ran out of time" in replay.outcome


@pytest.mark.parametrize("place", [(0, 0), (0, 999), (99, 1), (-1, 1)])
def test_rounds_that_were_not_played_are_none(record: Record, place: tuple[int, int]) -> None:
    assert replay_round(record, *place) is None


def test_page_shows_the_deal_without_scripts(
    client: FlaskClient, arena: Arena, record: Record
) -> None:
    match = arena.one(arena.finished, "done")
    html = client.get(f"/matches/{match.id}/games/1/rounds/1").get_data(as_text=True)
    first = replay_round(record, 0, 1)
    assert first is not None
    assert html.count('<svg class="card ') == 21
    page = Page(html)
    assert first.steps[-1].text in page.words
    assert [str(number) for number in range(len(first.steps))] == [
        i for i in page.ids if i.isdecimal()
    ]


@pytest.mark.parametrize("address", ["games/1/rounds/99", "games/99/rounds/1", "games/0/rounds/1"])
def test_rounds_that_are_not_there_are_404(client: FlaskClient, arena: Arena, address: str) -> None:
    match = arena.one(arena.finished, "done")
    assert client.get(f"/matches/{match.id}/{address}").status_code == 404


def test_every_meld_shown_is_one(record: Record) -> None:
    from arena.engine.cards import parse_set

    for replay in rounds_of(record):
        for hand in (hand for step in replay.steps for hand in step.hands):
            assert all(is_meld(parse_set(meld)) for meld in hand.melds)
            assert hand.deadwood.split(" ")[0] == str(pips(parse_set(hand.loose)))
