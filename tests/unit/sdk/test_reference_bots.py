import pytest

from arena.engine.actions import BIG_GIN, DISCARD, KNOCK, PASS, STOCK, TAKE, Action, Kind
from arena.engine.cards import iter_cards, parse_card, parse_set
from arena.engine.melds import knock_discards
from arena.engine.rules import Rules
from arena.engine.view import Observation, Phase
from arena.sdk import load_bot
from arena.sdk.bots.random import fingerprint
from arena.sdk.load import REFERENCE_BOTS
from tests.unit.sdk.observations import observation

PLAYERS = [name for name in REFERENCE_BOTS if name != "random"]
MODERN = Rules.preset("modern")


def turn(hand: str, **changes: object) -> Observation:
    """Return the decision after the draw of the last card of the text."""
    drawn = parse_card(hand[-2:])
    cards = parse_set(hand)
    changes = {"drawn_from_pile": False, "stock_count": 25} | changes
    seen = observation(phase=Phase.DISCARD, hand=cards, drawn=drawn, turn_number=3, **changes)
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
    ("stock", "discards", "kind"),
    [(25, "9s", Kind.DISCARD), (10, "9s", Kind.KNOCK), (25, "9s4c", Kind.KNOCK)],
    ids=["waits", "late", "an out is gone"],
)
def test_patient_waits_for_gin_while_four_cards_would_bring_it(
    stock: int, discards: str, kind: Kind
) -> None:
    seen = turn(NEAR_GIN, stock_count=stock, discards=discards)
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
