"""The showdown: declarations judged, and the referee's own when there is none (rules R4)."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from arena.engine.actions import Declaration
from arena.engine.cards import CARD_TEXT, Card, CardSet, iter_cards, pips, set_text
from arena.engine.errors import Illegal, IllegalActionError
from arena.engine.melds import MELDS, arrangements, least_deadwood
from arena.engine.result import Ending, RoundResult
from arena.engine.rules import Rules


class Shown(NamedTuple):
    """A declaration that the rules accept."""

    melds: tuple[CardSet, ...]
    layoffs: tuple[tuple[Card, int], ...]
    spread: tuple[CardSet, ...]
    """The knocker's melds with the cards laid off."""
    deadwood: CardSet
    """The cards in no meld and not laid off."""


def check_declaration(
    hand: CardSet,
    declaration: Declaration,
    spread: Sequence[CardSet] = (),
    *,
    layoffs_allowed: bool = True,
) -> Shown:
    """Judge a declaration of either side; the one judge (R4.1-R4.3).

    Args:
        hand: the cards that the seat shows.
        declaration: own melds, and for the defender layoffs.
        spread: the knocker's melds, where the defender declares.
        layoffs_allowed: False for the knocker, and after gin (R4.2).

    Raises:
        IllegalActionError: with the cause of the first fault; nothing is rearranged.
    """
    left = hand
    for meld in declaration.melds:
        left ^= _check_meld(hand, left, meld)
    if declaration.layoffs and not layoffs_allowed:
        raise IllegalActionError(Illegal.LAYOFF_NOT_ALLOWED, "no card may be laid off here")
    grown = list(spread)
    for card, index in declaration.layoffs:
        left ^= _check_layoff(hand, left, grown, card, index=index)
        grown[index] |= 1 << card
    return Shown(declaration.melds, declaration.layoffs, tuple(grown), left)


def _check_meld(hand: CardSet, left: CardSet, meld: CardSet) -> CardSet:
    if meld not in MELDS:
        raise IllegalActionError(Illegal.NOT_A_MELD, f"{_name(meld)} is neither a set nor a run")
    if meld & ~hand:
        raise IllegalActionError(Illegal.CARD_NOT_IN_HAND, f"{_name(meld & ~hand)} is not held")
    if meld & ~left:
        raise IllegalActionError(Illegal.CARD_IN_TWO_MELDS, f"{_name(meld & ~left)} is shown twice")
    return meld


def _check_layoff(
    hand: CardSet, left: CardSet, spread: Sequence[CardSet], card: Card, *, index: int
) -> CardSet:
    if not (0 <= card < 52 and hand >> card & 1):
        raise IllegalActionError(Illegal.CARD_NOT_IN_HAND, f"{_card_name(card)} is not held")
    if not left >> card & 1:
        raise IllegalActionError(Illegal.CARD_IN_TWO_MELDS, f"{CARD_TEXT[card]} is shown twice")
    if not 0 <= index < len(spread):
        raise IllegalActionError(
            Illegal.LAYOFF_DOES_NOT_FIT, f"there is no meld {index}, only 0 to {len(spread) - 1}"
        )
    if not fits(spread[index], card):
        detail = f"{CARD_TEXT[card]} does not fit {_name(spread[index])}"
        raise IllegalActionError(Illegal.LAYOFF_DOES_NOT_FIT, detail)
    return 1 << card


def _name(cards: CardSet) -> str:
    """Return cards as text, whatever number a caller sent."""
    return set_text(cards) if 0 < cards < 1 << 52 else repr(cards)


def _card_name(card: Card) -> str:
    return CARD_TEXT[card] if 0 <= card < 52 else repr(card)


def fits(meld: CardSet, card: Card) -> bool:
    """Say whether a card may be laid off on a meld as it lies (R4.2)."""
    return not meld >> card & 1 and (meld | 1 << card) in MELDS


def check_knock(kept: CardSet, declaration: Declaration, limit: int) -> Shown:
    """Judge a knock by the ten cards kept and the melds declared (R3.3, R4.1).

    Raises:
        IllegalActionError: a bad declaration, or a declared deadwood over the limit.
    """
    shown = check_declaration(kept, declaration, layoffs_allowed=False)
    deadwood = pips(shown.deadwood)
    if deadwood > limit:
        detail = f"the deadwood declared is {deadwood}, the limit {limit}"
        raise IllegalActionError(Illegal.TOO_MUCH_DEADWOOD, detail)
    return shown


def check_big_gin(hand: CardSet, declaration: Declaration, rules: Rules) -> Shown:
    """Judge big gin by the eleven cards held and the melds declared (R3.5).

    Raises:
        IllegalActionError: a bad declaration, a card in no meld, or big gin is not played.
    """
    if not rules.big_gin_bonus:
        raise IllegalActionError(Illegal.BIG_GIN_DISABLED, "these rules do not play big gin")
    shown = check_declaration(hand, declaration, layoffs_allowed=False)
    if shown.deadwood or hand.bit_count() != 11:
        detail = f"{set_text(shown.deadwood)} of the eleven cards is in no meld"
        raise IllegalActionError(Illegal.NOT_BIG_GIN, detail)
    return shown


def melds_text(melds: Iterable[CardSet]) -> str:
    """Return melds as text to compare by: cards by rank, then suit; melds sorted, then spaced."""
    return " ".join(sorted([_text(meld) for meld in melds]))


def _in_order(melds: Iterable[CardSet]) -> tuple[CardSet, ...]:
    return tuple(sorted(melds, key=_text))


@lru_cache(maxsize=1 << 10)
def _text(cards: CardSet) -> str:
    """Return a meld as text; there are only 329."""
    return set_text(cards)


def default_spread(hand: CardSet, discards: Iterable[Card]) -> tuple[CardSet, ...]:
    """Return the referee's spread for a knocker that declares none (R4.1).

    Least deadwood; then fewest single cards, neither in the knocker's hand nor discarded, that
    fit a meld shown; then the smaller text. The melds come sorted by text.
    """
    choices = arrangements(hand)
    if len(choices) > 1:
        unseen = ~hand & (1 << 52) - 1
        for card in discards:
            unseen &= ~(1 << card)
        choices.sort(key=lambda melds: (_open_to(melds, unseen), melds_text(melds)))
    return _in_order(choices[0])


def _open_to(melds: tuple[CardSet, ...], cards: CardSet) -> int:
    """Count the cards that fit some meld."""
    return sum([any(fits(meld, card) for meld in melds) for card in iter_cards(cards)])


def best_defence(hand: CardSet, spread: Sequence[CardSet], *, layoffs_allowed: bool) -> Declaration:
    """Return the defender's true optimum over own melds and layoffs together (R4.3).

    Among optima the one with fewest cards laid off, then the smaller text: own melds, then cards
    laid off, then the melds they go to.
    """
    ways = _layoff_ways(hand, tuple(spread)) if layoffs_allowed else {0: ()}
    costs = {laid: (least_deadwood(hand ^ laid), laid.bit_count()) for laid in ways}
    best = min(costs.values())
    choices = [
        (melds_text(melds), _text(laid), ways[laid], _in_order(melds))
        for laid, cost in costs.items()
        if cost == best
        for melds in arrangements(hand ^ laid)
    ]
    _, _, layoffs, melds = min(choices)
    return Declaration(melds, layoffs)


_Layoffs = tuple[tuple[Card, int], ...]


def _layoff_ways(hand: CardSet, spread: tuple[CardSet, ...]) -> dict[CardSet, _Layoffs]:
    """Return each set of cards that can be laid off, with the smallest order that does it."""
    ways: dict[CardSet, _Layoffs] = {}
    seen = {spread}
    open_ways: list[tuple[CardSet, tuple[CardSet, ...], _Layoffs]] = [(0, spread, ())]
    for laid, grown, layoffs in open_ways:
        ways[laid] = min(layoffs, ways.get(laid, layoffs))
        for card, index in _next_layoffs(hand & ~laid, grown):
            further = (*grown[:index], grown[index] | 1 << card, *grown[index + 1 :])
            if further not in seen:
                seen.add(further)
                open_ways.append((laid | 1 << card, further, (*layoffs, (card, index))))
    return ways


def _next_layoffs(hand: CardSet, spread: tuple[CardSet, ...]) -> Iterator[tuple[Card, int]]:
    for card in iter_cards(hand & _near(spread)):
        for index, meld in enumerate(spread):
            if fits(meld, card):
                yield card, index


def _near(spread: tuple[CardSet, ...]) -> CardSet:
    """Return a superset of the cards that fit: neighbours by number and by rank."""
    near = 0
    for meld in spread:
        near |= meld << 1 | meld >> 1 | meld << 13 | meld >> 13
    return near


def settle(
    rules: Rules,
    knocker: int,
    *,
    shown: Shown,
    defence: Shown,
    upcard: Card | None,
) -> RoundResult:
    """Return the result of a showdown (R4.4, R4.5).

    Args:
        rules: the rule set.
        knocker: the seat that knocked.
        shown: the knocker's declaration; with eleven cards melded it is big gin.
        defence: the defender's.
        upcard: the first upcard, None where it is not known.
    """
    own, other = pips(shown.deadwood), pips(defence.deadwood)
    ending = _ending(rules, shown, own, other=other)
    winner = {Ending.UNDERCUT: 1 - knocker, Ending.TIE: None}.get(ending, knocker)
    return RoundResult(
        ending=ending,
        knocker=knocker,
        winner=winner,
        knocker_melds=shown.melds,
        knocker_deadwood=own,
        defender_melds=defence.melds,
        layoffs=defence.layoffs,
        defender_deadwood=other,
        upcard_spade=upcard is not None and upcard >= 39,
    )


def _ending(rules: Rules, shown: Shown, own: int, *, other: int) -> Ending:
    if own == 0:
        melded = sum([meld.bit_count() for meld in shown.melds])
        return Ending.BIG_GIN if melded == 11 else Ending.GIN
    if own < other:
        return Ending.KNOCK
    return Ending.TIE if own == other and not rules.undercut_on_tie else Ending.UNDERCUT
