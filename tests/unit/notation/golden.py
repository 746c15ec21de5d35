"""Writes the golden records; run as ``python -m tests.unit.notation.golden``.

They are written once for each version of the format and stay as they are: old records replay for
ever. New cases get new files.
"""

import random
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Final

from arena.engine.result import Ending
from arena.engine.rules import PRESETS, Rules
from arena.notation.files import write_record
from arena.notation.record import FaultTime, Forfeit, GameTimes, RoundRecord, Void
from arena.notation.replay import derive_game
from arena.notation.text import read_actions
from arena.notation.times import write_times
from arena.sdk import load_bot
from tests.unit.notation.playing import at_random, by_bot, play_match
from tests.unit.notation.trios import play_match as play_trio

FOLDER: Final = Path(__file__).parents[2] / "golden" / "records" / "v1"
PRESET_NAMES: Final = ("eaai", "finnish", "hollywood", "modern", "oklahoma", "straight")


def declared(preset: str, *, seed: int = 0) -> str:
    """Return a match of two games with random declarations."""
    decide = at_random(random.Random(f"{preset} {seed}"))
    return write_record(*play_match(PRESETS[preset], (decide, decide), games=2))


def declared_with(ending: Ending, preset: str) -> str:
    """Return the first such match in which a round ends so."""
    texts = (declared(preset, seed=seed) for seed in count())
    return next(text for text in texts if f'"ending":"{ending}"' in text)


def faulty() -> tuple[str, str]:
    """Return a match with a void and a forfeit, and its times."""
    names = ("simple", "greedy")
    bots = [by_bot(load_bot(name).act) for name in names]
    header, (first, second) = play_match(Rules(), bots, games=2, names=names)
    voided = replace(first, voids=(Void(7, "the database was lost"),))
    cut = second.rounds[1]
    rounds = (second.rounds[0], RoundRecord(2, cut.dealer, cut.actions[: cut.actions.index("d")]))
    lost = replace(second, rounds=rounds, forfeit=Forfeit(1, "TIMEOUT"))
    games = [voided, derive_game(Rules(), lost)]
    rng = random.Random(1)
    times = [
        GameTimes(
            game.index,
            tuple(tuple(rng.randrange(40) for _ in read_actions(r.actions)) for r in game.rounds),
            (FaultTime(2, 3, 1, "TIMEOUT", 31_250, None),) if game.forfeit else (),
        )
        for game in games
    ]
    text = write_record(header, games)
    return text, write_times(text, times)


def main() -> None:
    """Write all files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    files = {f"{preset}.jsonl": declared(preset) for preset in PRESET_NAMES}
    files["straight.jsonl"] = declared_with(Ending.BIG_GIN, "straight")
    files["finnish.jsonl"] = declared_with(Ending.UNDERCUT, "finnish")
    files["captain.jsonl"] = write_record(*play_trio(PRESETS["captain"], games=2))
    files["classic.jsonl"], files["classic.times.jsonl"] = faulty()
    for name, text in files.items():
        (FOLDER / name).write_text(text, encoding="ascii", newline="\n")


if __name__ == "__main__":
    main()
