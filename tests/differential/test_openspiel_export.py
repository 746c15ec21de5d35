"""Rounds written as OpenSpiel action sequences, replayed by OpenSpiel."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from arena.engine.cards import CARD_TEXT, card_set, set_text
from arena.engine.melds import least_deadwood
from arena.notation.files import read_record
from arena.notation.openspiel import (
    FIRST_MELD,
    MELD_ACTIONS,
    OpenSpielRound,
    Refusal,
    estimated_deadwood,
    export_game,
    its_card,
    write_openspiel,
)
from tests.differential.mirror import our_set
from tests.differential.rounds import trap_deal
from tests.property.play import ripe_deal

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel (package open_spiel) is not installed")

RECORDS = Path(__file__).parents[1] / "golden" / "records" / "v1"
PRESETS = ("classic", "eaai", "finnish", "hollywood", "modern", "oklahoma", "straight")


@pytest.fixture(scope="module")
def utils() -> Any:
    return pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)


def replay(written: OpenSpielRound) -> Any:
    """Play a written round in OpenSpiel; every action must be legal and the last one the end."""
    state = pyspiel.load_game(written.game).new_initial_state()
    for action in written.actions:
        assert action in state.legal_actions()
        state.apply_action(action)
    assert state.is_terminal()
    return state


def test_cards_have_its_numbers(utils: Any) -> None:
    assert [utils.card_string(its_card(card)) for card in range(52)] == list(CARD_TEXT)


def test_melds_have_its_actions(utils: Any) -> None:
    theirs = {our_set(cards): FIRST_MELD + number for number, cards in utils.int_to_meld.items()}
    assert theirs == MELD_ACTIONS


@pytest.mark.parametrize("preset", PRESETS)
def test_recorded_rounds_are_replayed_to_the_same_result(preset: str) -> None:
    record = read_record((RECORDS / f"{preset}.jsonl").read_text())
    rounds = {(game.index, done.number): done for game in record.games for done in game.rounds}
    for game in record.games:
        for number, written in export_game(record.header.rules, game):
            done = rounds.pop((game.index, number))
            if isinstance(written, Refusal):
                assert (written == Refusal.OPEN) == (done.ending is None)
                continue
            assert replay(written).returns() == list(written.returns)
            by_seat = dict(zip(written.seats, written.returns, strict=True))
            assert sum(written.returns) == 0
            assert done.winner is None or by_seat[done.winner] in (done.points, done.points // 2, 0)
    assert rounds == {}


def test_a_written_record_holds_each_round_in_a_line() -> None:
    record = read_record((RECORDS / "straight.jsonl").read_text())
    lines = [json.loads(line) for line in write_openspiel(record).splitlines()]
    assert [(line["game"], line["round"]) for line in lines] == [
        (game.index, done.number) for game in record.games for done in game.rounds
    ]
    assert {"refused" in line for line in lines} == {True, False}
    for line in lines:
        if "refused" not in line:
            state = pyspiel.load_game(line["openspiel"]).new_initial_state()
            for action in line["actions"]:
                state.apply_action(action)
            assert state.returns() == line["returns"]


def test_deadwood_of_ten_is_the_same_and_of_eleven_the_estimate(utils: Any) -> None:
    rng = random.Random(7)
    for number in range(1_500):
        deal = (ripe_deal, trap_deal)[number % 2](rng)
        hand = card_set(rng.sample(range(52), 10)) if number % 3 else deal.hands[0]
        cards = [its_card(card) for card in range(52) if hand >> card & 1]
        assert utils.min_deadwood(cards) == least_deadwood(hand), set_text(hand)
        if not number % 3:
            hand |= 1 << deal.streams[0][0]
            cards.append(its_card(deal.streams[0][0]))
            assert utils.min_deadwood(cards) == estimated_deadwood(hand), set_text(hand)
