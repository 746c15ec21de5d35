"""Answers on the wire: nothing that a bot sends raises, or passes unread (R10.1)."""

import random

import pytest
from ginarena.v1 import bot_pb2 as pb
from hypothesis import example, given
from hypothesis import strategies as st

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
from arena.engine.cards import parse_card, parse_set
from arena.referee.player import Answer
from arena.rpc.codec import decode_answers, encode_answers
from arena.rpc.limits import MAX_ANSWERS, MAX_DECISIONS, MAX_RECEIVED, MAX_TEXT

ACTIONS = (PASS, TAKE, STOCK, BIG_GIN, SHOW, *DISCARD, *KNOCK)


def wire(*answers: pb.Answer) -> bytes:
    return pb.PlayResponse(answers=pb.AnswerBatch(answers=answers)).SerializeToString()


def read(answers: list[Answer]) -> list[Answer]:
    return [
        answer
        for message in encode_answers(answers)
        for answer in decode_answers(message.SerializeToString())
    ]


def test_every_action_comes_back() -> None:
    sent = [Answer(number, action) for number, action in enumerate(ACTIONS, start=1)]
    back = read(sent)
    assert [(a.decision_id, a.action) for a in back] == [(a.decision_id, a.action) for a in sent]
    assert not any(answer.error for answer in back)
    assert back[0].raw == "p"
    assert back[-1].raw == "kKs"


@pytest.mark.parametrize(
    ("action", "declaration"),
    [
        (KNOCK[3], Declaration((parse_set("2c3c4c"), parse_set("9c9d9h")))),
        (BIG_GIN, Declaration((parse_set("AcAdAh"),))),
        (SHOW, Declaration((), ((parse_card("5c"), 0), (parse_card("9s"), 1)))),
        (SHOW, Declaration()),
        (SHOW, None),
    ],
)
def test_declarations_come_back_and_none_stays_none(
    action: Action, declaration: Declaration | None
) -> None:
    (back,) = read([Answer(5, action, declaration)])
    assert (back.action, back.declaration, back.error) == (action, declaration, "")


def test_answers_are_cut_into_messages_that_the_referee_takes() -> None:
    melds = Declaration(tuple([parse_set("AcAdAhAs")] * 3), tuple([(51, 2)] * 7))
    sent = [Answer(2**62 + number, SHOW, melds) for number in range(300)]
    messages = encode_answers(sent)
    assert [len(message.answers.answers) for message in messages] == [MAX_DECISIONS] * 2 + [44]
    assert max(message.ByteSize() for message in messages) <= MAX_RECEIVED
    assert len(read(sent)) == 300


def test_an_answer_without_an_action_is_refused_with_its_id() -> None:
    (back,) = read([Answer(9, None, error="the bot returned str, not an Action")])
    assert (back.decision_id, back.action) == (9, None)
    assert back.error == "kind 0 is no kind of action"


@pytest.mark.parametrize("meld", [-1, 1 << 52])
def test_a_meld_that_is_no_set_is_an_error_on_the_bots_side(meld: int) -> None:
    with pytest.raises(ValueError, match="no set of cards"):
        encode_answers([Answer(1, SHOW, Declaration((meld,)))])


DISCARDING, KNOCKING = pb.ACTION_KIND_DISCARD, pb.ACTION_KIND_KNOCK
MELD_TWICE = pb.Declaration(melds=["AcAcAd"])


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (pb.Answer(), "kind 0 is no kind"),
        (pb.Answer(kind=77), "kind 77 is no kind"),  # type: ignore[arg-type]
        (pb.Answer(kind=-1), "kind -1 is no kind"),  # type: ignore[arg-type]
        (pb.Answer(kind=DISCARDING), "ACTION_KIND_DISCARD takes a card such as 'Td', not ''"),
        (pb.Answer(kind=DISCARDING, card="10d"), "not '10d'"),
        (pb.Answer(kind=DISCARDING, card="td"), "not 'td'"),
        (pb.Answer(kind=KNOCKING, card="TdTd"), "not 'TdTd'"),
        (pb.Answer(kind=KNOCKING, card="\u202eTd"), "not '\\u202eTd'"),
        (pb.Answer(kind=pb.ACTION_KIND_PASS, card="Td"), "ACTION_KIND_PASS takes no card"),
        (pb.Answer(kind=DISCARDING, card="Td", declaration=pb.Declaration()), "goes with a knock"),
        (
            pb.Answer(kind=KNOCKING, card="Td", declaration=MELD_TWICE),
            "'AcAcAd' holds a card twice",
        ),
        (
            pb.Answer(kind=pb.ACTION_KIND_SHOW, declaration=pb.Declaration(melds=["Zz"])),
            "'Zz' is not a card",
        ),
        (
            pb.Answer(
                kind=pb.ACTION_KIND_SHOW,
                declaration=pb.Declaration(layoffs=[pb.Layoff(card="Td", meld=-1)]),
            ),
            "'Td' on -1",
        ),
        (
            pb.Answer(
                kind=pb.ACTION_KIND_SHOW,
                declaration=pb.Declaration(layoffs=[pb.Layoff(card="TdJd")]),
            ),
            "'TdJd' on 0",
        ),
    ],
)
def test_an_answer_that_does_not_fit_together_says_why(answer: pb.Answer, words: str) -> None:
    answer.decision_id = 41
    good = pb.Answer(decision_id=42, kind=pb.ACTION_KIND_PASS)
    refused, other = decode_answers(wire(answer, good))
    assert (refused.decision_id, refused.action) == (41, None)
    assert words in refused.error
    assert "decision_id: 41" in refused.raw
    assert (other.action, other.error) == (PASS, "")


NESTED = b"\x0b" * 5000 + b"\x0c" * 5000
"""Groups of an unknown field, 5,000 deep."""


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "holds 0 answers"),
        (b"\x0a\x00", "holds 0 answers"),
        (b"\x12\x03abc", "holds 0 answers"),
        (b"\xff", "does not parse"),
        (b"HTTP/1.1 400 Bad Request\r\n", "does not parse"),
        (b"\x0a\x05\x0a\x03\x1a\x01\xff", "does not parse"),
        (NESTED, "does not parse"),
        (b"\x0a\x7f", "does not parse"),
        (wire(*[pb.Answer(decision_id=1)] * (MAX_ANSWERS + 1)), "holds 1025 answers"),
    ],
    ids=[
        "empty",
        "no-answers",
        "other-field",
        "cut",
        "text",
        "bad-utf8",
        "nested",
        "too-short",
        "too-many",
    ],
)
def test_an_unreadable_message_is_one_answer_without_an_id(data: bytes, words: str) -> None:
    (answer,) = decode_answers(data)
    assert (answer.decision_id, answer.action, answer.declaration) == (None, None, None)
    assert words in answer.error
    assert len(answer.raw) <= MAX_TEXT


def test_unknown_fields_are_dropped_from_the_evidence() -> None:
    data = b"\x0a\x0b\x0a\x09\x08\x07\x10\x4d\xa2\x06\x02hi"
    (answer,) = decode_answers(data)
    assert answer.decision_id == 7
    assert answer.raw == "decision_id: 7 kind: 77"


@given(st.binary(max_size=400))
@example(b"\x0a\x02\x0a\x00")
def test_no_bytes_raise(data: bytes) -> None:
    check_sound(decode_answers(data))


def test_no_mutation_of_a_good_message_raises() -> None:
    rng = random.Random(5)
    melds = Declaration((parse_set("2c3c4c"),), ((parse_card("5c"), 0),))
    (message,) = encode_answers([Answer(3, SHOW, melds), Answer(4, DISCARD[7]), Answer(5, PASS)])
    good = message.SerializeToString()
    for _ in range(3000):
        data = bytearray(good)
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        check_sound(decode_answers(bytes(data)))


def check_sound(answers: list[Answer]) -> None:
    assert answers
    for answer in answers:
        assert (answer.action is None) == bool(answer.error)
        assert max(len(answer.error), len(answer.raw)) <= MAX_TEXT
        if answer.declaration is not None:
            assert all(0 <= card < 52 <= 52 + meld for card, meld in answer.declaration.layoffs)
