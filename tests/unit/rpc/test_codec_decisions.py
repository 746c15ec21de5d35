"""Decisions on the wire: what the bot reads is what the referee wrote."""

import pytest
from ginarena.v1 import bot_pb2 as pb

from arena.engine.actions import DISCARD
from arena.engine.errors import InvalidNotationError, InvalidRulesError
from arena.engine.rules import PRESETS, UPCARD, Rules
from arena.engine.view import Event, Observation, Phase
from arena.referee.player import Decision
from arena.rpc.codec import decode_decisions, decode_rules, encode_decisions, encode_rules
from arena.rpc.limits import MAX_DECISIONS, MAX_MESSAGE, MAX_TEXT
from tests.unit.rpc.positions import decisions

TWO_PLAYERS = [name for name, rules in PRESETS.items() if rules.players == 2]


def read(messages: list[bytes]) -> list[Decision]:
    return [
        decision
        for message in messages
        for decision in decode_decisions(pb.PlayRequest.FromString(message))
    ]


def some(count: int = 1) -> list[Decision]:
    return decisions(Rules(), games=1)[:count]


@pytest.mark.parametrize("name", TWO_PLAYERS)
def test_every_observation_of_random_play_comes_back_equal(name: str) -> None:
    asked = decisions(Rules.preset(name), games=3)
    assert read(encode_decisions(asked)) == asked
    phases = {decision.observation.phase for decision in asked}
    assert {Phase.UPCARD, Phase.DRAW, Phase.DISCARD} <= phases
    assert (Phase.SHOWDOWN in phases) == (name != "straight")


def test_r6_2_a_bot_reads_the_three_columns_of_hollywood() -> None:
    asked = read(encode_decisions(decisions(Rules.preset("hollywood"), games=2)))
    sheets = [decision.observation.columns for decision in asked]
    assert {len(sheet) for sheet in sheets} == {3}
    for decision in asked:
        seen = decision.observation
        assert seen.points == tuple(map(sum, zip(*seen.columns, strict=True)))
    assert any(sheet[0] != sheet[1] for sheet in sheets)


def test_the_last_discard_of_a_round_comes_back_equal() -> None:
    asked = decisions(Rules.preset("classic", stock_end="last_discard", knock_limit=1), games=5)
    assert read(encode_decisions(asked)) == asked
    assert any(decision.observation.phase == Phase.LAST_DISCARD for decision in asked)


def test_the_text_of_a_decision_is_what_the_contract_says() -> None:
    seen = Observation(
        rules=Rules(),
        seat=1,
        dealer=0,
        round_number=3,
        points=(12, 0),
        phase=Phase.DISCARD,
        hand=1 << 0 | 1 << 9 | 1 << 22 | 1 << 51,
        discards=(38, 22),
        known=1 << 5,
        drawn=22,
        drawn_from_pile=True,
        stock_count=29,
        knock_limit=10,
        turn_number=2,
        legal=(DISCARD[0], DISCARD[9]),
        events=(Event(0, DISCARD[22]), Event(1, DISCARD[0])),
    )
    (data,) = encode_decisions([Decision(7, "k3", seen, 1_500_000)])
    (sent,) = pb.PlayRequest.FromString(data).decisions.decisions
    assert (sent.hand, sent.discards, sent.opponent_cards) == ("AcTcTdKs", "KhTd", "6c")
    assert (sent.drawn, sent.drawn_from_pile) == ("Td", True)
    assert (sent.legal_discards, sent.legal_knocks) == ("AcTc", "")
    assert sent.events == "0dTd1dAc"
    assert sent.phase == pb.PHASE_DISCARD
    assert list(sent.points) == [12, 0]
    flags = (sent.can_pass, sent.can_take, sent.can_draw_stock, sent.can_big_gin, sent.can_show)
    assert not any(flags)


def test_a_message_holds_128_decisions_and_keeps_their_order() -> None:
    asked = decisions(Rules(), games=2)[:300]
    messages = encode_decisions(asked)
    sizes = [len(pb.PlayRequest.FromString(m).decisions.decisions) for m in messages]
    assert sizes == [MAX_DECISIONS, MAX_DECISIONS, 44]
    assert read(messages) == asked


def test_a_message_holds_one_rule_set() -> None:
    classic, modern = some()[0], decisions(Rules.preset("modern"), games=1)[0]
    messages = encode_decisions([classic, classic, modern, classic])
    named = [pb.PlayRequest.FromString(m).decisions.rules.preset for m in messages]
    assert named == ["classic", "modern", "classic"]


def test_a_batch_over_the_size_limit_is_split() -> None:
    asked = [decision._replace(table="t" * 5000) for decision in decisions(Rules(), games=2)[:128]]
    messages = encode_decisions(asked)
    assert len(messages) > 1
    assert max(map(len, messages)) <= MAX_MESSAGE
    assert read(messages) == asked


def test_one_decision_over_the_size_limit_is_an_error_of_ours() -> None:
    with pytest.raises(ValueError, match="262144 fit"):
        encode_decisions([some()[0]._replace(table="t" * MAX_MESSAGE)])


def test_a_long_refusal_is_cut() -> None:
    (back,) = read(encode_decisions([some()[0]._replace(refusal="x" * 999)]))
    assert back.refusal == "x" * MAX_TEXT


def test_no_decisions_make_no_message() -> None:
    assert encode_decisions([]) == []
    assert decode_decisions(pb.PlayRequest()) == []


def test_a_decision_costs_about_130_bytes() -> None:
    asked = decisions(Rules(), games=6)
    size = sum(map(len, encode_decisions(asked))) / len(asked)
    assert 87 <= size <= 150


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("hand", "AcXd", "'Xd' is not a card"),
        ("hand", "AcAc", "twice"),
        ("hand", "Acd", "'d' is not a card"),
        ("hand", "é", "is not a card"),
        ("discards", "10d", "'10' is not a card"),
        ("opponent_cards", "1", "'1' is not a card"),
        ("drawn", "Tdd", "'Tdd' is not a card"),
        ("legal_discards", "T", "'T' is not a card"),
        ("legal_knocks", "9x", "'9x' is not a card"),
        ("events", "0d", "'0' in '0d' is no event"),
        ("events", "3p", "'3' in '3p' is no event"),
        ("events", "0s\n", "is no event"),
        ("phase", pb.PHASE_UNSPECIFIED, "phase 0 is none"),
        ("phase", 99, "phase 99 is none"),
    ],
)
def test_the_bots_side_says_what_it_cannot_read(field: str, value: object, words: str) -> None:
    request = pb.PlayRequest.FromString(encode_decisions(some())[0])
    setattr(request.decisions.decisions[0], field, value)
    with pytest.raises(InvalidNotationError) as caught:
        decode_decisions(request)
    assert words in str(caught.value)


@pytest.mark.parametrize("name", list(PRESETS))
def test_every_preset_comes_back_equal_with_its_name(name: str) -> None:
    message = encode_rules(PRESETS[name])
    assert message.preset == name
    assert decode_rules(message) == PRESETS[name]


def test_rules_of_no_preset_travel_in_full() -> None:
    rules = Rules.preset("oklahoma", oklahoma_ace="one", box_when="at_once", max_turns=7)
    message = encode_rules(rules)
    assert (message.preset, message.knock_limit, message.max_turns) == ("", "upcard", 7)
    assert decode_rules(message) == rules
    assert decode_rules(message).knock_limit == UPCARD


def test_unknown_rules_are_refused_on_the_bots_side() -> None:
    request = pb.PlayRequest.FromString(encode_decisions(some())[0])
    request.decisions.rules.stock_end = "reshuffle"
    with pytest.raises(InvalidRulesError, match="stock_end is 'reshuffle'"):
        decode_decisions(request)


def test_fields_of_later_versions_are_ignored_by_a_bot() -> None:
    (data,) = encode_decisions(some())
    later = data + b"\xf2\x3f\x03abc"
    assert read([later]) == some()
