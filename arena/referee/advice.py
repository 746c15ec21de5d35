"""What an adviser's answer is worth: an action for the captain, or a fault that costs nothing."""

from collections.abc import Sequence

from arena.engine.actions import Action
from arena.notation.advice import Counsel, Given, is_note
from arena.referee.player import Answer


def read_advice(answer: Answer, legal: Sequence[Action]) -> tuple[Given, str]:
    """Judge an answer to a question for advice (R7.3).

    Args:
        answer: as it came.
        legal: the captain's legal actions.

    Returns:
        The action advised and the adviser's words, or why there is none.
    """
    if answer.action is None or not is_note(answer.note):
        return Counsel.MALFORMED, ""
    if answer.action not in legal:
        return Counsel.ILLEGAL, ""
    return answer.action, answer.note
