"""From decisions to answers: how a `Bot` is called, in process and behind gRPC alike."""

import logging
from collections.abc import Sequence
from typing import Any

from arena.engine.actions import SHOW, Action, Declaration, Kind
from arena.engine.view import Phase
from arena.referee.player import Answer, Decision
from arena.sdk.bot import Bot

_PAIR = 2
_log = logging.getLogger(__name__)
_RAW_LENGTH = 200


def answer(bot: Bot, decisions: Sequence[Decision]) -> list[Answer]:
    """Ask the bot and return one answer a decision, in order.

    A result of a wrong type becomes an unreadable answer, and so does advice that fails; whether
    an action is legal is for the referee to say.

    Raises:
        Exception: whatever a method of the bot raises, `advise` apart.
    """
    asked = [d for d in decisions if d.observation.phase != Phase.SHOWDOWN and not d.advising]
    actions = _act(bot, asked) if asked else {}
    return [
        _finish(bot, decision, actions[decision.id])
        if decision.id in actions
        else _advise(bot, decision)
        if decision.advising
        else _show(bot, decision)
        for decision in decisions
    ]


def _act(bot: Bot, asked: Sequence[Decision]) -> dict[int, Any]:
    results: Any = bot.act_batch([decision.observation for decision in asked])
    if not isinstance(results, list | tuple) or len(results) != len(asked):
        results = [results] * len(asked)
    return {decision.id: result for decision, result in zip(asked, results, strict=True)}


def _finish(bot: Bot, decision: Decision, result: Any) -> Answer:
    if not _is_action(result):
        return _unreadable(decision, result, "an Action")
    if result.kind not in (Kind.KNOCK, Kind.BIG_GIN):
        return Answer(decision.id, result)
    card = result.card if result.kind == Kind.KNOCK else None
    melds: Any = bot.declare(decision.observation, card)
    if melds is None:
        return Answer(decision.id, result)
    if not _all_ints(melds):
        return _unreadable(decision, melds, "None or a tuple of melds as card sets")
    return Answer(decision.id, result, Declaration(tuple(melds)))


def _advise(bot: Bot, decision: Decision) -> Answer:
    try:
        result: Any = bot.advise(decision.observation)
    except Exception as error:  # advice is never worth a stream
        _log.exception("advise() raised")
        return _unreadable(decision, error, "advice")
    is_pair = type(result) is tuple and len(result) == _PAIR
    action, note = result if is_pair else (result, "")
    if not (_is_action(action) and isinstance(note, str)):
        return _unreadable(decision, result, "an Action, or an Action and a note")
    return Answer(decision.id, action, note=note)


def _show(bot: Bot, decision: Decision) -> Answer:
    declaration: Any = bot.lay_off(decision.observation)
    if declaration is None or _is_declaration(declaration):
        return Answer(decision.id, SHOW, declaration)
    return _unreadable(decision, declaration, "None or a Declaration")


def _is_action(value: Any) -> bool:
    return (
        isinstance(value, Action)
        and isinstance(value.kind, Kind)
        and isinstance(value.card, int)
        and -1 <= value.card < 52
    )


def _is_declaration(value: Any) -> bool:
    return (
        isinstance(value, Declaration)
        and _all_ints(value.melds)
        and isinstance(value.layoffs, list | tuple)
        and all(_all_ints(layoff) and len(layoff) == 2 for layoff in value.layoffs)
    )


def _all_ints(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, int) for item in value)


def _unreadable(decision: Decision, value: Any, wanted: str) -> Answer:
    text = repr(value)[:_RAW_LENGTH]
    error = f"the bot returned {_what(value)}, not {wanted}"
    return Answer(decision.id, None, error=error, raw=text)


def _what(value: Any) -> str:
    """Name what was returned; of an action that is none, what is wrong with it."""
    if not isinstance(value, Action):
        return type(value).__name__
    if not isinstance(value.kind, Kind):
        return f"Action of kind {value.kind!r:.40} (write a Kind, as in Action(Kind.TAKE))"
    return f"Action with card {value.card!r:.40} (a card is 0 to 51, or -1 for none)"
