"""Rule cases: what each check of the format computes with the engine."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

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
)
from arena.engine.captain import Roles
from arena.engine.cards import CARD_TEXT, CardSet, iter_cards, parse_card, parse_set, set_text
from arena.engine.deal import SharedDeal
from arena.engine.errors import IllegalActionError
from arena.engine.hollywood import HollywoodScore
from arena.engine.melds import (
    arrangements,
    best_discards,
    knock_discards,
    least_deadwood,
    melds_in,
)
from arena.engine.result import RoundResult, price
from arena.engine.round import Round, round_limit
from arena.engine.rules import Rules
from arena.engine.score import Score
from arena.engine.showdown import (
    best_defence,
    check_big_gin,
    check_declaration,
    check_knock,
    default_spread,
    fits,
    settle,
)
from arena.engine.view import Phase

Case = Mapping[str, Any]
Values = dict[str, Any]


def compute(case: Case) -> Values | None:
    """Return what the case's check computes, None where there is no such check.

    Raises:
        KeyError, TypeError, ValueError: the case lacks a value or holds one of another form.
    """
    check = CHECKS.get(case["check"])
    return None if check is None else check(case, _rules(case))


def _rules(case: Case) -> Rules:
    options = dict(case["rules"])
    return Rules.preset(options.pop("preset"), **options)


def _set(cards: Iterable[str]) -> CardSet:
    return parse_set("".join(cards))


def _melds(melds: Iterable[Iterable[str]]) -> tuple[CardSet, ...]:
    return tuple(_set(meld) for meld in melds)


def _names(cards: CardSet) -> list[str]:
    return [CARD_TEXT[card] for card in iter_cards(cards)]


def _deadwood(case: Case, _rules: Rules) -> Values:
    hand = _set(case["hands"]["hand"])
    found = arrangements(hand)
    return {
        "deadwood": least_deadwood(hand),
        "n_arrangements": len(found),
        "arrangements": [[_names(meld) for meld in melds] for melds in found],
    }


def _discard(case: Case, rules: Rules) -> Values:
    hand = _set(case["hands"]["hand"])
    taken = case["hands"].get("just_taken")
    forbidden = 1 << parse_card(taken) if taken and not rules.return_taken_card else 0
    limit = case["limit"] if "limit" in case else _limit(case, rules)
    least, best = best_discards(hand, forbidden)
    knocks = knock_discards(hand, limit, forbidden)
    gins = knock_discards(hand, 0, forbidden)
    return {
        "min_deadwood": least,
        "best_discards": _names(best),
        "can_knock": knocks != 0,
        "knock_discards": _names(knocks),
        "can_gin": gins != 0,
        "gin_discards": _names(gins),
        "big_gin": rules.big_gin_bonus > 0 and least_deadwood(hand) == 0,
    }


def _limit(case: Case, rules: Rules) -> int:
    upcard = case.get("upcard")
    if upcard is None and rules.knock_limit < 0:
        raise ValueError("knock_limit upcard needs an `upcard` in the case")
    return round_limit(rules, parse_card(upcard) if upcard else 0)


def _knock(case: Case, rules: Rules) -> Values:
    hand, defender = _set(case["hands"]["knocker"]), _set(case["hands"]["defender"])
    upcard = parse_card(case["upcard"]) if "upcard" in case else None
    melds = _melds(case["declaration"]) if "declaration" in case else default_spread(hand, ())
    declaration = Declaration(melds)
    try:
        if case.get("big"):
            shown = check_big_gin(hand, declaration, rules)
        else:
            shown = check_knock(hand, declaration, _limit(case, rules))
    except IllegalActionError as error:
        return {"error": str(error.cause)}
    allowed = rules.layoff_on_gin or shown.deadwood != 0
    answer = best_defence(defender, melds, layoffs_allowed=allowed)
    defence = check_declaration(defender, answer, melds, layoffs_allowed=allowed)
    result = settle(rules, 0, shown=shown, defence=defence, upcard=upcard)
    return {
        "type": str(result.ending),
        "winner": None if result.winner is None else ("knocker", "defender")[result.winner],
        "points": price(rules, result),
        "knocker_deadwood": result.knocker_deadwood,
        "knocker_min_deadwood": least_deadwood(hand),
        "defender_deadwood": result.defender_deadwood,
        "laid_off": " ".join([CARD_TEXT[card] for card, _ in result.layoffs]),
    }


def _layoff_step(case: Case, _rules: Rules) -> Values:
    spread = list(_melds(case["declaration"]))
    trace = []
    for name, index in case["steps"]:
        card = parse_card(name)
        fitting = 0 <= index < len(spread) and fits(spread[index], card)
        trace.append("ok" if fitting else "illegal")
        if fitting:
            spread[index] |= 1 << card
    return {"trace": trace, "spread": [_names(meld) for meld in spread]}


_PLAIN: Final = {"pass": PASS, "take": TAKE, "stock": STOCK}
_SHOWING: Final = {"biggin": BIG_GIN, "show": SHOW}
_WITH_CARD: Final = {"discard": DISCARD, "knock": KNOCK}
_SEATS: Final = "ND"
"""Seat 0 is the non-dealer's, seat 1 the dealer's."""


def _script(case: Case, rules: Rules) -> Values:
    hands = (_set(case["hands"]["nondealer"]), _set(case["hands"]["dealer"]))
    stock = tuple(parse_card(card) for card in case["stock"])
    deal = SharedDeal(hands, parse_card(case["upcard"]), (stock, ()))
    table = Round(rules, deal, dealer=1)
    steps = [_step(words) for words in case["actions"]]
    trace = []
    for number, (seat, action, declaration) in enumerate(steps):
        trace.append(_try(table, action, declaration, seat=seat))
        followers = steps[number + 1 : number + 2]
        if table.phase == Phase.SHOWDOWN and not any(step[1] == SHOW for step in followers):
            table.apply(SHOW)
    values: Values = {"trace": trace, "turn": _SEATS[table.turn], "limit": table.knock_limit}
    if table.result is not None:
        values["result"] = _script_result(rules, table.result)
    return values


def _step(words: Sequence[Any]) -> tuple[int | None, Action, Declaration | None]:
    """Read one step: an optional seat N or D, the kind, its card, melds and layoffs."""
    seat = _SEATS.index(words[0]) if words[0] in ("N", "D") else None
    kind, *rest = words if seat is None else words[1:]
    if kind in _PLAIN:
        return seat, _PLAIN[kind], None
    if kind in _WITH_CARD:
        card, *rest = rest
        return seat, _WITH_CARD[kind][parse_card(card)], _declaration(rest)
    if kind not in _SHOWING:
        raise ValueError(f"no action {kind!r}")
    return seat, _SHOWING[kind], _declaration(rest)


def _declaration(words: Sequence[Any]) -> Declaration | None:
    if not words:
        return None
    layoffs = words[1] if len(words) > 1 else []
    return Declaration(_melds(words[0]), tuple((parse_card(card), int(i)) for card, i in layoffs))


def _try(table: Round, action: Action, declaration: Declaration | None, *, seat: int | None) -> str:
    try:
        table.apply(action, declaration, seat=seat)
    except IllegalActionError as error:
        return str(error.cause)
    return "ok"


def _script_result(rules: Rules, result: RoundResult) -> Values:
    return {
        "type": str(result.ending),
        "who": None if result.winner is None else _SEATS[result.winner],
        "knocker_deadwood": result.knocker_deadwood,
        "defender_deadwood": result.defender_deadwood,
        "points": price(rules, result),
    }


_PLAYERS: Final = "AB"


def _player(seat: int | None) -> str | None:
    return None if seat is None else _PLAYERS[seat]


def _fold(case: Case, score: Score | HollywoodScore) -> None:
    for winner, points in case["results"]:
        if score.over:
            break
        score.add(None if winner is None else _PLAYERS.index(winner), points)


def _final(score: Score | HollywoodScore) -> Values:
    return {
        "over": score.over,
        "rounds": score.rounds,
        "winner": _player(score.winner),
        "total": dict(zip(_PLAYERS, score.totals, strict=True)),
    }


def _game(case: Case, rules: Rules) -> Values:
    score = Score(rules)
    _fold(case, score)
    return {**_final(score), "shutout": score.shutout}


def _hollywood(case: Case, rules: Rules) -> Values:
    score = HollywoodScore(rules)
    _fold(case, score)
    return {
        **_final(score),
        "sums": [list(column) for column in score.sums],
        "closed": [_player(seat) for seat in score.closed],
    }


def _captain(case: Case, _rules: Rules) -> Values:
    roles = [Roles(0, 1, 2)]
    for result in case["results"]:
        now = roles[-1]
        winners = {"box": now.box, "team": now.captain, "dead": None}
        if result not in winners:
            raise ValueError(f"no result {result!r}; it is box, team or dead")
        roles.append(now.after(winners[result]))
    order = case["order"]
    return {"roles": [[order[r.box], order[r.captain], order[r.adviser]] for r in roles]}


def _count(case: Case, _rules: Rules) -> Values:
    return {"melds": len(melds_in(_set(case["hands"]["hand"])))}


CHECKS: Final[dict[str, Callable[[Case, Rules], Values]]] = {
    "deadwood": _deadwood,
    "discard": _discard,
    "knock": _knock,
    "layoff_step": _layoff_step,
    "script": _script,
    "game": _game,
    "hollywood": _hollywood,
    "captain": _captain,
    "count": _count,
}
"""By name; each returns every value its check can ask for."""

_CARD_LISTS: Final = ("best_discards", "knock_discards", "gin_discards")


def same(key: str, expected: Any, got: Any) -> bool:
    """Compare an expected value with a computed one: lists of cards and melds as sets."""
    if isinstance(expected, dict) and isinstance(got, dict):
        return all(k in got and same(k, value, got[k]) for k, value in expected.items())
    return bool(_comparable(key, expected) == _comparable(key, got))


def _comparable(key: str, value: Any) -> Any:
    if key == "laid_off":
        return frozenset(value.split())
    if key in _CARD_LISTS:
        return frozenset(value)
    if key == "spread":
        return sorted(set_text(_set(meld)) for meld in value)
    if key == "arrangements":
        return sorted(_comparable("spread", melds) for melds in value)
    return value
