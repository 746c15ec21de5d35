"""Deadwood, discards, defence and declarations against the naive solver (R1.5, R3.3, R4)."""

import random
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from arena.engine.actions import Declaration
from arena.engine.cards import CARD_TEXT, DECK, card_set, iter_cards, pips
from arena.engine.errors import Illegal, IllegalActionError
from arena.engine.melds import (
    MELDS,
    arrangements,
    best_discards,
    completes_meld,
    knock_discards,
    least_after_discard,
    least_deadwood,
    melds_in,
)
from arena.engine.rules import Rules
from arena.engine.showdown import (
    best_defence,
    check_big_gin,
    check_declaration,
    check_knock,
    default_spread,
)
from tests.property import naive

Maker = Callable[..., naive.Cards]
MAKERS: list[Maker] = [naive.random_hand, naive.rich_hand]


def hands(seed: int, size: int, count: int) -> Iterator[naive.Cards]:
    """Yield hands, by turns random and rich in melds."""
    rng = random.Random(seed)
    for number in range(count):
        yield MAKERS[number % 2](rng, size)


def test_the_melds_are_those_of_the_naive_solver_r1_4() -> None:
    suits = [naive.melds(frozenset((rank, suit) for rank in range(1, 14))) for suit in "cdhs"]
    ranks = [naive.melds(frozenset((rank, suit) for suit in "cdhs")) for rank in range(1, 14)]
    found = {naive.bits(meld) for melds in (*suits, *ranks) for meld in melds}
    assert found == MELDS
    assert len(found) == 329


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_least_deadwood_of_ten_cards_r1_5(part: int) -> None:
    for hand in hands(part, 10, 6_000):
        assert least_deadwood(naive.bits(hand)) == naive.least(hand), hand


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_discards_of_eleven_cards_r3_3(part: int) -> None:
    rng = random.Random(part)
    for hand in hands(100 + part, 11, 6_000):
        barred = rng.choice(sorted(hand)) if rng.random() < 0.5 else None
        after = {
            CARD_TEXT.index("A23456789TJQK"[rank - 1] + suit): least
            for (rank, suit), least in naive.least_by_discard(hand).items()
            if (rank, suit) != barred
        }
        cards, forbidden = naive.bits(hand), naive.bits([barred] if barred else [])
        best = min(after.values())
        assert least_after_discard(cards, forbidden) == best, hand
        best_cards = card_set(card for card, least in after.items() if least == best)
        assert best_discards(cards, forbidden) == (best, best_cards), hand
        for limit in (0, rng.randint(1, 10), 10):
            within = card_set(card for card, least in after.items() if least <= limit)
            assert knock_discards(cards, limit, forbidden) == within, hand


@pytest.mark.slow
@pytest.mark.parametrize("part", range(2))
def test_all_least_arrangements_of_ten_and_eleven_cards_r1_5(part: int) -> None:
    for hand in hands(200 + part, 10 + part, 3_000):
        least = naive.least(hand)
        expected = sorted(
            tuple(sorted(map(naive.bits, family)))
            for family in naive.all_families(hand)
            if naive.worth(hand) - sum(map(naive.worth, family)) == least
        )
        found = arrangements(naive.bits(hand))
        assert sorted(tuple(sorted(melds)) for melds in found) == expected, hand


def spread_and_hand(rng: random.Random, *, rich: bool) -> tuple[naive.Family, naive.Cards]:
    """Return a knocker's spread and a defender's hand from the rest of the pack."""
    while True:
        knocker = naive.rich_hand(rng, 10)
        spread = max(naive.all_families(knocker), key=lambda melds: sum(map(naive.worth, melds)))
        if spread:
            break
    rest = naive.DECK - knocker
    if not rich:
        return spread, naive.random_hand(rng, 10, rest)
    fitting = {card for card in rest if any(abs(card[0] - r) <= 2 for m in spread for r, _ in m)}
    return spread, naive.random_hand(rng, 10, fitting if len(fitting) >= 10 else rest)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_the_defenders_optimum_r4_3(part: int) -> None:
    rng = random.Random(300 + part)
    for number in range(5_200):
        spread, hand = spread_and_hand(rng, rich=number % 2 == 1)
        shown, cards = [naive.bits(meld) for meld in spread], naive.bits(hand)
        answer = best_defence(cards, shown, layoffs_allowed=True)
        left = check_declaration(cards, answer, shown).deadwood
        assert (pips(left), len(answer.layoffs)) == naive.defence(hand, spread), (spread, hand)
        alone = best_defence(cards, shown, layoffs_allowed=False)
        assert not alone.layoffs
        assert pips(check_declaration(cards, alone, shown).deadwood) == naive.least(hand)


@pytest.mark.slow
def test_every_declaration_of_2000_hands_is_judged_by_what_it_shows_r4_1() -> None:
    for number, hand in enumerate(hands(400, 10, 2_000)):
        cards = naive.bits(hand)
        for family in naive.all_families(hand):
            declaration = Declaration(tuple(map(naive.bits, family)))
            left = naive.worth(hand) - sum(map(naive.worth, family))
            shown = check_declaration(cards, declaration)
            assert shown.melds == declaration.melds
            assert pips(shown.deadwood) == left
            limit = number % 11
            if left <= limit:
                assert check_knock(cards, declaration, limit) == shown
            else:
                refused = cause(partial(check_knock, cards, declaration, limit))
                assert refused == Illegal.TOO_MUCH_DEADWOOD


def cause(judge: Callable[[], object]) -> Illegal:
    with pytest.raises(IllegalActionError) as refused:
        judge()
    return refused.value.cause


@pytest.mark.slow
def test_bad_declarations_of_2000_hands_are_refused_by_cause_r4_1_r4_2() -> None:
    rng = random.Random(500)
    refused = dict.fromkeys(Illegal, 0)
    for number in range(2_000):
        spread, hand = spread_and_hand(rng, rich=number % 2 == 1)
        cards, shown = naive.bits(hand), [naive.bits(meld) for meld in spread]
        for expected, declaration, allowed in bad_declarations(rng, cards, shown):
            judge = partial(check_declaration, cards, declaration, shown, layoffs_allowed=allowed)
            assert cause(judge) == expected, (hand, declaration)
            refused[expected] += 1
    print({str(cause): count for cause, count in refused.items() if count})  # noqa: T201 - the counts are the evidence
    for expected in (
        Illegal.NOT_A_MELD,
        Illegal.CARD_NOT_IN_HAND,
        Illegal.CARD_IN_TWO_MELDS,
        Illegal.LAYOFF_DOES_NOT_FIT,
        Illegal.LAYOFF_NOT_ALLOWED,
    ):
        assert refused[expected] >= 500


Bad = tuple[Illegal, Declaration, bool]


def bad_declarations(rng: random.Random, cards: int, spread: list[int]) -> Iterator[Bad]:
    held = list(iter_cards(cards))
    some = card_set(rng.sample(held, rng.randint(0, 5)))
    if some not in MELDS:
        yield Illegal.NOT_A_MELD, Declaration((some,)), True
    strange = rng.choice(sorted(MELDS))
    if strange & ~cards:
        yield Illegal.CARD_NOT_IN_HAND, Declaration((strange,)), True
    own = melds_in(cards)
    for first in own[:3]:
        for second in own:
            if first & second:
                yield Illegal.CARD_IN_TWO_MELDS, Declaration((first, second)), True
    card, index = rng.choice(held), rng.randrange(len(spread))
    if spread[index] | 1 << card not in MELDS:
        yield Illegal.LAYOFF_DOES_NOT_FIT, Declaration((), ((card, index),)), True
    bad_index = rng.choice((-1, len(spread)))
    yield Illegal.LAYOFF_DOES_NOT_FIT, Declaration((), ((card, bad_index),)), True
    yield Illegal.LAYOFF_NOT_ALLOWED, Declaration((), ((card, index),)), False
    outside = rng.choice(list(iter_cards(DECK & ~cards)))
    yield Illegal.CARD_NOT_IN_HAND, Declaration((), ((outside, index),)), True
    for layoff in best_defence(cards, spread, layoffs_allowed=True).layoffs[:1]:
        yield Illegal.CARD_IN_TWO_MELDS, Declaration((), (layoff, layoff)), True
        for meld in own:
            if meld >> layoff[0] & 1:
                yield Illegal.CARD_IN_TWO_MELDS, Declaration((meld,), (layoff,)), True


@pytest.mark.slow
def test_big_gin_is_eleven_melded_cards_r3_5() -> None:
    modern, seen = Rules.preset("modern"), 0
    for hand in hands(600, 11, 4_000):
        cards = naive.bits(hand)
        melds = max(naive.all_families(hand), key=lambda melds: sum(map(len, melds)))
        declaration = Declaration(tuple(map(naive.bits, melds)))
        if sum(map(len, melds)) == 11:
            seen += 1
            assert not check_big_gin(cards, declaration, modern).deadwood
        else:
            refused = cause(partial(check_big_gin, cards, declaration, modern))
            assert refused == Illegal.NOT_BIG_GIN
    assert seen > 30


def text(melds: naive.Family) -> str:
    """Return melds in the order of R4.1."""
    words = []
    for meld in melds:
        cards = sorted(meld, key=lambda card: (card[0], "cdhs".index(card[1])))
        words.append("".join("A23456789TJQK"[rank - 1] + suit for rank, suit in cards))
    return " ".join(sorted(words))


def test_the_default_spread_leaves_fewest_layoffs_then_the_smaller_text_r4_1() -> None:
    rng = random.Random(700)
    for hand in hands(700, 10, 1_500):
        thrown = naive.random_hand(rng, 12, naive.DECK - hand)
        unseen = naive.DECK - hand - thrown

        ranked = []
        for melds in naive.all_families(hand):
            fitting = [card for card in unseen if any(naive.fits(card, meld) for meld in melds)]
            left = naive.worth(hand) - sum(map(naive.worth, melds))
            ranked.append((left, len(fitting), text(melds), melds))
        expected = min(ranked)[3]
        discards = list(iter_cards(naive.bits(thrown)))
        assert set(default_spread(naive.bits(hand), discards)) == set(map(naive.bits, expected))


def test_a_card_completes_a_meld_as_the_naive_solver_says() -> None:
    rng = random.Random(800)
    for hand in hands(800, 10, 500):
        card = rng.choice(sorted(naive.DECK - hand))
        expected = any(card in meld for meld in naive.melds(hand | {card}))
        number = naive.bits([card]).bit_length() - 1
        assert completes_meld(naive.bits(hand), number) == expected
