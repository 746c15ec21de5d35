"""A round of the engine and the same round of OpenSpiel, played side by side and compared."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from arena.engine.actions import BIG_GIN, PASS, STOCK, TAKE, Action, Declaration, Kind
from arena.engine.cards import Card, CardSet, card_set, iter_cards, pips
from arena.engine.melds import MELDS, least_deadwood
from arena.engine.result import Ending, RoundResult, price
from arena.engine.round import Round
from arena.engine.view import Phase
from arena.notation import openspiel
from tests.differential.differences import Difference

SHORT_MELDS = tuple(meld for meld in MELDS if meld.bit_count() <= 5)
DRAWS = {PASS: openspiel.PASS, TAKE: openspiel.DRAW_UPCARD, STOCK: openspiel.DRAW_STOCK}


def our_card(card: int) -> Card:
    return (card - 13) % 52


def our_set(cards: Iterable[int]) -> CardSet:
    return card_set(map(our_card, cards))


class Mirror:
    """Plays what `table` plays in OpenSpiel too; any difference that is not known fails.

    Args:
        start: OpenSpiel's state before the deal.
        utils: its helpers.
        table: a round before its first action.
        seen: counts the known differences.
    """

    def __init__(self, start: Any, utils: Any, table: Round, seen: Counter[Difference]) -> None:
        self.table = table
        self.state = start.clone()
        self.utils = utils
        self.seen = seen
        self.ended_by: Difference | None = None
        """The difference after which the two rounds cannot go on together."""
        self.kept: CardSet = 0
        """What the defender laid off and OpenSpiel did not let it."""
        self.player = (0, 1) if table.dealer == 1 else (1, 0)
        self._takes = 0
        self._returned = False
        self._deal()

    @property
    def open(self) -> bool:
        return self.ended_by is None and not self.state.is_terminal()

    def _deal(self) -> None:
        hands = [self.table.hands[seat] for seat in (1 - self.table.dealer, self.table.dealer)]
        for card in (*iter_cards(hands[0]), *iter_cards(hands[1]), self.table.upcard):
            assert self.state.is_chance_node()
            self._apply(openspiel.its_card(card))
        assert self.state.knock_card() == self.table.knock_limit
        assert self.state.current_player() == 0

    def _apply(self, action: int) -> None:
        legal = self.state.legal_actions()
        assert action in legal, f"{action} is not in {legal}\n{self.state}"
        self.state.apply_action(action)

    def _stop(self, difference: Difference) -> None:
        self.seen[difference] += 1
        self.ended_by = difference

    # Before an action: the same cards, the same choices

    def check(self) -> None:
        """Compare cards, deadwood and legal actions of the seat on turn."""
        table, state = self.table, self.state
        assert state.current_player() == self.player[table.turn]
        self._check_cards()
        legal = table.legal_actions()
        if table.phase in (Phase.UPCARD, Phase.DRAW):
            assert sorted(DRAWS[action] for action in legal) == state.legal_actions()
        elif table.phase == Phase.DISCARD:
            self._check_discards(legal)
        else:
            assert (TAKE in legal) == self._check_wall(table.turn)

    def _check_cards(self) -> None:
        table, state = self.table, self.state
        hands, deadwood, known = state.hands(), state.deadwood(), state.known_cards()
        for seat in (0, 1):
            player, hand = self.player[seat], table.hands[seat]
            assert our_set(hands[player]) == hand
            assert our_set(known[player]) == table.known[seat]
            full = hand.bit_count() == 11
            expected = openspiel.estimated_deadwood(hand) if full else least_deadwood(hand)
            assert deadwood[player] == expected
        pile = [our_card(card) for card in state.discard_pile()]
        if state.upcard() is not None:
            pile.append(our_card(state.upcard()))
        assert pile == table.discards
        assert state.stock_size() == table.stock_count

    def _check_discards(self, legal: list[Action]) -> None:
        table, state = self.table, self.state
        hand = table.hands[table.turn]
        returned = self._not_returnable()
        theirs = state.legal_actions()
        discards = our_set(action for action in theirs if action < 52)
        knocks = self._check_knocks(hand, offered=openspiel.KNOCK in theirs)
        assert set(theirs) <= {*range(52), openspiel.KNOCK}
        assert discards == hand
        assert discards & ~returned == card_set(a.card for a in legal if a.kind == Kind.DISCARD)
        assert knocks == card_set(a.card for a in legal if a.kind == Kind.KNOCK)
        self.seen[Difference.RETURN] += bool(returned)
        melded = pips(hand) == sum(
            map(pips, map(our_set, self.utils.best_meld_group(self._ints(hand))))
        )
        assert (BIG_GIN in legal) == (bool(table.rules.big_gin_bonus) and melded)

    def _not_returnable(self) -> CardSet:
        table = self.table
        free = table.rules.return_taken_card or not table.drawn_from_pile or table.drawn is None
        return 0 if free or table.drawn is None else 1 << table.drawn

    @staticmethod
    def _ints(cards: CardSet) -> list[int]:
        return [openspiel.its_card(card) for card in iter_cards(cards)]

    def _check_knocks(self, hand: CardSet, *, offered: bool) -> CardSet:
        """Check the offer of a knock against the estimate; return the discards that allow one.

        OpenSpiel's own list of discards is exact; only its offer goes by the estimate.
        """
        limit = self.table.knock_limit
        assert offered == (openspiel.estimated_deadwood(hand) <= limit)
        cards = our_set(self.utils.legal_discards(self._ints(hand), limit))
        allowed = cards & ~self._not_returnable()
        if cards and not offered:
            gin = any(least_deadwood(hand ^ 1 << card) == 0 for card in iter_cards(cards))
            self.seen[Difference.ESTIMATE_GIN if gin else Difference.ESTIMATE] += 1
        if offered and not allowed:
            self.seen[Difference.RETURN_KNOCK] += 1
        return allowed

    def _check_wall(self, seat: int) -> bool:
        """Check OpenSpiel's end of the stock; say whether the rules let a seat knock there."""
        table, state = self.table, self.state
        taken = 1 << table.discards[-1]
        hand = table.hands[seat] | taken
        legal = state.legal_actions()
        offered = openspiel.estimated_deadwood(hand) <= table.knock_limit
        assert state.stock_size() == 2
        assert state.current_player() == self.player[seat]
        assert legal == [openspiel.PASS, *[openspiel.KNOCK] * offered]
        cards = our_set(self.utils.legal_discards(self._ints(hand), table.knock_limit))
        if not table.rules.return_taken_card:
            cards &= ~taken
        self.seen[Difference.ESTIMATE] += bool(cards) and not offered
        self.seen[Difference.RETURN_KNOCK] += offered and not cards
        return bool(cards)

    # An action in both rounds

    def play(self, action: Action, declaration: Declaration | None) -> None:
        """Play an action of `table` in both; after `ended_by` in `table` only."""
        table = self.table
        phase, hand = table.phase, table.hands[table.turn]
        drawn = table.drawn if table.drawn_from_pile else None
        if self.open and phase != Phase.SHOWDOWN and not self._holds_last_discard():
            self.check()
        table.apply(action, declaration)
        if not self.open:
            return
        match action.kind:
            case Kind.PASS:
                self._pass()
            case Kind.TAKE:
                self._take(phase)
            case Kind.STOCK:
                self._draw(table.hands[table.turn] ^ hand)
            case Kind.DISCARD:
                self._discard(action.card, returned=drawn == action.card)
            case Kind.KNOCK:
                self._knock(action.card, hand)
            case Kind.BIG_GIN:
                self._big_gin(hand)
            case Kind.SHOW:
                self._show()

    def _holds_last_discard(self) -> bool:
        """Whether the last discard was taken, which OpenSpiel does as a part of the knock."""
        return self.table.phase == Phase.DISCARD and len(self.state.hands()[0]) == len(
            self.state.hands()[1]
        )

    def _pass(self) -> None:
        self._apply(openspiel.PASS)
        if self.table.result is not None:
            self._check_result(0)

    def _take(self, phase: Phase) -> None:
        if phase == Phase.LAST_DISCARD:
            return
        self._takes += phase == Phase.DRAW
        self._apply(openspiel.DRAW_UPCARD)
        assert self.state.is_terminal() == (self._takes == 50)
        if self.state.is_terminal():
            assert self.state.returns() == [0, 0]
            self._stop(Difference.UPCARD_CAP)

    def _draw(self, card: CardSet) -> None:
        self._apply(openspiel.DRAW_STOCK)
        assert self.state.is_chance_node()
        outcomes = [our_card(outcome) for outcome, _ in self.state.chance_outcomes()]
        assert card_set(outcomes) == self.table.stock.left() | card
        self._apply(openspiel.its_card(card.bit_length() - 1))

    def _discard(self, card: Card, *, returned: bool) -> None:
        self._apply(openspiel.its_card(card))
        twice = returned and self._returned
        self._returned = returned
        assert self.state.is_terminal() == twice
        if twice:
            assert self.state.returns() == [0, 0]
            self._stop(Difference.RETURN_TWICE)
        elif self.table.result is not None:
            self._dead()

    def _dead(self) -> None:
        if self.table.stock_count > 2:
            self._stop(Difference.TURN_CAP)
            return
        self.seen[Difference.WALL] += self._check_wall(1 - self.table.turn)
        self._apply(openspiel.PASS)
        self._check_result(0)

    # The showdown

    def _knock(self, card: Card, hand: CardSet) -> None:
        if openspiel.KNOCK not in self.state.legal_actions():
            assert openspiel.estimated_deadwood(hand) > self.table.knock_limit
            gin = least_deadwood(hand ^ 1 << card) == 0
            self._stop(Difference.ESTIMATE_GIN if gin else Difference.ESTIMATE)
            return
        self._apply(openspiel.KNOCK)
        exact = self.utils.legal_discards(self._ints(hand), self.table.knock_limit)
        assert self.state.legal_actions() == exact
        self._apply(openspiel.its_card(card))
        self._lay(hand ^ 1 << card, self.table.observe(self.table.turn).spread)

    def _big_gin(self, hand: CardSet) -> None:
        """Go gin in OpenSpiel with ten of the eleven cards: it offers nothing more."""
        self.seen[Difference.BIG_GIN] += 1
        self._apply(openspiel.KNOCK)
        gins = our_set(self.state.legal_actions())
        card = next(c for c in iter_cards(gins) if least_deadwood(hand ^ 1 << c) == 0)
        self._apply(openspiel.its_card(card))
        self._lay(hand ^ 1 << card, list(_cover(hand ^ 1 << card)))

    def _lay(self, cards: CardSet, melds: Iterable[CardSet]) -> None:
        """Lay the knocker's melds; any that keeps the knock within the limit is legal."""
        limit = self.table.knock_limit
        for meld in self._short(melds):
            legal = [
                m for m in SHORT_MELDS if not m & ~cards and least_deadwood(cards ^ m) <= limit
            ]
            self._check_melds(legal, may_pass=pips(cards) <= limit)
            self._apply(openspiel.MELD_ACTIONS[meld])
            cards ^= meld
        assert pips(cards) == self.state.deadwood()[self.player[1 - self.table.turn]]
        self._apply(openspiel.PASS)

    def _check_melds(self, melds: Iterable[CardSet], *, may_pass: bool) -> None:
        expected = {openspiel.MELD_ACTIONS[meld] for meld in melds}
        assert set(self.state.legal_actions()) == expected | (
            {openspiel.PASS} if may_pass else set()
        )

    def _short(self, melds: Iterable[CardSet]) -> Iterator[CardSet]:
        for meld in melds:
            parts = openspiel.short_melds(meld)
            self.seen[Difference.LONG_MELD] += len(parts) > 1
            yield from parts

    def _show(self) -> None:
        result, table = self.table.result, self.table
        assert result is not None
        laid_off = card_set(card for card, _ in result.layoffs)
        cards = table.hands[table.turn]
        gin = not result.knocker_deadwood
        self.kept = laid_off if gin else self._lay_off(cards, laid_off)
        self.seen[Difference.LAYOFF_ON_GIN if gin else Difference.LAYOFF] += bool(self.kept)
        cards ^= laid_off ^ self.kept
        for meld in self._short(result.defender_melds):
            self._check_melds([m for m in SHORT_MELDS if not m & ~cards], may_pass=True)
            self._apply(openspiel.MELD_ACTIONS[meld])
            cards ^= meld
        self._apply(openspiel.PASS)
        self._check_result(pips(self.kept))

    def _lay_off(self, hand: CardSet, cards: CardSet) -> CardSet:
        """Lay cards off as far as OpenSpiel offers it; return those it never offers."""
        knocker = self.player[1 - self.table.turn]
        spread = [our_set(self.utils.int_to_meld[m]) for m in self.state.layed_melds()[knocker]]
        done = 0
        while True:
            offered = openspiel.offered_layoffs(spread, done) & (hand ^ done)
            legal = self.state.legal_actions()
            assert our_set(action for action in legal if action < 52) == offered
            assert legal[-1] == openspiel.PASS
            if not offered & cards:
                break
            card = next(iter_cards(offered & cards))
            self._apply(openspiel.its_card(card))
            done |= 1 << card
        self._apply(openspiel.PASS)
        return cards ^ done

    def _check_result(self, kept: int) -> None:
        """Compare results; `kept` is what the defender could not lay off, in points."""
        table, result = self.table, self.table.result
        assert result is not None
        assert self.state.is_terminal()
        returns = self.state.returns()
        assert returns[0] == -returns[1]
        if result.knocker is None:
            assert returns == [0, 0]
            assert price(table.rules, result) == 0
            return
        deadwood = result.defender_deadwood + kept
        assert self.state.deadwood()[self.player[1 - result.knocker]] == deadwood
        assert self.state.deadwood()[self.player[result.knocker]] == result.knocker_deadwood
        theirs = returns[self.player[result.knocker]]
        assert theirs == openspiel.its_points(
            table.rules, replace(result, defender_deadwood=deadwood)
        )
        if not kept:
            self._check_points(result, theirs)

    def _check_points(self, result: RoundResult, theirs: float) -> None:
        """Check that our points are theirs but for ties, doubling and big gin."""
        rules = self.table.rules
        ours = price(rules, result) * (1 if result.winner == result.knocker else -1)
        if rules.spade_double and result.upcard_spade:
            self.seen[Difference.DOUBLE] += ours != 0
            assert ours % 2 == 0
            ours //= 2
        if result.ending == Ending.BIG_GIN:
            assert ours - theirs == rules.big_gin_bonus - rules.gin_bonus
        elif result.knocker_deadwood and result.knocker_deadwood == result.defender_deadwood:
            self.seen[Difference.TIE] += rules.undercut_on_tie
            assert theirs == 0
            assert ours == (-rules.undercut_bonus if rules.undercut_on_tie else 0)
        else:
            assert ours == theirs


def _cover(cards: CardSet) -> Iterator[CardSet]:
    """Yield disjoint melds that hold all of the cards, which have no deadwood."""
    while cards:
        meld = next(m for m in SHORT_MELDS if not m & ~cards and least_deadwood(cards ^ m) == 0)
        yield meld
        cards ^= meld
