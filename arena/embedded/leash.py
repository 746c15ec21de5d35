"""Processes that die with their parent, however it ends.

`python -m arena.embedded.leash PARENT COMMAND…` runs COMMAND in its own place on Linux, where the
kernel kills it when PARENT is gone; elsewhere it stays beside COMMAND and watches PARENT.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from types import FrameType
from typing import Final

_PR_SET_PDEATHSIG: Final = 1
"""Option of prctl(2): the signal that the kernel sends when the parent dies; it survives exec."""
_WATCH_SECONDS: Final = 0.5


def leashed(command: Sequence[str]) -> list[str]:
    """Return the command that runs `command` so that it dies with the calling process."""
    return [sys.executable, "-P", "-m", __name__, str(os.getpid()), *command]


def die_with_parent() -> None:
    """Let the kernel kill this process when its parent dies; Linux only, elsewhere nothing."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def main(arguments: Sequence[str]) -> int:
    """Run the command of the arguments after the parent's process id."""
    parent, command = int(arguments[0]), list(arguments[1:])
    die_with_parent()
    if os.getppid() != parent:
        return 1
    if sys.platform == "linux":
        os.execvp(command[0], command)  # noqa: S606 - the arena's own command, no shell wanted
    return _watch(parent, command)


def _watch(parent: int, command: Sequence[str]) -> int:
    """Run the command beside this process, hand on signals, kill it when the parent is gone."""
    child = subprocess.Popen(command)  # noqa: S603 - the arena's own command

    def hand_on(number: int, _frame: FrameType | None) -> None:
        child.send_signal(number)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, hand_on)
    while child.poll() is None:
        if os.getppid() != parent:
            child.kill()
        time.sleep(_WATCH_SECONDS)
    return child.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
