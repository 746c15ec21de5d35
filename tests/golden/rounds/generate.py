"""Write rounds.json: rounds of seeded boards with all actions and results.

It pins the engine, so that a change of play or of the referee's defaults is seen; it proves
nothing by itself. Run from the root: python -m tests.golden.rounds.generate
"""

import hashlib
import json
import random
from pathlib import Path
from typing import Any

from arena.engine.actions import DISCARD, Action, Kind
from arena.engine.cards import CARD_TEXT, iter_cards, set_text
from arena.engine.deal import Deal
from arena.engine.melds import best_discards
from arena.engine.result import price
from arena.engine.round import Round
from arena.engine.rules import PRESETS, Rules
from arena.engine.view import Phase

PER_PRESET = 12


def play(preset: str, seed: bytes) -> dict[str, Any]:
    """Play a round of two thrifty seats; every showdown is the referee's default."""
    rules, rng = Rules.preset(preset), random.Random(seed)
    table = Round(rules, Deal.of(seed, 1), dealer=seed[-1] & 1)
    actions = []
    while table.phase != Phase.OVER:
        action = thrifty(rng, table)
        table.apply(action)
        card = CARD_TEXT[action.card] if action.card >= 0 else ""
        actions.append(f"{action.kind.name.lower()} {card}".strip())
    return {"preset": preset, "seed": seed.hex(), "actions": actions, "result": facts(table)}


def thrifty(rng: random.Random, table: Round) -> Action:
    """Knock when legal, else draw at random and throw what leaves the least deadwood."""
    legal = table.legal_actions()
    knocks = [action for action in legal if action.kind == Kind.KNOCK]
    if knocks or table.phase != Phase.DISCARD:
        return rng.choice(knocks or legal)
    forbidden = 1 << table.drawn if table.drawn is not None and table.drawn_from_pile else 0
    _, best = best_discards(table.hands[table.turn], forbidden)
    return DISCARD[rng.choice(list(iter_cards(best)))]


def facts(table: Round) -> dict[str, Any]:
    """Return the result of a finished round with cards as text."""
    result = table.result
    if result is None:
        raise ValueError("the round is not over")
    return {
        "ending": str(result.ending),
        "knocker": result.knocker,
        "winner": result.winner,
        "points": price(table.rules, result),
        "knocker_melds": [set_text(meld) for meld in result.knocker_melds],
        "knocker_deadwood": result.knocker_deadwood,
        "defender_melds": [set_text(meld) for meld in result.defender_melds],
        "layoffs": [[CARD_TEXT[card], index] for card, index in result.layoffs],
        "defender_deadwood": result.defender_deadwood,
        "turns": table.turn_number,
        "stock_count": table.stock_count,
    }


def main() -> None:
    """Write the file beside this one."""
    seeds = [hashlib.sha256(bytes([number])).digest() for number in range(PER_PRESET)]
    rounds = [play(preset, seed) for preset in PRESETS for seed in seeds]
    text = "[\n" + ",\n".join(json.dumps(entry) for entry in rounds) + "\n]\n"
    Path(__file__).with_name("rounds.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
