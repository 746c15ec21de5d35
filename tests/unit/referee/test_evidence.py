from arena.engine.actions import STOCK
from arena.engine.game import Game
from arena.engine.rules import Rules
from arena.referee.evidence import answer_text, asked_text
from arena.referee.player import Answer
from arena.referee.verdict import Evidence


def test_evidence_says_what_was_asked_in_notation() -> None:
    game = Game(Rules(), bytes(32))
    observation = game.observe(game.turn)
    text = asked_text(observation)
    assert text.startswith(f"round 1, seat {game.turn}, points 0:0, upcard; hand ")
    assert text.endswith("; legal: pass, take")


def test_evidence_names_the_cards_that_may_be_thrown() -> None:
    game = Game(Rules(), bytes(32))
    game.apply(next(a for a in game.observe(game.turn).legal if a.kind.name == "TAKE"))
    text = asked_text(game.observe(game.turn))
    assert ", discard; hand " in text
    assert len(text.partition("legal: discard ")[2].split()) == 10


def test_an_answer_is_shown_as_it_came_and_cut_at_200_characters() -> None:
    assert answer_text(Answer(1, STOCK)) == "s"
    assert answer_text(Answer(1, None, error="not an action", raw="fold")) == "fold"
    assert answer_text(Answer(None, None, error="not a message")) == "not a message"
    assert answer_text(Answer(1, None, error="long", raw="x" * 999)) == "x" * 200


def test_control_characters_of_an_answer_are_escaped() -> None:
    assert Evidence("", "fold\x1b[2J", 0, 0).answered == r"fold\x1b[2J"
