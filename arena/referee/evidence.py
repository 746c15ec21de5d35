"""Evidence in words and notation: what was asked, what came back (R10.6)."""

from arena.engine.actions import Kind
from arena.engine.cards import CARD_TEXT, cards_text, set_text
from arena.engine.view import Observation, Phase
from arena.notation.text import write_action
from arena.referee.player import Answer

_MOST = 200
"""Longest text kept of what a bot said."""


def asked_text(observation: Observation) -> str:
    """Return a decision in one line: round, phase, hand, pile, what was legal."""
    legal = observation.legal
    simple = [
        kind.name.lower() for kind in Kind if any(a.kind is kind and a.card < 0 for a in legal)
    ]
    cards = [
        f"{kind.name.lower()} " + " ".join(CARD_TEXT[a.card] for a in legal if a.kind is kind)
        for kind in (Kind.DISCARD, Kind.KNOCK)
        if any(a.kind is kind for a in legal)
    ]
    points = ":".join(map(str, observation.points))
    return (
        f"round {observation.round_number}, seat {observation.seat}, points {points}, "
        f"{Phase(observation.phase).name.lower()}; hand {set_text(observation.hand)}; "
        f"pile {cards_text(observation.discards)}; legal: {', '.join(simple + cards)}"
    )


def answer_text(answer: Answer) -> str:
    """Return an answer as it came, cut at 200 characters."""
    if answer.raw or answer.action is None:
        return (answer.raw or answer.error)[:_MOST]
    return write_action(answer.action, answer.declaration)[:_MOST]
