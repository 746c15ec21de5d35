"""One round as a state machine (rules R2-R4): `legal_actions` and `apply`.

Every refusal comes from one place: `legal_actions` lists what the handlers below accept.
"""

from collections.abc import Callable
from typing import Final

from arena.engine.actions import (
    BIG_GIN,
    PASS,
    SHOW,
    STOCK,
    TAKE,
    Action,
    Declaration,
    Kind,
    discards_of,
    knocks_of,
)
from arena.engine.cards import CARD_TEXT, PIPS, Card, CardSet
from arena.engine.deal import Deal
from arena.engine.errors import Illegal, IllegalActionError
from arena.engine.melds import knock_discards, least_after_discard, least_deadwood
from arena.engine.result import Ending, RoundResult
from arena.engine.rules import UPCARD, Rules
from arena.engine.showdown import (
    Shown,
    best_defence,
    check_big_gin,
    check_declaration,
    check_knock,
    default_spread,
    settle,
)
from arena.engine.view import Event, Observation, Phase

LAST_STOCK: Final = 2
"""Cards that are left in the stock when a round ends without a knock (R3.6)."""

_NOTHING_SHOWN: Final = Shown((), (), (), 0)

# Looked up once: on Python 3.11 each look-up of an enum's member is a call.
_DRAW: Final = Phase.DRAW
_DISCARD: Final = Phase.DISCARD
_SHOWDOWN: Final = Phase.SHOWDOWN
_OVER: Final = Phase.OVER


def round_limit(rules: Rules, upcard: Card) -> int:
    """Return the knock limit of a round by its first upcard, in points (R3.3, R6.1)."""
    if rules.knock_limit != UPCARD:
        return rules.knock_limit
    if upcard % 13 == 0:
        return 1 if rules.oklahoma_ace == "one" else 0
    return PIPS[upcard]


class Round:
    """A round between seats 0 and 1, from the deal to its result.

    Public attributes are for reading; only `apply` changes them, and a refused action changes
    nothing. Hidden cards are in reach here: give players what `observe` returns.
    """

    __slots__ = (
        "_asked",
        "_history",
        "_must_draw_stock",
        "_must_knock",
        "_shown",
        "dealer",
        "discards",
        "drawn",
        "drawn_from_pile",
        "hands",
        "knock_limit",
        "known",
        "phase",
        "result",
        "rules",
        "stock",
        "turn",
        "turn_number",
        "upcard",
    )

    def __init__(self, rules: Rules, deal: Deal, dealer: int) -> None:
        self.rules = rules
        self.dealer = dealer
        self.upcard = deal.upcard
        """The first upcard."""
        self.knock_limit = round_limit(rules, deal.upcard)
        self.phase = Phase.UPCARD
        self.turn = 1 - dealer
        """The seat that decides; after the round the one that decided last."""
        self.turn_number = 0
        self.hands = list(deal.hands)
        self.discards = [deal.upcard]
        """The discard pile, the upcard last."""
        self.stock = deal.stock()
        self.known: list[CardSet] = [0, 0]
        """By seat, the cards it is known to hold: taken from the pile and not thrown since."""
        self.drawn: Card | None = None
        self.drawn_from_pile = False
        self.result: RoundResult | None = None
        self._must_draw_stock = False
        self._must_knock = False
        self._shown = _NOTHING_SHOWN
        self._history: list[Event] = []
        self._asked = [0, 0]

    @property
    def stock_count(self) -> int:
        """Cards left in the stock."""
        return self.stock.count

    @classmethod
    def from_view(
        cls,
        view: Observation,
        opponent: CardSet,
        stock: tuple[Card, ...],
        *,
        shown: CardSet = 0,
        upcard: Card | None = None,
    ) -> "Round":
        """Return a round that looks like this to the seat on turn, its hidden cards as given.

        Args:
            view: of the seat on turn.
            opponent: the opponent's cards.
            stock: the cards of the stock; the seats take every other one in turn.
            shown: the own cards that the opponent knows; a view does not tell.
            upcard: the first upcard; None: the bottom of the discard pile.
        """
        seat, other = view.seat, view.opponent
        hands = (opponent, view.hand) if seat else (view.hand, opponent)
        if upcard is None:
            upcard = view.discards[0] if view.discards else 0
        table = cls(view.rules, Deal(hands, upcard, (stock[::2], stock[1::2])), view.dealer)
        table.knock_limit = view.knock_limit
        table.phase = view.phase
        table.turn = seat
        table.turn_number = view.turn_number
        table.discards = list(view.discards)
        table.known[seat], table.known[other] = shown, view.known
        table.drawn, table.drawn_from_pile = view.drawn, view.drawn_from_pile
        table._must_draw_stock = view.phase == _DRAW and TAKE not in view.legal
        table._must_knock = view.phase == _DISCARD and view.legal[0].kind != Kind.DISCARD
        table._shown = Shown(view.spread, (), (), view.knocker_deadwood)
        table._history = list(view.events)
        own = [at for at, event in enumerate(view.events) if event.seat == other]
        table._asked[other] = own[-1] if own else 0
        return table

    def copy(self) -> "Round":
        """Return a round in the same state that is played on its own."""
        twin = Round.__new__(Round)
        twin.rules = self.rules
        twin.dealer = self.dealer
        twin.upcard = self.upcard
        twin.knock_limit = self.knock_limit
        twin.phase = self.phase
        twin.turn = self.turn
        twin.turn_number = self.turn_number
        twin.hands = self.hands[:]
        twin.discards = self.discards[:]
        twin.stock = self.stock.copy()
        twin.known = self.known[:]
        twin.drawn = self.drawn
        twin.drawn_from_pile = self.drawn_from_pile
        twin.result = self.result
        twin._must_draw_stock = self._must_draw_stock
        twin._must_knock = self._must_knock
        twin._shown = self._shown
        twin._history = self._history[:]
        twin._asked = self._asked[:]
        return twin

    # Legality

    def legal_actions(self) -> list[Action]:
        """Return the legal actions of the seat on turn, kinds in order, cards by number.

        Melds and layoffs are no part of it: KNOCK is legal where the least deadwood of the ten
        kept is within the limit, and a declaration is judged when it comes.
        """
        return _LEGAL[self.phase](self)

    def _legal_upcard(self) -> list[Action]:
        return [PASS, TAKE]

    def _legal_draw(self) -> list[Action]:
        return [STOCK] if self._must_draw_stock else [TAKE, STOCK]

    def _legal_discard(self) -> list[Action]:
        hand = self.hands[self.turn]
        forbidden = self._forbidden
        actions = [] if self._must_knock else discards_of(hand & ~forbidden)
        knocks = knock_discards(hand, self.knock_limit, forbidden)
        if knocks:
            actions += knocks_of(knocks)
            if self.rules.big_gin_bonus and least_deadwood(hand) == 0:
                actions.append(BIG_GIN)
        return actions

    def _legal_last_discard(self) -> list[Action]:
        return [PASS, TAKE] if self._can_knock_with_upcard() else [PASS]

    def _legal_showdown(self) -> list[Action]:
        return [SHOW]

    def _legal_over(self) -> list[Action]:
        return []

    @property
    def _forbidden(self) -> CardSet:
        """The card that may not be discarded in this turn (R3.2)."""
        if not self.drawn_from_pile or self.rules.return_taken_card or self.drawn is None:
            return 0
        return 1 << self.drawn

    def _can_knock_with_upcard(self) -> bool:
        taken = 1 << self.discards[-1]
        forbidden = 0 if self.rules.return_taken_card else taken
        return least_after_discard(self.hands[self.turn] | taken, forbidden) <= self.knock_limit

    # Play

    def apply(
        self, action: Action, declaration: Declaration | None = None, *, seat: int | None = None
    ) -> None:
        """Play an action of the seat on turn.

        Args:
            action: a legal action.
            declaration: the melds of KNOCK or BIG_GIN, or the melds and layoffs of SHOW; None is
                the referee's default (R4.1, R4.3). Other actions ignore it.
            seat: who plays it, where the caller wants that checked.

        Raises:
            IllegalActionError: with the cause; nothing has changed.
        """
        if self.phase is _OVER:
            raise IllegalActionError(Illegal.ROUND_OVER, "the round has its result")
        if seat is not None and seat != self.turn:
            raise IllegalActionError(Illegal.NOT_YOUR_TURN, f"seat {self.turn} is on turn")
        play = _PLAYS[self.phase].get(action.kind)
        if play is None or (action.card != -1 and action.kind not in _WITH_CARD):
            raise IllegalActionError(
                Illegal.WRONG_PHASE, f"{action.kind.name} is no answer to {self.phase.name}"
            )
        actor = self.turn
        play(self, action.card, declaration)
        self._history.append(Event(actor, action))
        self._asked[actor] = len(self._history) - 1

    def _pass_upcard(self, _card: Card, _declaration: Declaration | None) -> None:
        if self.turn == self.dealer:
            self._must_draw_stock = True
            self._begin_turn(_DRAW)
        self.turn = 1 - self.turn

    def _begin_turn(self, phase: Phase) -> None:
        self.turn_number += 1
        self.phase = phase

    def _take_first(self, card: Card, declaration: Declaration | None) -> None:
        self.turn_number += 1
        self._take(card, declaration)

    def _take(self, _card: Card, _declaration: Declaration | None) -> None:
        if self._must_draw_stock:
            detail = "after two passes the first draw is from the stock"
            raise IllegalActionError(Illegal.MUST_DRAW_STOCK, detail)
        card = self.discards.pop()
        self.known[self.turn] |= 1 << card
        self._hold(card, from_pile=True)

    def _take_last(self, card: Card, declaration: Declaration | None) -> None:
        if not self._can_knock_with_upcard():
            raise IllegalActionError(
                Illegal.MUST_KNOCK_WITH_LAST_DISCARD, "the last discard is for a knock only"
            )
        self._must_knock = True
        self._take_first(card, declaration)

    def _draw_stock(self, _card: Card, _declaration: Declaration | None) -> None:
        self._must_draw_stock = False
        self._hold(self.stock.draw(self.turn), from_pile=False)

    def _hold(self, card: Card, *, from_pile: bool) -> None:
        self.hands[self.turn] |= 1 << card
        self.drawn = card
        self.drawn_from_pile = from_pile
        self.phase = _DISCARD

    def _discard(self, card: Card, _declaration: Declaration | None) -> None:
        self._check_discard(card)
        if self._must_knock:
            raise IllegalActionError(
                Illegal.MUST_KNOCK_WITH_LAST_DISCARD, "the last discard was taken to knock"
            )
        self._throw(card)
        if self.turn_number >= self.rules.max_turns:
            self._end(RoundResult(Ending.DEAD))
        elif self.stock.count > LAST_STOCK:
            self.turn = 1 - self.turn
            self._begin_turn(_DRAW)
        elif self.rules.stock_end == "last_discard":
            self.turn = 1 - self.turn
            self.phase = Phase.LAST_DISCARD
        else:
            self._end(RoundResult(Ending.DEAD))

    def _pass_last(self, _card: Card, _declaration: Declaration | None) -> None:
        self._end(RoundResult(Ending.DEAD))

    def _check_discard(self, card: Card) -> None:
        if not (0 <= card < 52 and self.hands[self.turn] >> card & 1):
            name = CARD_TEXT[card] if 0 <= card < 52 else repr(card)
            raise IllegalActionError(Illegal.CARD_NOT_IN_HAND, f"{name} is not held")
        if self._forbidden >> card & 1:
            detail = f"{CARD_TEXT[card]} was just taken from the discard pile"
            raise IllegalActionError(Illegal.DISCARD_JUST_TAKEN, detail)

    def _throw(self, card: Card) -> None:
        left = ~(1 << card)
        self.hands[self.turn] &= left
        self.known[self.turn] &= left
        self.discards.append(card)
        self.drawn = None
        self.drawn_from_pile = False

    def _knock(self, card: Card, declaration: Declaration | None) -> None:
        self._check_discard(card)
        kept = self.hands[self.turn] ^ 1 << card
        if declaration is None:
            declaration = Declaration(default_spread(kept, (*self.discards, card)))
        shown = check_knock(kept, declaration, self.knock_limit)
        self._throw(card)
        self._open_showdown(shown)

    def _big_gin(self, _card: Card, declaration: Declaration | None) -> None:
        hand = self.hands[self.turn]
        if declaration is None:
            declaration = Declaration(default_spread(hand, self.discards))
        shown = check_big_gin(hand, declaration, self.rules)
        self.drawn = None
        self.drawn_from_pile = False
        self._open_showdown(shown)

    def _open_showdown(self, shown: Shown) -> None:
        self._shown = shown
        self.phase = _SHOWDOWN
        self.turn = 1 - self.turn

    def _show(self, _card: Card, declaration: Declaration | None) -> None:
        shown, hand, allowed = self._shown, self.hands[self.turn], self.layoffs_allowed
        if declaration is None:
            declaration = best_defence(hand, shown.melds, layoffs_allowed=allowed)
        defence = check_declaration(hand, declaration, shown.melds, layoffs_allowed=allowed)
        self._end(
            settle(self.rules, 1 - self.turn, shown=shown, defence=defence, upcard=self.upcard)
        )

    @property
    def layoffs_allowed(self) -> bool:
        """Whether the defender may lay off on what the knocker shows (R4.2)."""
        shown = self._shown
        return not shown.melds or bool(shown.deadwood) or self.rules.layoff_on_gin

    def _end(self, result: RoundResult) -> None:
        self.result = result
        self.phase = _OVER

    # Views

    def observe(
        self, seat: int, *, round_number: int = 1, points: tuple[int, ...] = (0, 0)
    ) -> Observation:
        """Return what a seat may know now; values only, no way to hidden cards.

        Args:
            seat: 0 or 1; `legal` is empty where it is not on turn.
            round_number: of this round in its game, from 1.
            points: of the game so far, by seat.
        """
        on_turn = seat == self.turn
        shown = self._shown
        return Observation(
            rules=self.rules,
            seat=seat,
            dealer=self.dealer,
            round_number=round_number,
            points=points,
            phase=self.phase,
            hand=self.hands[seat],
            discards=tuple(self.discards),
            known=self.known[1 - seat],
            drawn=self.drawn if on_turn else None,
            drawn_from_pile=on_turn and self.drawn_from_pile,
            stock_count=self.stock.count,
            knock_limit=self.knock_limit,
            turn_number=self.turn_number,
            legal=tuple(self.legal_actions()) if on_turn else (),
            events=tuple(self._history[self._asked[seat] :]),
            spread=shown.melds,
            knocker_deadwood=shown.deadwood,
            layoffs_allowed=self.layoffs_allowed,
        )


_Play = Callable[[Round, Card, Declaration | None], None]

_LEGAL: Final[tuple[Callable[[Round], list[Action]], ...]] = (
    Round._legal_upcard,
    Round._legal_draw,
    Round._legal_discard,
    Round._legal_last_discard,
    Round._legal_showdown,
    Round._legal_over,
)
"""By phase."""
_PLAYS: Final[tuple[dict[Kind, _Play], ...]] = (
    {Kind.PASS: Round._pass_upcard, Kind.TAKE: Round._take_first},
    {Kind.TAKE: Round._take, Kind.STOCK: Round._draw_stock},
    {Kind.DISCARD: Round._discard, Kind.KNOCK: Round._knock, Kind.BIG_GIN: Round._big_gin},
    {Kind.PASS: Round._pass_last, Kind.TAKE: Round._take_last},
    {Kind.SHOW: Round._show},
)
"""By phase and kind."""
_WITH_CARD: Final = (Kind.DISCARD, Kind.KNOCK)
