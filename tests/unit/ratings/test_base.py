"""What the base package needs of the ratings is plain Python."""

import subprocess
import sys

CODE = """
import sys
for name in ("numpy", "scipy", "threadpoolctl"):
    sys.modules[name] = None
from arena.ratings.intervals import GameOutcome, elo_difference
print(elo_difference([GameOutcome(board, board % 2, 0, 1) for board in range(9)]).value)
"""


def test_intervals_need_no_numpy() -> None:
    run = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert round(float(run.stdout), 1) == -38.8
