"""Captain on the wire: who is asked to advise, what it says, what the captain hears (R7.3)."""

import pytest
from ginarena.v1 import bot_pb2 as pb

from arena.engine.actions import DISCARD, KNOCK, PASS, STOCK, Action
from arena.engine.errors import InvalidNotationError
from arena.engine.rules import Rules
from arena.engine.view import Advice, Role
from arena.referee.player import Answer, Decision
from arena.rpc.codec import decode_answers, decode_decisions, encode_answers, encode_decisions
from tests.unit.rpc.positions import decisions

CAPTAIN = Rules.preset("captain")


def read(asked: list[Decision]) -> list[Decision]:
    requests = [pb.PlayRequest.FromString(data) for data in encode_decisions(asked)]
    return [decision for request in requests for decision in decode_decisions(request)]


def test_every_observation_of_captain_comes_back_equal() -> None:
    asked = decisions(CAPTAIN, games=2)
    assert read(asked) == asked
    roles = {decision.observation.role for decision in asked}
    assert roles == {Role.BOX, Role.CAPTAIN}
    assert {len(decision.observation.points) for decision in asked} == {3}


@pytest.mark.parametrize("action", [PASS, STOCK, DISCARD[9], KNOCK[51]])
@pytest.mark.parametrize("note", ["", "go, “gin”!"])
def test_advice_reaches_the_captain(action: Action, note: str) -> None:
    first = decisions(CAPTAIN, games=1)[0]
    seen = first.observation._replace(advice=Advice(action, note))
    (back,) = read([first._replace(observation=seen)])
    assert back.observation == seen
    assert not back.advising


def test_a_question_for_advice_says_so() -> None:
    first = decisions(CAPTAIN, games=1)[0]
    assert read([first._replace(advising=True)]) == [first._replace(advising=True)]


def test_advice_of_no_kind_is_refused_by_the_bots_side() -> None:
    (data,) = encode_decisions(decisions(CAPTAIN, games=1)[:1])
    request = pb.PlayRequest.FromString(data)
    request.decisions.decisions[0].advice.kind = pb.ACTION_KIND_DISCARD
    with pytest.raises(InvalidNotationError, match="advice of kind 4"):
        decode_decisions(request)


@pytest.mark.parametrize("note", ["", "x" * 200, "x" * 201, "\x1b[2J"])
def test_a_note_comes_to_the_referee_as_it_was_sent(note: str) -> None:
    (message,) = encode_answers([Answer(3, DISCARD[4], note=note)])
    (back,) = decode_answers(message.SerializeToString())
    assert (back.action, back.note) == (DISCARD[4], note)
