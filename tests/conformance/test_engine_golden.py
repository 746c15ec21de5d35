"""Golden data of the engine: deals, perft, melds, rounds."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from arena.engine.actions import Action, Kind
from arena.engine.cards import DECK as ALL_CARDS
from arena.engine.cards import RANKS, cards_text, parse_card, parse_cards, pips
from arena.engine.deal import Deal, board_seed, deck, draw_for_deal, master_seed
from arena.engine.melds import MELDS, least_deadwood
from arena.engine.round import Round
from arena.engine.rules import PRESETS, Rules
from tests.golden.rounds.generate import facts

GOLDEN = Path(__file__).parent.parent / "golden"
CLASSIC = Rules.preset("classic")


def load(name: str) -> Any:
    return json.loads((GOLDEN / name).read_text("utf-8"))


VECTORS = load("deals/vectors.json")


def test_decks_r9_1() -> None:
    for vector in VECTORS["decks"]:
        cards = deck(bytes.fromhex(vector["seed"]), vector["round"])
        assert cards_text(cards) == vector["cards"]


def test_draws_for_deal_r9_1() -> None:
    repeated = 0
    for vector in VECTORS["draws"]:
        draws = draw_for_deal(bytes.fromhex(vector["seed"]), vector["players"])
        assert [cards_text(cards) for cards in draws] == vector["draws"]
        repeated += len(draws) > 1
    assert repeated > 0


def test_master_and_board_seeds_r9_3() -> None:
    given = VECTORS["master"]
    nonces = [bytes.fromhex(nonce) for nonce in given["nonces"]]
    master = master_seed(bytes.fromhex(given["organiser"]), nonces)
    assert master.hex() == given["seed"]
    boards = {number: board_seed(master, int(number)).hex() for number in VECTORS["boards"]}
    assert boards == VECTORS["boards"]


def count(table: Round, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for action in table.legal_actions():
        twin = table.copy()
        twin.apply(action)
        total += count(twin, depth - 1)
    return total


NOBODY_KNOCKS = "AcKc9c7c5cAd3d5d7d9dAh3h5h7h9hJh2s4s6s8sKsTcTdThTs"
"""Hands without a pair of neighbours, and cards that make no knock possible soon."""


def test_perft_where_nobody_can_knock_yet() -> None:
    first = parse_cards(NOBODY_KNOCKS)
    rest = tuple(card for card in range(52) if card not in first)
    table = Round(CLASSIC, Deal.from_deck((*first, *rest)), dealer=1)
    counts = [count(table, depth) for depth in range(1, 8)]
    assert counts == [2, 12, 31, 241, 652, 5061, 13692]


@pytest.mark.parametrize("entry", load("perft/counts.json"))
def test_perft_with_knocks(entry: dict[str, Any]) -> None:
    table = Round(CLASSIC, Deal.from_deck(parse_cards(entry["deck"])), dealer=entry["dealer"])
    assert table.knock_limit == entry["limit"]
    depths = range(1, len(entry["counts"]) + 1)
    assert [count(table, depth) for depth in depths] == entry["counts"]


def test_melds_by_size_r1_4() -> None:
    sizes = Counter(str(meld.bit_count()) for meld in MELDS)
    assert sizes == load("melds/hands.json")["counts"]
    assert sum(sizes.values()) == 329
    assert sum(sizes[size] for size in "345") == 185
    assert pips(ALL_CARDS) == 340


@pytest.mark.parametrize(("hand", "deadwood"), load("melds/hands.json")["hands"])
def test_hand_computed_deadwood_r1_5(hand: str, deadwood: int) -> None:
    suits = hand.split(".")
    cards = sum(
        1 << 13 * suit + RANKS.index(rank) for suit, ranks in enumerate(suits) for rank in ranks
    )
    assert cards.bit_count() == 10
    assert least_deadwood(cards) == deadwood


@pytest.mark.parametrize("preset", PRESETS)
def test_rounds_replay_to_their_results(preset: str) -> None:
    entries = [entry for entry in load("rounds/rounds.json") if entry["preset"] == preset]
    assert entries
    for entry in entries:
        seed = bytes.fromhex(entry["seed"])
        table = Round(Rules.preset(preset), Deal.of(seed, 1), dealer=seed[-1] & 1)
        for text in entry["actions"]:
            kind, _, card = text.partition(" ")
            table.apply(Action(Kind[kind.upper()], parse_card(card) if card else -1))
        assert facts(table) == entry["result"]
