"""Bundles are proved by the base package alone."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
SCRIPT = """
import sys
for name in ("sqlalchemy", "numpy", "scipy", "flask", "celery", "pyarrow"):
    sys.modules[name] = None
from arena.cli import main
sys.exit(main(["verify", sys.argv[1]]))
"""


def test_verify_needs_no_extra(bundle: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(bundle)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "holds; league Test" in done.stdout
