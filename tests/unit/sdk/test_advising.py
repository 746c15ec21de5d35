"""A bot that sits out: `advise`, its default, and what becomes of a bad result (R7.3)."""

from typing import Any

import pytest

from arena.engine.actions import DISCARD, PASS, SHOW, TAKE, Action
from arena.engine.cards import parse_card
from arena.engine.view import Advice, Observation, Phase
from arena.referee.player import Answer, Decision
from arena.sdk import Bot, load_bot
from arena.sdk.answers import answer
from arena.sdk.load import REFERENCE_BOTS
from tests.unit.sdk.observations import decision, observation


class Taker(Bot):
    def act(self, observation: Observation) -> Action:
        return TAKE


class Teller(Taker):
    """Advises what it was given, of any type."""

    wants_advice = True

    def __init__(self, result: Any) -> None:
        self.result = result

    def advise(self, observation: Observation) -> Action | tuple[Action, str]:
        if isinstance(self.result, Exception):
            raise self.result
        result: Action | tuple[Action, str] = self.result
        return result


def question(**changes: Any) -> Decision:
    return decision(4, observation(**changes))._replace(advising=True)


def test_a_bot_advises_what_it_would_play_itself() -> None:
    assert answer(Taker(), [question()]) == [Answer(4, TAKE)]


def test_at_the_showdown_there_is_one_thing_to_advise() -> None:
    seen = {"phase": Phase.SHOWDOWN, "legal": (SHOW,)}
    assert answer(Taker(), [question(**seen)]) == [Answer(4, SHOW)]


@pytest.mark.parametrize(
    ("result", "expected"),
    [(PASS, Answer(4, PASS)), ((PASS, "let it go"), Answer(4, PASS, note="let it go"))],
)
def test_advice_is_an_action_with_or_without_a_note(result: Any, expected: Answer) -> None:
    assert answer(Teller(result), [question()]) == [expected]


@pytest.mark.parametrize("result", [None, "take", (PASS, 3), (PASS,), ("take", ""), KeyError("x")])
def test_a_bad_result_is_unreadable_and_no_crash(result: Any) -> None:
    (back,) = answer(Teller(result), [question()])
    assert (back.decision_id, back.action) == (4, None)
    assert back.error


def test_advice_and_decisions_of_one_batch_are_told_apart() -> None:
    asked = [decision(1), question(), decision(2)]
    assert [each.action for each in answer(Teller((PASS, "")), asked)] == [TAKE, PASS, TAKE]


def test_a_bot_says_that_it_advises_and_what_it_wants() -> None:
    assert (Taker().info().advises, Taker().info().wants_advice) == (True, False)
    assert Teller(PASS).info().wants_advice
    assert "captain" in Taker().info().rule_sets


@pytest.mark.parametrize("name", REFERENCE_BOTS)
def test_every_reference_bot_advises(name: str) -> None:
    bot = load_bot(name)
    assert bot.info().advises
    (back,) = answer(bot, [question()])
    assert back.action in observation().legal


def thrown(bot: Bot, seen: Observation) -> Action:
    (back,) = answer(bot, [decision(1, seen)])
    assert back.action is not None
    return back.action


def test_greedy_follows_advice_that_is_as_good_by_its_own_measure() -> None:
    bot = load_bot("greedy")
    assert bot.info().wants_advice
    jack, ten, two = (DISCARD[parse_card(text)] for text in ("Jh", "Ts", "2c"))
    seen = observation(
        phase=Phase.DISCARD, hand="2c3c4c7d8d9d5h6h7hTsJh", drawn=parse_card("Ts"), knock_limit=0
    )._replace(legal=(jack, ten, two), discards=())
    assert thrown(bot, seen) == jack
    assert thrown(bot, seen._replace(advice=Advice(ten))) == ten
    assert thrown(bot, seen._replace(advice=Advice(two))) == jack
