"""Between the arena's own values and the messages of ``ginarena.v1``.

The referee's side never trusts what it reads: `decode_answers` takes raw bytes and turns whatever
is wrong with them into an `Answer` with an error. The bot's side reads what the arena wrote and
raises for what it cannot read.
"""

import functools
from collections.abc import Sequence
from dataclasses import fields
from itertools import groupby
from typing import Any, Final

from ginarena.v1 import bot_pb2 as pb
from google.protobuf.message import DecodeError

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
)
from arena.engine.cards import CARD_TEXT, DECK, CardSet, cards_text, parse_card
from arena.engine.errors import InvalidNotationError
from arena.engine.rules import PRESETS, Rules
from arena.engine.view import Advice, Observation, Phase
from arena.referee.player import Answer, BotInfo, Decision
from arena.rpc.limits import MAX_ANSWERS, MAX_DECISIONS, MAX_MESSAGE, MAX_NAME, MAX_TEXT
from arena.rpc.text import (
    ACTION_TEXT,
    EVENT_TEXT,
    read_cards,
    read_events,
    read_legal,
    read_set,
    set_text,
)

_DECLARING: Final = (Kind.KNOCK, Kind.BIG_GIN, Kind.SHOW)
_ACTION: Final[dict[tuple[int, str], tuple[Action, str]]] = {
    (action.kind + 1, CARD_TEXT[action.card] if action.card >= 0 else ""): (action, text)
    for action, text in ACTION_TEXT.items()
}
"""Action and its text by the fields `kind` and `card` of an answer."""
_FLAG: Final[dict[Action, str]] = {
    PASS: "can_pass",
    TAKE: "can_take",
    STOCK: "can_draw_stock",
    BIG_GIN: "can_big_gin",
    SHOW: "can_show",
}
_PHASES: Final[dict[Phase, pb.Phase.ValueType]] = {
    Phase.UPCARD: pb.PHASE_UPCARD,
    Phase.DRAW: pb.PHASE_DRAW,
    Phase.DISCARD: pb.PHASE_DISCARD,
    Phase.LAST_DISCARD: pb.PHASE_LAST_DISCARD,
    Phase.SHOWDOWN: pb.PHASE_SHOWDOWN,
}
# Looked up once: on Python 3.11 each look-up of an enum's member is a call.
_SHOWDOWN: Final = Phase.SHOWDOWN
_DISCARD: Final = Kind.DISCARD
_KNOCK: Final = Kind.KNOCK
_PHASE: Final[dict[int, Phase]] = {value: phase for phase, value in _PHASES.items()}


def encode_info(info: BotInfo, proof: bytes) -> pb.GetBotInfoResponse:
    """Write a bot's info, with its proof of ownership."""
    return pb.GetBotInfoResponse(
        name=info.name,
        version=info.version,
        proof=proof,
        rule_sets=info.rule_sets,
        max_tables=info.max_tables,
        declares=info.declares,
        advises=info.advises,
        wants_advice=info.wants_advice,
    )


def decode_info(message: pb.GetBotInfoResponse) -> BotInfo:
    """Read a bot's info.

    Raises:
        InvalidNotationError: a name, version or rule set that is empty, too long or not
            printable, or a negative number of tables.
    """
    _check_name("name", message.name)
    _check_name("version", message.version)
    for name in message.rule_sets:
        _check_name("rule set", name)
    if message.max_tables < 0:
        raise InvalidNotationError(f"max_tables is {message.max_tables}; it may be 0 or more")
    return BotInfo(
        name=message.name,
        version=message.version,
        rule_sets=tuple(message.rule_sets),
        max_tables=max(1, message.max_tables),
        declares=message.declares,
        advises=message.advises,
        wants_advice=message.wants_advice,
    )


def _check_name(field: str, text: str) -> None:
    if not (text.strip() and text.isprintable() and len(text) <= MAX_NAME):
        raise InvalidNotationError(
            f"the {field} is {text[:MAX_NAME]!r}; it takes 1 to {MAX_NAME} printable characters"
        )


@functools.lru_cache(maxsize=256)
def encode_rules(rules: Rules) -> pb.Rules:
    """Write a rule set, every option of it. The result is shared: copy it, never change it."""
    options: dict[str, Any] = rules.as_dict()
    options["knock_limit"] = str(options["knock_limit"])
    preset = next((name for name, known in PRESETS.items() if known == rules), "")
    return pb.Rules(preset=preset, **options)


def decode_rules(message: pb.Rules) -> Rules:
    """Read a rule set; the preset's name is not looked at.

    Raises:
        InvalidRulesError: an option's value that this version does not know.
    """
    names = [field.name for field in fields(Rules)]
    return Rules().with_options({name: getattr(message, name) for name in names})


@functools.lru_cache(maxsize=256)
def _rules(data: bytes) -> Rules:
    return decode_rules(pb.Rules.FromString(data))


def encode_decisions(decisions: Sequence[Decision]) -> list[bytes]:
    """Write decisions as serialized `PlayRequest` messages, in order.

    A message holds decisions of one rule set, at most `MAX_DECISIONS` and `MAX_MESSAGE` bytes.

    Raises:
        ValueError: a single decision is over the limit, which is an error of the arena's own.
    """
    messages: list[bytes] = []
    for rules, group in groupby(decisions, key=lambda decision: decision.observation.rules):
        alike = list(group)
        for start in range(0, len(alike), MAX_DECISIONS):
            messages += _encode_batch(rules, alike[start : start + MAX_DECISIONS])
    return messages


def _encode_batch(rules: Rules, decisions: Sequence[Decision]) -> list[bytes]:
    request = pb.PlayRequest()
    batch = request.decisions
    batch.rules.CopyFrom(encode_rules(rules))
    for decision in decisions:
        _encode_decision(decision, batch.decisions.add())
    data = request.SerializeToString()
    if len(data) <= MAX_MESSAGE:
        return [data]
    if len(decisions) == 1:
        raise ValueError(f"decision {decisions[0].id} is {len(data)} bytes; {MAX_MESSAGE} fit")
    half = len(decisions) // 2
    return _encode_batch(rules, decisions[:half]) + _encode_batch(rules, decisions[half:])


def _encode_decision(decision: Decision, message: pb.Decision) -> None:
    seen = decision.observation
    message.id = decision.id
    message.table = decision.table
    message.bank_us = decision.bank_us
    message.phase = _PHASES[seen.phase]
    message.seat = seen.seat
    message.dealer = seen.dealer
    message.round_number = seen.round_number
    message.turn_number = seen.turn_number
    message.points.extend(seen.points)
    message.hand = set_text(seen.hand)
    message.discards = cards_text(seen.discards)
    message.opponent_cards = set_text(seen.known)
    if seen.drawn is not None:
        message.drawn = CARD_TEXT[seen.drawn]
        message.drawn_from_pile = seen.drawn_from_pile
    message.stock_count = seen.stock_count
    message.knock_limit = seen.knock_limit
    message.events = "".join([EVENT_TEXT[event.seat][event.action] for event in seen.events])
    if decision.refusal:
        message.refusal = decision.refusal[:MAX_TEXT]
    if decision.advising:
        message.advising = True
    if seen.advice is not None:
        _encode_advice(seen.advice, message.advice)
    for column in seen.columns:
        message.columns.add(points=column)
    _encode_legal(seen.legal, message)
    if seen.phase is _SHOWDOWN:
        _encode_showdown(seen, message.showdown)


def _encode_legal(legal: Sequence[Action], message: pb.Decision) -> None:
    discards = [CARD_TEXT[card] for kind, card in legal if kind is _DISCARD]
    if discards:
        message.legal_discards = "".join(discards)
    for action in legal[len(discards) :]:
        kind, card = action
        if kind is _KNOCK:
            message.legal_knocks += CARD_TEXT[card]
        else:
            setattr(message, _FLAG[action], True)


def _encode_showdown(seen: Observation, message: pb.Showdown) -> None:
    message.melds.extend([set_text(meld) for meld in seen.spread])
    message.deadwood = set_text(seen.knocker_deadwood)
    message.layoffs_allowed = seen.layoffs_allowed


def _encode_advice(advice: Advice, message: pb.Advice) -> None:
    kind, card = advice.action
    message.kind = pb.ActionKind.ValueType(kind + 1)
    if card >= 0:
        message.card = CARD_TEXT[card]
    message.note = advice.note


def decode_decisions(request: pb.PlayRequest) -> list[Decision]:
    """Read the decisions of a message, on the bot's side.

    Raises:
        InvalidNotationError: a text that is no card or event, or an unknown phase.
        InvalidRulesError: rules that this version does not know.
    """
    batch = request.decisions
    if not batch.decisions:
        return []
    rules = _rules(batch.rules.SerializeToString(deterministic=True))
    return [
        Decision(
            id=message.id,
            table=message.table,
            observation=_decode_observation(message, rules),
            bank_us=message.bank_us,
            refusal=message.refusal,
            advising=message.advising,
        )
        for message in batch.decisions
    ]


def _decode_observation(message: pb.Decision, rules: Rules) -> Observation:
    phase = _PHASE.get(message.phase)
    if phase is None:
        raise InvalidNotationError(f"phase {message.phase} is none of this version's")
    held, drawn = message.hand, message.drawn
    hand = read_set(held)
    seen = Observation(
        rules=rules,
        seat=message.seat,
        dealer=message.dealer,
        round_number=message.round_number,
        points=tuple(message.points[:]),
        phase=phase,
        hand=hand,
        discards=read_cards(message.discards),
        known=read_set(message.opponent_cards),
        drawn=parse_card(drawn) if drawn else None,
        drawn_from_pile=message.drawn_from_pile,
        stock_count=message.stock_count,
        knock_limit=message.knock_limit,
        turn_number=message.turn_number,
        legal=_decode_legal(message, held, hand),
        events=read_events(message.events),
    )
    if phase is _SHOWDOWN:
        seen = _with_showdown(seen, message.showdown)
    if message.HasField("advice"):
        seen = seen._replace(advice=_decode_advice(message.advice))
    if rules.columns > 1:
        seen = seen._replace(columns=tuple([tuple(c.points) for c in message.columns]))
    return seen


def _decode_advice(message: pb.Advice) -> Advice:
    found = _ACTION.get((message.kind, message.card))
    if found is None:
        raise InvalidNotationError(f"advice of kind {message.kind} and card {message.card!r}")
    return Advice(found[0], message.note)


def _decode_legal(message: pb.Decision, held: str, hand: CardSet) -> tuple[Action, ...]:
    """Read the legal actions; `held` and `hand` are the own cards, which may mostly be thrown."""
    discards, knocks = message.legal_discards, message.legal_knocks
    if discards == held and not knocks and held == set_text(hand):
        legal = discards_of(hand)
    else:
        legal = read_legal(discards, knocks)
    if message.can_pass:
        legal.append(PASS)
    if message.can_take:
        legal.append(TAKE)
    if message.can_draw_stock:
        legal.append(STOCK)
    if message.can_big_gin:
        legal.append(BIG_GIN)
    if message.can_show:
        legal.append(SHOW)
    return tuple(legal)


def _with_showdown(seen: Observation, shown: pb.Showdown) -> Observation:
    return seen._replace(
        spread=tuple([read_set(meld) for meld in shown.melds]),
        knocker_deadwood=read_set(shown.deadwood),
        layoffs_allowed=shown.layoffs_allowed,
    )


def encode_answers(answers: Sequence[Answer]) -> list[pb.PlayResponse]:
    """Write a bot's answers as messages, in order, at most `MAX_DECISIONS` in each.

    An answer without an action goes out as it is, and the referee refuses it.

    Raises:
        ValueError: a meld that is no set of cards.
    """
    return [
        pb.PlayResponse(
            answers=pb.AnswerBatch(
                answers=[
                    _encode_answer(answer) for answer in answers[start : start + MAX_DECISIONS]
                ]
            )
        )
        for start in range(0, len(answers), MAX_DECISIONS)
    ]


def _encode_answer(answer: Answer) -> pb.Answer:
    message = pb.Answer(decision_id=answer.decision_id or 0)
    if answer.action is not None:
        kind, card = answer.action
        message.kind = pb.ActionKind.ValueType(kind + 1)
        if card >= 0:
            message.card = CARD_TEXT[card]
    message.note = answer.note
    if answer.declaration is not None:
        message.declaration.SetInParent()
        message.declaration.melds.extend([_meld_text(meld) for meld in answer.declaration.melds])
        for laid, meld in answer.declaration.layoffs:
            message.declaration.layoffs.add(card=CARD_TEXT[laid], meld=meld)
    return message


def _meld_text(meld: CardSet) -> str:
    if meld & ~DECK:
        raise ValueError(f"a meld is {meld}, which is no set of cards")
    return set_text(meld)


def decode_answers(data: bytes) -> list[Answer]:
    """Read a bot's message (`PlayResponse`), on the referee's side; nothing in it is trusted.

    Bytes that are no such message, hold no answer or too many come back as one answer without an
    id; an answer whose parts do not fit together comes back with its id and an error. The rules
    of the game are not looked at. Unknown fields are dropped. Never raises.
    """
    try:
        answers = pb.PlayResponse.FromString(data).answers.answers
    except DecodeError as error:
        return [_unreadable(data, f"the message does not parse: {error}")]
    if not 0 < len(answers) <= MAX_ANSWERS:
        return [
            _unreadable(data, f"the message holds {len(answers)} answers; 1 to {MAX_ANSWERS} fit")
        ]
    return [_decode_answer(message) for message in answers]


def _unreadable(data: bytes, error: str) -> Answer:
    return Answer(None, None, error=error[:MAX_TEXT], raw=repr(data[:MAX_TEXT])[:MAX_TEXT])


def _decode_answer(message: pb.Answer) -> Answer:
    found = _ACTION.get((message.kind, message.card))
    if found is None:
        return _refused(message, _why_no_action(message))
    action, text = found
    if not message.HasField("declaration"):
        return Answer(message.decision_id, action, raw=text, note=message.note)
    if action.kind not in _DECLARING:
        return _refused(
            message, f"a declaration goes with a knock, big gin or showdown, not {text}"
        )
    try:
        declaration = _decode_declaration(message.declaration)
    except InvalidNotationError as error:
        return _refused(message, str(error))
    return Answer(message.decision_id, action, declaration, raw=_raw(message), note=message.note)


def _why_no_action(message: pb.Answer) -> str:
    if not pb.ACTION_KIND_PASS <= message.kind <= pb.ACTION_KIND_SHOW:
        return f"kind {message.kind} is no kind of action"
    kind = pb.ActionKind.Name(message.kind)
    if message.kind in (pb.ACTION_KIND_DISCARD, pb.ACTION_KIND_KNOCK):
        return f"{kind} takes a card such as 'Td', not {message.card[:20]!r}"
    return f"{kind} takes no card, yet one is given: {message.card[:20]!r}"


def _decode_declaration(message: pb.Declaration) -> Declaration:
    return Declaration(
        melds=tuple([read_set(meld) for meld in message.melds]),
        layoffs=tuple([_decode_layoff(layoff) for layoff in message.layoffs]),
    )


def _decode_layoff(message: pb.Layoff) -> tuple[int, int]:
    cards = read_cards(message.card)
    if len(cards) != 1 or message.meld < 0:
        raise InvalidNotationError(
            f"a layoff takes a card and a meld from 0, not {message.card[:20]!r} on {message.meld}"
        )
    return cards[0], message.meld


def _refused(message: pb.Answer, error: str) -> Answer:
    return Answer(message.decision_id, None, error=error[:MAX_TEXT], raw=_raw(message))


def _raw(message: pb.Answer) -> str:
    """The answer's known fields in one line, cut."""
    message.DiscardUnknownFields()
    return " ".join(str(message).split())[:MAX_TEXT]
