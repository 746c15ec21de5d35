"""Rounds as OpenSpiel action sequences; tests/differential show that OpenSpiel reads them so."""

import json
from pathlib import Path

import pytest

from arena.engine.actions import BIG_GIN, DISCARD, KNOCK, PASS, SHOW, STOCK, TAKE, Declaration
from arena.engine.cards import DECK, card_set, iter_cards, parse_card, parse_cards, parse_set
from arena.engine.deal import Deal
from arena.engine.errors import IllegalActionError
from arena.engine.melds import MELDS, least_after_discard
from arena.engine.result import Ending, RoundResult, price
from arena.engine.round import Round
from arena.engine.rules import Rules
from arena.notation.files import read_record
from arena.notation.openspiel import (
    MELD_ACTIONS,
    OpenSpielRound,
    Refusal,
    UnrepresentableError,
    estimated_deadwood,
    export_round,
    game_text,
    its_card,
    its_points,
    offered_layoffs,
    short_melds,
    write_openspiel,
)
from arena.notation.text import Played

RECORDS = Path(__file__).parents[2] / "golden" / "records" / "v1"
CLASSIC = Rules.preset("classic")
RETURNS = Rules.preset("classic", return_taken_card=True)
RUN = "4d5d6d"
"""A run that the knocker shows in the hands below, with two sets and the ace of spades."""


def deal(first: str, second: str = "", *, upcard: str = "Kd", stock: str = "Qs") -> Deal:
    """Return a deal by the hand of seat 0 and parts of the rest, filled up from below."""
    hand, other = parse_cards(first), list(parse_cards(second))
    top = (parse_card(upcard), *parse_cards(stock))
    rest = list(iter_cards(DECK & ~card_set((*hand, *other, *top))))
    while len(other) < 10:
        other.append(rest.pop())
    return Deal.from_deck((*hand, *other, *top, *rest))


def export(table: Round, *played: Played) -> OpenSpielRound:
    return export_round(table, played)


def refusal(table: Round, *played: Played) -> Refusal:
    with pytest.raises(UnrepresentableError) as caught:
        export_round(table, played)
    return caught.value.refusal


def knock_and(show: Declaration | None) -> list[Played]:
    """Return the actions of a knock at the first card of the stock, thrown at once."""
    return [
        (PASS, None),
        (PASS, None),
        (STOCK, None),
        (KNOCK[parse_card("Qs")], None),
        (SHOW, show),
    ]


KNOCKER = RUN + "8c8d8hJcJdJhAs"
DEFENDER = "7d8s9dTd2c2h2s3h5c9c"


def test_a_knock_is_written_action_by_action() -> None:
    """R3.3, R4: knock, discard, melds, pass; layoffs, pass; melds, pass."""
    table = Round(CLASSIC, deal(KNOCKER, DEFENDER), dealer=1)
    written = export(table, *knock_and(None))
    seat_0, seat_1 = (sorted(map(its_card, parse_cards(cards))) for cards in (KNOCKER, DEFENDER))
    assert written.game == "gin_rummy(gin_bonus=20,knock_card=10,undercut_bonus=10)"
    assert written.seats == (0, 1)
    assert list(written.actions[:21]) == [*seat_0, *seat_1, its_card(parse_card("Kd"))]
    queen, eight, seven = (its_card(parse_card(text)) for text in ("Qs", "8s", "7d"))
    sets = [MELD_ACTIONS[parse_set(text)] for text in ("8c8d8h", "JcJdJh")]
    run, twos = MELD_ACTIONS[parse_set(RUN)], MELD_ACTIONS[parse_set("2c2h2s")]
    assert written.actions[21:25] == (54, 54, 53, queen)
    assert written.actions[25:27] == (55, queen)
    assert sorted(written.actions[27:30]) == sorted([*sets, run])
    assert written.actions[30] == 54
    assert sorted(written.actions[31:33]) == sorted([seven, eight])
    assert written.actions[33:] == (54, twos, 54)
    deadwood = 9 + 10 + 3 + 5 + 9
    assert written.returns == (deadwood - 1, 1 - deadwood)


def test_the_non_dealer_is_player_0() -> None:
    table = Round(CLASSIC, deal(KNOCKER, DEFENDER), dealer=0)
    written = export(
        table,
        (TAKE, None),
        (DISCARD[parse_card("9c")], None),
        (STOCK, None),
        (KNOCK[parse_card("Qs")], None),
        (SHOW, None),
    )
    assert written.seats == (1, 0)
    assert written.actions[:10] == tuple(sorted(map(its_card, parse_cards(DEFENDER))))
    assert written.returns[0] < 0 < written.returns[1]


def test_writing_leaves_the_deal_as_it_was() -> None:
    table = Round(CLASSIC, deal(KNOCKER, DEFENDER), dealer=1)
    export(table, *knock_and(None))
    assert len(table.legal_actions()) == 2
    assert table.stock_count == 31


def test_a_round_without_result_is_refused() -> None:
    table = Round(CLASSIC, deal(KNOCKER), dealer=1)
    assert refusal(table, (PASS, None)) == Refusal.OPEN


def test_what_our_rules_refuse_is_an_illegal_action() -> None:
    table = Round(CLASSIC, deal(KNOCKER), dealer=1)
    with pytest.raises(IllegalActionError):
        export(table, (STOCK, None))


def test_big_gin_is_refused() -> None:
    """R3.5."""
    table = Round(Rules.preset("modern"), deal(KNOCKER[:-2] + "Js", stock="7d"), dealer=1)
    played = [(action, None) for action in (PASS, PASS, STOCK, BIG_GIN, SHOW)]
    assert refusal(table, *played) == Refusal.BIG_GIN


def test_a_third_layoff_on_one_end_is_refused() -> None:
    """R4.2."""
    knocker = RUN + "KcKhKsJcJdJhAs"
    layoffs = tuple((parse_card(card), 0) for card in ("7d", "8d", "9d"))
    run_first = Declaration(tuple(parse_set(text) for text in (RUN, "KcKhKs", "JcJdJh")))
    table = Round(CLASSIC, deal(knocker, "7d8d9d9cTd2c2h2s3h5c"), dealer=1)
    played = knock_and(Declaration((), layoffs))
    played[3] = (played[3][0], run_first)
    assert refusal(table, *played) == Refusal.LAYOFF_NOT_OFFERED
    played[4] = (SHOW, Declaration((), layoffs[:2]))
    assert export(table, *played).returns[0] > 0


def test_a_layoff_after_gin_is_refused() -> None:
    """R4.2: only with layoff_on_gin."""
    gin = KNOCKER[:-2] + "Js"
    table = Round(Rules.preset("finnish"), deal(gin, DEFENDER), dealer=1)
    assert refusal(table, *knock_and(None)) == Refusal.LAYOFF_ON_GIN
    assert export(table, *knock_and(Declaration())).returns[0] > 20


def test_a_knock_beyond_the_estimate_is_refused() -> None:
    """R3.3; the gin of docs/openspiel.md."""
    hand = parse_set("As2s3d3h3s4h5h6h9c9d9h")
    assert (least_after_discard(hand), estimated_deadwood(hand)) == (0, 1)
    first = "2s3d3h3s4h5h6h9c9d9h"
    table = Round(Rules.preset("straight"), deal(first, stock="As"), dealer=1)
    gin = KNOCK[parse_card("3d")]
    played = [(action, None) for action in (PASS, PASS, STOCK, gin, SHOW)]
    assert refusal(table, *played) == Refusal.KNOCK_NOT_OFFERED


def test_two_returns_in_a_row_are_refused_once_the_round_goes_on() -> None:
    """R3.2: with return_taken_card only."""
    back = DISCARD[parse_card("Kd")]
    played = [(action, None) for action in (TAKE, back, TAKE, back, STOCK)]
    table = Round(RETURNS, deal(KNOCKER), dealer=1)
    assert refusal(table, *played) == Refusal.RETURNED_TWICE
    assert refusal(table, *played[:3]) == Refusal.OPEN


def test_a_round_that_our_limit_of_turns_ends_is_refused() -> None:
    """R3.7."""
    table = Round(Rules.preset("classic", max_turns=1), deal(KNOCKER), dealer=1)
    played = [(TAKE, None), (DISCARD[parse_card("Jc")], None)]
    assert refusal(table, *played) == Refusal.TURN_CAP


def test_the_fiftieth_upcard_is_refused() -> None:
    rules = Rules.preset("classic", return_taken_card=True, max_turns=60)
    table = Round(rules, deal("AcAd4h5h9s9dKcKhQdJd", upcard="6c"), dealer=1)
    played: list[Played] = [(PASS, None), (PASS, None), (STOCK, None)]
    twin = table.copy()
    for action, declaration in played:
        twin.apply(action, declaration)
    while twin.result is None:
        discard = next(a for a in twin.legal_actions() if a.card != twin.drawn and a.card >= 0)
        played += [(discard, None), (TAKE, None)]
        twin.apply(discard)
        if twin.result is None:
            twin.apply(TAKE)
    assert refusal(table, *played) == Refusal.UPCARD_CAP


@pytest.mark.parametrize("length", range(3, 11))
def test_a_long_run_is_laid_as_melds_of_three_to_five(length: int) -> None:
    run = (1 << length) - 1 << 14
    parts = short_melds(run)
    assert sum(parts) == run
    assert all(part in MELD_ACTIONS for part in parts)


def test_melds_have_the_actions_56_to_240() -> None:
    assert sorted(MELD_ACTIONS.values()) == list(range(56, 241))
    assert MELD_ACTIONS.keys() == {meld for meld in MELDS if meld.bit_count() <= 5}


def test_layoffs_are_offered_twice_on_each_end() -> None:
    run = [parse_set("5d6d7d")]
    assert offered_layoffs(run, 0) == parse_set("4d8d")
    assert offered_layoffs(run, parse_set("8d")) == parse_set("4d9d")
    assert offered_layoffs(run, parse_set("8d9d")) == parse_set("4d9d")
    assert offered_layoffs([parse_set("Ac2c3c")], 0) == parse_set("4c")
    assert offered_layoffs([parse_set("JcQcKc"), parse_set("9c9d9h")], 0) == parse_set("Tc9s")
    assert offered_layoffs([parse_set("9c9d9h9s")], 0) == 0


@pytest.mark.parametrize(
    ("ending", "own", "other", "theirs"),
    [
        (Ending.KNOCK, 3, 12, 9),
        (Ending.GIN, 0, 12, 32),
        (Ending.GIN, 0, 0, 20),
        (Ending.UNDERCUT, 9, 4, -15),
        (Ending.UNDERCUT, 9, 9, 0),
    ],
)
def test_points_are_ours_but_for_equal_deadwood(
    ending: Ending, own: int, other: int, theirs: int
) -> None:
    """R4.4, R4.5."""
    result = RoundResult(ending, 0, 0, knocker_deadwood=own, defender_deadwood=other)
    assert its_points(CLASSIC, result) == theirs
    assert price(CLASSIC, result) == (10 if own == other and own else abs(theirs))
    assert its_points(CLASSIC, RoundResult(Ending.DEAD)) == 0


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        (Rules.preset("straight"), "gin_bonus=25,knock_card=0,undercut_bonus=0"),
        (Rules.preset("oklahoma"), "gin_bonus=25,oklahoma=True,undercut_bonus=25"),
        (
            Rules.preset("oklahoma", oklahoma_ace="one"),
            "gin_bonus=25,knock_card=0,undercut_bonus=25",
        ),
    ],
)
def test_the_rules_are_its_parameters(rules: Rules, text: str) -> None:
    """R6.1, R8."""
    assert game_text(rules, 0) == f"gin_rummy({text})"


def test_a_record_is_written_a_round_a_line() -> None:
    record = read_record((RECORDS / "classic.jsonl").read_text())
    lines = [json.loads(line) for line in write_openspiel(record).splitlines()]
    rounds = [(game.index, done) for game in record.games for done in game.rounds]
    assert [(line["game"], line["round"]) for line in lines] == [
        (game, done.number) for game, done in rounds
    ]
    for line, (_, done) in zip(lines, rounds, strict=True):
        assert (line.get("refused") == Refusal.OPEN.value) == (done.ending is None)
        if done.ending is not None:
            assert list(line) == ["game", "round", "openspiel", "seats", "actions", "returns"]
