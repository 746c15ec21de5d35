import pytest

from arena.engine.actions import BIG_GIN, DISCARD, KNOCK, PASS, STOCK, TAKE, Action, Kind
from arena.engine.cards import iter_cards, parse_card, parse_set
from arena.engine.melds import knock_discards
from arena.engine.rules import Rules
from arena.engine.view import Observation, Phase
from arena.sdk import load_bot
from arena.sdk.bots.careful import gin_outs
from arena.sdk.bots.random import fingerprint
from arena.sdk.bots.worth import Standing
from arena.sdk.load import REFERENCE_BOTS
from tests.unit.sdk.observations import observation

PLAYERS = [name for name in REFERENCE_BOTS if name != "random"]
MODERN = Rules.preset("modern")


def turn(hand: str, **changes: object) -> Observation:
    """Return the decision after the draw of the last card of the text."""
    drawn = parse_card(hand[-2:])
    cards = parse_set(hand)
    changes = {"drawn_from_pile": False, "stock_count": 25} | changes
    changes = {"turn_number": 3} | changes
    seen = observation(phase=Phase.DISCARD, hand=cards, drawn=drawn, **changes)
    taken = cards & 1 << drawn if seen.drawn_from_pile else 0
    knocks = knock_discards(cards, seen.knock_limit, taken)
    legal = [DISCARD[card] for card in iter_cards(cards & ~taken)]
    legal += [KNOCK[card] for card in iter_cards(knocks)]
    return seen._replace(legal=tuple(legal))


def act(bot: str, seen: Observation) -> Action:
    return load_bot(bot).act(seen)


OFFERS = {
    "no meld": ("Ac2c5d7d8dTdTsKh5s4h", "9s", False),
    "run": ("Ac2c5d7d8dTdJsKh5s4h", "9d", True),
    "set": ("Ac2c5d7d8dTdTsKh5s4h", "Th", True),
    "fourth of a set": ("Ac2c5d7dTcTdTsKh5s4h", "Th", True),
    "meld that ties up better ones": ("JcQcKcJdQdKdJhQhKh4h", "5h", False),
}


@pytest.mark.parametrize(("hand", "upcard", "takes"), OFFERS.values(), ids=OFFERS)
@pytest.mark.parametrize("phase", [Phase.UPCARD, Phase.DRAW])
def test_simple_takes_only_what_joins_a_meld(
    hand: str, upcard: str, phase: Phase, *, takes: bool
) -> None:
    decline = PASS if phase == Phase.UPCARD else STOCK
    seen = observation(hand=hand, discards=upcard, phase=phase, legal=(decline, TAKE))
    assert act("simple", seen) == (TAKE if takes else decline)


def test_simple_throws_the_highest_deadwood_card() -> None:
    assert act("simple", turn("Ac2c3c7d8d9dTsQh5s4hKh")) == DISCARD[parse_card("Kh")]


def test_simple_keeps_a_meld_of_high_cards() -> None:
    assert act("simple", turn("JcQcKc7d8d4dTs9h5s4h2h")) == DISCARD[parse_card("Ts")]


@pytest.mark.parametrize("bot", ["simple", "greedy"])
def test_simple_and_greedy_knock_as_soon_as_they_may(bot: str) -> None:
    assert act(bot, turn("Ac2c3c7d8d9d4s5h5s4hKh")) == DISCARD[parse_card("Kh")]
    assert act(bot, turn("Ac2c3c7d8d9d4s4hAsAhKh")) == KNOCK[parse_card("Kh")]


# 4c, 6d, Td and 5c would make gin of three melds and an ace.
NEAR_GIN = "Ac2c3c7d8d9d5s5h5dAsKh"


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({}, Kind.DISCARD),
        ({"turn_number": 3}, Kind.KNOCK),
        ({"stock_count": 3}, Kind.KNOCK),
        ({"discards": "9s4c6dTd"}, Kind.KNOCK),
    ],
    ids=["waits", "the opponent holds much", "no turn more", "outs are gone"],
)
def test_patient_waits_for_gin_while_the_chance_is_good(
    changes: dict[str, object], kind: Kind
) -> None:
    seen = turn(NEAR_GIN, **{"turn_number": 10, "discards": "9s"} | changes)
    assert act("patient", seen) == Action(kind, parse_card("Kh"))
    assert act("greedy", seen) == KNOCK[parse_card("Kh")]


@pytest.mark.parametrize("bot", PLAYERS)
def test_all_but_random_go_gin(bot: str) -> None:
    assert act(bot, turn("Ac2c3c7d8d9dTd4s4h4cKh")) == KNOCK[parse_card("Kh")]


@pytest.mark.parametrize("bot", PLAYERS)
def test_the_knock_limit_of_the_round_is_kept(bot: str) -> None:
    seen = turn("Ac2c3c7d8d9d4s4h4cAsKh", knock_limit=0)
    assert act(bot, seen) == DISCARD[parse_card("Kh")]


@pytest.mark.parametrize("bot", PLAYERS)
def test_big_gin_is_declared_where_it_is_played(bot: str) -> None:
    hand = "Ac2c3c7d8d9dTd4s4h4c4d"
    assert act(bot, turn(hand, rules=MODERN)) == BIG_GIN
    assert act(bot, turn(hand)).kind == KNOCK[0].kind


@pytest.mark.parametrize("bot", REFERENCE_BOTS)
def test_the_card_just_taken_is_not_thrown(bot: str) -> None:
    seen = turn("Ac2c3c7d8d9d4s6h5s4hKh", drawn_from_pile=True)
    action = act(bot, seen)
    assert action in seen.legal
    assert action.card != parse_card("Kh")


@pytest.mark.parametrize("bot", REFERENCE_BOTS)
def test_after_two_passes_the_stock_is_the_only_draw(bot: str) -> None:
    seen = observation(phase=Phase.DRAW, discards="Th", legal=(STOCK,))
    assert act(bot, seen) == STOCK


@pytest.mark.parametrize("bot", PLAYERS)
def test_the_last_discard_is_taken_where_that_allows_a_knock(bot: str) -> None:
    seen = observation(phase=Phase.LAST_DISCARD, legal=(PASS, TAKE))
    assert act(bot, seen) == TAKE
    assert act(bot, observation(phase=Phase.LAST_DISCARD, legal=(PASS,))) == PASS


def test_random_knocks_whenever_it_can() -> None:
    seen = turn("Ac2c3c7d8d9d4s4hAsAhKh")
    for number in range(1, 50):
        assert act("random", seen._replace(round_number=number)).kind == KNOCK[0].kind


def test_random_spreads_evenly_over_the_legal_actions() -> None:
    legal = tuple(DISCARD[card] for card in range(10))
    counts = dict.fromkeys(legal, 0)
    for number in range(1, 2001):
        seen = observation(phase=Phase.DISCARD, round_number=number, legal=legal)
        counts[act("random", seen)] += 1
    # 200 expected of each, standard deviation 13.4; four of them.
    assert all(146 <= count <= 254 for count in counts.values()), counts


def test_a_fingerprint_depends_on_what_the_seat_sees_alone() -> None:
    assert fingerprint(observation()) == fingerprint(observation())
    changed = [
        observation(hand="Ac2c3c7d8dTdTsKh5s6h"),
        observation(known="9h"),
        observation(turn_number=1),
        observation(round_number=2),
        observation(phase=Phase.DRAW),
    ]
    assert len({fingerprint(seen) for seen in [observation(), *changed]}) == 6


def test_a_fingerprint_is_the_same_on_every_machine() -> None:
    assert fingerprint(observation()) == 1_842_268_742_156_907_312


# Knocking leaves ten: Kh goes, A-2-3 and 7-8-9 stay.
TEN = "Ac2c3c7d8d9d4s3h2sAhKh"
KING = parse_card("Kh")
OKLAHOMA = Rules.preset("oklahoma")


@pytest.mark.parametrize("bot", ["greedy", "patient"])
def test_a_dear_undercut_makes_high_deadwood_wait(bot: str) -> None:
    late = {"turn_number": 16, "discards": "9s"}
    assert act(bot, turn(TEN, **late)) == KNOCK[KING]
    assert act(bot, turn(TEN, rules=MODERN, **late)) == DISCARD[KING]
    assert act(bot, turn(TEN, rules=MODERN, discards="9s")) == KNOCK[KING]


def test_the_bonus_for_gin_is_worth_a_turn_more() -> None:
    seen = turn(NEAR_GIN, turn_number=10, discards="9s")
    assert act("patient", seen) == DISCARD[KING]
    poor = seen._replace(rules=Rules(gin_bonus=0))
    assert act("patient", poor) == KNOCK[KING]


@pytest.mark.parametrize(
    ("points", "kind"),
    [
        ((0, 0), Kind.DISCARD),
        ((95, 0), Kind.KNOCK),
        ((95, 95), Kind.KNOCK),
        ((0, 95), Kind.DISCARD),
    ],
    ids=["far", "a knock ends the game", "either's does", "far behind"],
)
def test_patient_knocks_where_that_ends_the_game(points: tuple[int, int], kind: Kind) -> None:
    seen = turn(NEAR_GIN, turn_number=10, discards="9s", points=points)
    assert act("patient", seen).kind == kind


def test_the_columns_of_hollywood_need_their_target_each() -> None:
    near = turn(NEAR_GIN, turn_number=10, discards="9s", points=(145, 0))
    assert act("patient", near._replace(rules=OKLAHOMA)).kind == Kind.KNOCK
    assert act("patient", near._replace(rules=Rules.preset("hollywood"))).kind == Kind.DISCARD


def test_the_third_of_captain_does_not_matter() -> None:
    rules = Rules.preset("captain")
    for adviser in (0, 95):
        seen = turn(NEAR_GIN, turn_number=10, discards="9s", rules=rules, points=(0, 0, adviser))
        assert act("patient", seen).kind == Kind.DISCARD


@pytest.mark.parametrize(
    ("bot", "turn_number", "points", "single", "double"),
    [
        ("patient", 10, (105, 45), Kind.DISCARD, Kind.KNOCK),
        ("greedy", 14, (30, 90), Kind.KNOCK, Kind.DISCARD),
    ],
    ids=["a doubled knock ends the game", "a doubled undercut would end it"],
)
def test_a_spade_doubles_what_the_points_stand_against(
    bot: str, turn_number: int, points: tuple[int, int], single: Kind, double: Kind
) -> None:
    for upcard, kind in (("Th", single), ("Ts", double)):
        seen = turn(
            NEAR_GIN,
            rules=OKLAHOMA,
            discards=upcard + "9c",
            points=points,
            turn_number=turn_number,
        )
        assert act(bot, seen).kind == kind


@pytest.mark.parametrize(("held", "stakes"), [("Ks", 2), ("Kd", 1)])
def test_a_first_upcard_that_was_taken_is_found_in_the_hands(held: str, stakes: int) -> None:
    seen = observation(rules=OKLAHOMA, discards="2c", known=held, hand="Ac2d3c7d8d9d5h5d4h3h")
    assert Standing.of(seen).stakes == stakes


@pytest.mark.parametrize("bot", ["greedy", "patient"])
def test_big_gin_is_left_where_gin_scores_no_less(bot: str) -> None:
    hand = "Ac2c3c7d8d9dTd4s4h4c4d"
    for bonus, kind in ((25, Kind.KNOCK), (26, Kind.BIG_GIN)):
        seen = turn(hand, rules=Rules.preset("modern", big_gin_bonus=bonus))
        assert act(bot, seen).kind == kind


@pytest.mark.parametrize("bot", ["greedy", "patient"])
def test_straight_gin_keeps_the_cards_with_the_most_outs(bot: str) -> None:
    # Kept: queens for a set, or the heart run to grow; five outs against three.
    hand = "2c2h2s5h7h8h9hThJhQhQd"
    seen = turn(hand, knock_limit=0, rules=Rules.preset("straight"), discards="9s")
    five, queen = parse_card("5h"), parse_card("Qd")
    assert gin_outs(seen, five) > gin_outs(seen, queen) > 0
    assert act(bot, seen) == DISCARD[five]
    assert act("simple", seen) == DISCARD[queen]
