"""A round against a second judge: any rules, any deal, any declaration, in any order (R2-R4, R9).

The judge below is written from the rules with the naive solver's melds, and takes nothing of the
engine but the values that go in and come out.
"""

import random
from dataclasses import replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from arena.engine.actions import (
    BIG_GIN,
    DISCARD,
    KNOCK,
    PASS,
    SHOW,
    STOCK,
    TAKE,
    Action,
    Declaration,
    Kind,
)
from arena.engine.cards import DECK, iter_cards
from arena.engine.deal import Deal
from arena.engine.errors import Illegal, IllegalActionError
from arena.engine.result import Ending, RoundResult, price
from arena.engine.round import Round
from arena.engine.rules import UPCARD, Rules
from arena.engine.view import Phase
from tests.property import naive
from tests.property.play import Deals, held, random_deal, rich_deal, ripe_deal
from tests.property.test_round import state, with_hidden_permuted

EVERYTHING = (PASS, TAKE, STOCK, BIG_GIN, SHOW, *DISCARD, *KNOCK)
SEEDS = st.integers(0, 2**32 - 1)
LIMITS = st.one_of(st.just(UPCARD), st.integers(0, 10))
BONUSES = st.integers(0, 60)

RULES = st.builds(
    lambda limit, ace, double, flags, bonuses, end, turns: Rules(
        knock_limit=limit,
        oklahoma_ace=ace if limit == UPCARD else "gin",
        spade_double=double and limit == UPCARD,
        undercut_on_tie=flags[0],
        layoff_on_gin=flags[1],
        return_taken_card=flags[2],
        gin_bonus=bonuses[0],
        undercut_bonus=bonuses[1],
        big_gin_bonus=bonuses[2],
        stock_end=end,
        max_turns=turns,
    ),
    LIMITS,
    st.sampled_from(["gin", "one"]),
    st.booleans(),
    st.tuples(st.booleans(), st.booleans(), st.booleans()),
    st.tuples(BONUSES, BONUSES, BONUSES),
    st.sampled_from(["dead", "last_discard"]),
    st.sampled_from([3, 20, 100]),
)
"""Every option that a round looks at."""
DEALS = st.sampled_from([rich_deal, ripe_deal, rich_deal, random_deal])


def plain(cards: int) -> naive.Cards:
    """Return a set of cards in the judge's form."""
    return frozenset((card % 13 + 1, "cdhs"[card // 13]) for card in iter_cards(cards))


def melds_fit(cards: naive.Cards, melds: list[naive.Cards]) -> bool:
    """Whether melds are such, of the cards, and apart from each other."""
    known = naive.melds(cards)
    return all(meld in known for meld in melds) and sum(map(len, melds)) == len(
        frozenset[naive.Card]().union(*melds)
    )


def defence_left(
    cards: naive.Cards, declaration: Declaration, spread: naive.Family, *, allowed: bool
) -> int | None:
    """Return the defender's deadwood by the rules of R4.2 and R4.3, None for a fault."""
    melds = [plain(meld) for meld in declaration.melds]
    if not melds_fit(cards, melds) or (declaration.layoffs and not allowed):
        return None
    left, shown = cards - frozenset[naive.Card]().union(*melds), list(spread)
    for number, place in declaration.layoffs:
        (card,) = plain(1 << number)
        if card not in left or place >= len(shown) or not naive.fits(card, shown[place]):
            return None
        left, shown[place] = left - {card}, shown[place] | {card}
    return naive.worth(left)


class RoundMachine(RuleBasedStateMachine):
    """A round with any rules, and all that anybody may try in it."""

    table: Round
    spread: naive.Family = ()
    opened = 0

    @initialize(rules=RULES, seed=SEEDS, dealer=st.integers(0, 1), deals=DEALS)
    def sit_down(self, rules: Rules, seed: int, dealer: int, deals: Deals) -> None:
        self.table = Round(rules, deals(random.Random(seed)), dealer)

    @precondition(lambda self: self.table.phase == Phase.OVER)
    @rule(seed=SEEDS, deals=DEALS)
    def deal_again(self, seed: int, deals: Deals) -> None:
        for action in EVERYTHING:
            assert self.refuse(action) is Illegal.ROUND_OVER
        self.spread = ()
        self.table = Round(
            self.table.rules, deals(random.Random(seed)), dealer=1 - self.table.dealer
        )

    def refuse(self, action: Action, declaration: Declaration | None = None) -> Illegal:
        """Try what must be refused, and see that nothing has changed."""
        before = state(self.table)
        with pytest.raises(IllegalActionError) as refused:
            self.table.apply(action, declaration)
        assert state(self.table) == before
        return refused.value.cause

    def random_declaration(self, seed: int, cards: naive.Cards) -> Declaration:
        """Return melds and layoffs that may fit or not: most do, some overlap or are not held."""
        rng = random.Random(seed)
        own, melds, left = naive.melds(cards), list[naive.Cards](), cards
        for meld in rng.sample(own, len(own)):
            if meld <= left or rng.random() < 0.1:
                melds.append(meld)
                left -= meld
        if rng.random() < 0.1:
            melds.append(naive.random_hand(rng, 3))
        layoffs = [
            (naive.bits([card]).bit_length() - 1, place)
            for place, meld in enumerate((*self.spread, frozenset()))
            for card in rng.sample(sorted(left), min(len(left), 3))
            if rng.random() < 0.05 or (meld and naive.fits(card, meld))
        ]
        return Declaration(tuple(map(naive.bits, melds)), tuple(layoffs))

    @precondition(lambda self: self.table.phase < Phase.SHOWDOWN)
    @rule(seed=SEEDS)
    def play(self, seed: int) -> None:
        rng, legal = random.Random(seed), self.table.legal_actions()
        knocks = [action for action in legal if action.kind in (Kind.KNOCK, Kind.BIG_GIN)]
        quiet = [action for action in legal if action not in knocks]
        self.act(rng.choice(rng.choice([some for some in (knocks, quiet) if some])))

    def act(self, action: Action, declaration: Declaration | None = None) -> None:
        """Play a legal action and keep what the knocker shows."""
        kinds = (Kind.KNOCK, Kind.BIG_GIN)
        self.table.apply(action, declaration, seat=self.table.turn)
        if action.kind in kinds:
            seen = self.table.observe(self.table.turn)
            self.spread = tuple(plain(meld) for meld in seen.spread)
            self.opened = naive.worth(plain(seen.knocker_deadwood))
            assert self.opened <= self.table.knock_limit

    @precondition(lambda self: self.table.phase == Phase.DISCARD)
    @rule(seed=SEEDS)
    def knock_with_anything(self, seed: int) -> None:
        """R3.3: accepted where the melds fit and what they leave is within the limit."""
        hand = self.table.hands[self.table.turn]
        card = random.Random(seed).choice(list(iter_cards(hand)))
        kept = plain(hand ^ 1 << card)
        declaration = self.random_declaration(seed, kept)
        melds = [plain(meld) for meld in declaration.melds]
        returned = self.table.drawn_from_pile and card == self.table.drawn
        good = (
            melds_fit(kept, melds)
            and not declaration.layoffs
            and naive.worth(kept) - sum(map(naive.worth, melds)) <= self.table.knock_limit
            and (self.table.rules.return_taken_card or not returned)
        )
        if good:
            assert KNOCK[card] in self.table.legal_actions()
            self.act(KNOCK[card], declaration)
        else:
            self.refuse(KNOCK[card], declaration)

    @precondition(lambda self: self.table.phase == Phase.SHOWDOWN)
    @rule(seed=SEEDS)
    def show_anything(self, seed: int) -> None:
        """R4.2, R4.3: what does not fit is refused, what fits counts as it was shown."""
        hand = plain(self.table.hands[self.table.turn])
        declaration = self.random_declaration(seed, hand)
        allowed = self.opened > 0 or self.table.rules.layoff_on_gin
        left = defence_left(hand, declaration, self.spread, allowed=allowed)
        if left is None:
            self.refuse(SHOW, declaration)
        else:
            self.end(left, declaration)

    @precondition(lambda self: self.table.phase == Phase.SHOWDOWN)
    @rule()
    def show_the_best(self) -> None:
        """R4.3: without a declaration the defender has the least deadwood that there is."""
        hand = plain(self.table.hands[self.table.turn])
        allowed = self.opened > 0 or self.table.rules.layoff_on_gin
        self.end(naive.defence(hand, self.spread)[0] if allowed else naive.least(hand), None)

    def end(self, left: int, declaration: Declaration | None) -> None:
        defender, knocker = self.table.turn, 1 - self.table.turn
        self.table.apply(SHOW, declaration)
        result = self.table.result
        assert result is not None
        assert (result.knocker, result.knocker_deadwood) == (knocker, self.opened)
        assert result.defender_deadwood == left
        if self.opened == 0:
            assert (result.ending in (Ending.GIN, Ending.BIG_GIN), result.winner) == (True, knocker)
        elif self.opened != left:
            assert result.winner == (knocker if self.opened < left else defender)
        self.check_price(result)

    def check_price(self, result: RoundResult) -> None:
        """R4.5, R6.1: as a table of the rules has it."""
        rules, gap = self.table.rules, abs(result.defender_deadwood - result.knocker_deadwood)
        points = {
            Ending.KNOCK: gap,
            Ending.GIN: gap + rules.gin_bonus,
            Ending.BIG_GIN: gap + rules.big_gin_bonus,
            Ending.UNDERCUT: gap + rules.undercut_bonus,
            Ending.TIE: 0,
        }[result.ending]
        doubled = rules.spade_double and self.table.upcard >= 39
        assert price(rules, result) == points * (2 if doubled else 1)

    @precondition(lambda self: self.table.phase != Phase.OVER)
    @rule(action=st.sampled_from(EVERYTHING))
    def try_what_is_not_legal(self, action: Action) -> None:
        if action not in self.table.legal_actions():
            assert self.refuse(action) is not Illegal.ROUND_OVER

    @precondition(lambda self: self.table.phase != Phase.OVER)
    @rule()
    def play_out_of_turn(self) -> None:
        before, other = state(self.table), 1 - self.table.turn
        with pytest.raises(IllegalActionError, match="is on turn"):
            self.table.apply(self.table.legal_actions()[0], seat=other)
        assert state(self.table) == before

    @invariant()
    def cards_are_conserved(self) -> None:
        places = held(self.table)
        assert (sum(places), sum(map(int.bit_count, places))) == (DECK, 52)
        assert (self.table.result is None) == (self.table.phase != Phase.OVER)

    @invariant()
    def views_do_not_depend_on_what_is_hidden(self) -> None:
        if self.table.phase != Phase.OVER:
            for seat in (0, 1):
                twin = with_hidden_permuted(random.Random(seat), self.table, seat)
                assert twin.observe(seat) == self.table.observe(seat)


def test_the_engine_and_the_judge_agree() -> None:
    steps = settings(max_examples=200, stateful_step_count=50, deadline=None, derandomize=True)
    run_state_machine_as_test(RoundMachine, settings=steps)


def test_the_judge_itself_knows_bad_declarations() -> None:
    cards = naive.DECK & {(1, "c"), (2, "c"), (3, "c"), (4, "c"), (9, "h"), (5, "c")}
    run, long = frozenset({(1, "c"), (2, "c"), (3, "c")}), frozenset({(3, "c"), (4, "c"), (5, "c")})
    assert melds_fit(cards, [run])
    assert not melds_fit(cards, [run, long])
    assert not melds_fit(cards, [frozenset({(9, "h"), (1, "c"), (2, "c")})])
    lay = Declaration(layoffs=((3, 0), (4, 0)))
    held_cards = cards - run
    assert defence_left(held_cards, lay, (run,), allowed=True) == 9
    assert defence_left(held_cards, lay, (run,), allowed=False) is None
    turned = replace(lay, layoffs=((4, 0), (3, 0)))
    assert defence_left(held_cards, turned, (run,), allowed=True) is None


def test_the_deals_of_the_machine_are_of_one_deck() -> None:
    for maker in (random_deal, rich_deal, ripe_deal):
        deal: Deal = maker(random.Random(1))
        assert sum(map(int.bit_count, deal.hands)) == 20
        assert deal.stock().left().bit_count() == 31
