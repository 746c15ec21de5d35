import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from arena.engine.actions import BIG_GIN, KNOCK, PASS, SHOW, TAKE, Action, Declaration
from arena.engine.cards import Card, CardSet, parse_card, parse_set
from arena.engine.rules import PRESETS
from arena.engine.view import Observation, Phase
from arena.referee.player import Answer, BotInfo, Player
from arena.referee.verdict import Cause, PlayerError
from arena.sdk import Bot, LocalPlayer
from tests.unit.sdk.observations import decision, observation

SHOWDOWN = observation(phase=Phase.SHOWDOWN, legal=(SHOW,))
THROWN = parse_card("Kh")
MELD = parse_set("Ac2c3c")


class Taker(Bot):
    def act(self, observation: Observation) -> Action:
        return TAKE


class Says(Bot):
    """Returns what it was given, of any type."""

    def __init__(self, action: Any = PASS, melds: Any = None, shown: Any = None) -> None:
        self.action, self.melds, self.shown = action, melds, shown

    def act(self, observation: Observation) -> Action:
        result: Action = self.action
        return result

    def declare(self, observation: Observation, card: Card | None) -> tuple[CardSet, ...] | None:
        result: tuple[CardSet, ...] | None = self.melds
        return result

    def lay_off(self, observation: Observation) -> Declaration | None:
        result: Declaration | None = self.shown
        return result


def play(bot: Bot, script: Callable[[Player], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        player = LocalPlayer(bot)
        await player.open()
        try:
            return await asyncio.wait_for(script(player), 10)
        finally:
            await player.close()

    return asyncio.run(run())


def ask(bot: Bot, *asked: Observation) -> list[Answer]:
    async def script(player: Player) -> list[Answer]:
        await player.send([decision(number, seen) for number, seen in enumerate(asked, 1)])
        return list(await player.receive())

    answers: list[Answer] = play(bot, script)
    return answers


def test_connect_returns_what_the_bot_says_of_itself() -> None:
    info = asyncio.run(LocalPlayer(Taker()).connect())
    assert info == BotInfo("taker", "1", tuple(PRESETS), max_tables=128, advises=True)


def test_only_a_bot_that_overrides_lay_off_is_asked_at_the_showdown() -> None:
    assert Says().info().declares
    assert not Taker().info().declares


def test_a_batch_has_an_answer_each_in_order() -> None:
    answers = ask(Taker(), observation(), SHOWDOWN, observation())
    assert answers == [Answer(1, TAKE), Answer(2, SHOW), Answer(3, TAKE)]


def test_act_batch_decides_all_that_wait_in_one_call() -> None:
    sizes = []

    class Batch(Bot):
        def act_batch(self, observations: Sequence[Observation]) -> list[Action]:
            sizes.append(len(observations))
            return [TAKE if n else PASS for n, _ in enumerate(observations)]

    answers = ask(Batch(), observation(), SHOWDOWN, observation())
    assert sizes == [2]
    assert [answer.action for answer in answers] == [PASS, SHOW, TAKE]


def test_the_melds_of_declare_go_with_the_knock() -> None:
    assert ask(Says(KNOCK[THROWN], melds=(MELD,)), observation()) == [
        Answer(1, KNOCK[THROWN], Declaration((MELD,)))
    ]


def test_declare_is_told_the_card_thrown_and_none_for_big_gin() -> None:
    cards = []

    class Knocker(Says):
        def declare(self, observation: Observation, card: Card | None) -> None:
            cards.append(card)

    ask(Knocker(KNOCK[THROWN]), observation())
    ask(Knocker(BIG_GIN), observation())
    ask(Knocker(TAKE), observation())
    assert cards == [THROWN, None]


def test_lay_off_answers_the_showdown() -> None:
    shown = Declaration((MELD,), ((THROWN, 0),))
    assert ask(Says(shown=shown), SHOWDOWN) == [Answer(1, SHOW, shown)]


UNREADABLE = {
    "no action": (Says(None), observation(), "NoneType, not an Action"),
    "text": (Says("take"), observation(), "str, not an Action"),
    "bare kind": (Says(Action(7)), observation(), "Action of kind 7 (write a Kind, as in"),  # type: ignore[arg-type]
    "no such card": (Says(Action(TAKE.kind, 52)), observation(), "with card 52 (a card is 0 to"),
    "melds": (Says(KNOCK[THROWN], melds="AAA"), observation(), "str, not None or a tuple of melds"),
    "meld": (Says(KNOCK[THROWN], melds=("AAA",)), observation(), "tuple, not None or a tuple"),
    "show": (Says(shown=(MELD,)), SHOWDOWN, "tuple, not None or a Declaration"),
    "layoff": (Says(shown=Declaration((), ((1, 2, 3),))), SHOWDOWN, "not None or a Declaration"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize(("bot", "asked", "error"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_result_of_a_wrong_type_is_an_unreadable_answer(
    bot: Bot, asked: Observation, error: str
) -> None:
    (answer,) = ask(bot, asked)
    assert answer.action is None
    assert answer.decision_id == 1
    assert error in answer.error
    assert answer.raw


def test_a_batch_of_the_wrong_length_is_unreadable_throughout() -> None:
    class Short(Bot):
        def act_batch(self, observations: Sequence[Observation]) -> list[Action]:
            return [TAKE]

    answers = ask(Short(), observation(), observation())
    assert [answer.action for answer in answers] == [None, None]


def test_an_exception_is_a_crash_with_its_place_as_evidence() -> None:
    class Crashing(Bot):
        def act(self, observation: Observation) -> Action:
            return observation.legal[99]

    with pytest.raises(PlayerError) as caught:
        ask(Crashing(), observation())
    assert caught.value.cause == Cause.CRASH
    assert "test_local.py:" in caught.value.detail
    assert "in act: IndexError: tuple index out of range" in caught.value.detail
    assert "observation.legal[99]" in caught.value.detail


def test_after_a_crash_the_stream_can_be_opened_again() -> None:
    class Once(Bot):
        calls = 0

        def act(self, observation: Observation) -> Action:
            self.calls += 1
            if self.calls == 1:
                raise OSError("first call")
            return PASS

    async def script(player: Player) -> Sequence[Answer]:
        await player.send([decision(1)])
        with pytest.raises(PlayerError, match="first call"):
            await player.receive()
        await player.open()
        await player.send([decision(2)])
        return await player.receive()

    assert play(Once(), script) == [Answer(2, PASS)]


def test_a_bot_that_hangs_leaves_the_event_loop_free() -> None:
    release = threading.Event()

    class Hanging(Bot):
        def act(self, observation: Observation) -> Action:
            release.wait(30)
            return PASS

    async def script(player: Player) -> None:
        await player.send([decision(1)])
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(player.receive(), 0.01)

    try:
        play(Hanging(), script)
    finally:
        release.set()


def test_a_player_that_is_not_open_says_so() -> None:
    with pytest.raises(PlayerError, match="not open"):
        asyncio.run(LocalPlayer(Taker()).send([decision(1)]))
