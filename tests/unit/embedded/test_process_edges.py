"""Edges of the supervisor and the leash: what ends early, oddly, in order, or not at all."""

import os
import signal
import sys
import time
from pathlib import Path

import psutil
import pytest

from arena.embedded.errors import StartError
from arena.embedded.leash import leashed, main
from arena.embedded.processes import Command, Process, Supervisor, wait_until

SECONDS = 60.0
PARENT = (
    "import subprocess, sys, time\n"
    "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
    "print(child.pid, flush=True)\n"
    "time.sleep(600)\n"
)
NOTES_ITS_END = (
    "import pathlib, signal, sys, time\n"
    "def end(*_):\n"
    "    with open(sys.argv[1], 'a') as log: log.write(sys.argv[2] + '\\n')\n"
    "    sys.exit()\n"
    "signal.signal(signal.SIGTERM, end)\n"
    "print('up')\n"
    "time.sleep(600)\n"
)


def python(name: str, *arguments: str, stop: signal.Signals = signal.SIGTERM) -> Command:
    return Command(name=name, arguments=[sys.executable, "-c", *arguments], stop_signal=stop)


def wait_for_end(process: Process) -> int:
    deadline = time.monotonic() + SECONDS
    while process.status is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return process.status


def wait_for_line(process: Process) -> str:
    wait_until(lambda: process.last_line() != "(empty)", process, seconds=SECONDS, what="a line")
    return process.last_line()


def test_the_latest_started_is_stopped_first(tmp_path: Path) -> None:
    ends = tmp_path / "ends"
    names = ["redis", "worker", "bots"]
    with Supervisor(tmp_path) as supervisor:
        for name in names:
            wait_for_line(supervisor.start(python(name, NOTES_ITS_END, str(ends), name)))
    assert ends.read_text().split() == names[::-1]
    assert supervisor.processes == []


def test_what_a_process_left_behind_is_stopped_with_it(tmp_path: Path) -> None:
    with Supervisor(tmp_path) as supervisor:
        process = supervisor.start(python("parent", PARENT))
        child = psutil.Process(int(wait_for_line(process)))
        assert child.is_running()
    psutil.wait_procs([child], timeout=SECONDS)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_a_process_may_be_stopped_twice_and_after_its_end(tmp_path: Path) -> None:
    process = Supervisor(tmp_path).start(python("short", "raise SystemExit(4)"))
    assert wait_for_end(process) == 4
    process.stop()
    process.stop()
    assert process.status == 4


def test_the_stop_signal_is_the_commands_own(tmp_path: Path) -> None:
    code = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGQUIT, lambda *_: sys.exit(17))\n"
        "print('up')\ntime.sleep(600)\n"
    )
    process = Supervisor(tmp_path).start(python("worker", code, stop=signal.SIGQUIT))
    wait_for_line(process)
    process.stop()
    assert process.status == 17


def test_a_restarted_process_goes_on_in_its_log(tmp_path: Path) -> None:
    with Supervisor(tmp_path) as supervisor:
        process = supervisor.start(python("bot", "print('cards')"))
        wait_for_end(process)
        supervisor.check()
        wait_for_end(process)
        assert (process.restarts, process.log.read_text()) == (1, "cards\ncards\n")


def test_only_what_has_ended_is_started_again(tmp_path: Path) -> None:
    with Supervisor(tmp_path) as supervisor:
        stays = supervisor.start(python("stays", "import time; time.sleep(600)"))
        ends = supervisor.start(python("ends", "pass"))
        pid = stays.pid
        wait_for_end(ends)
        supervisor.check()
        assert (stays.pid, stays.restarts, ends.restarts) == (pid, 0, 1)


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("pass", "(empty)"),
        ("print('one'); print('two'); print('  ')", "two"),
        ("import sys; sys.stdout.buffer.write(b'caf\\xe9')", "caf\N{REPLACEMENT CHARACTER}"),
        ("print('x' * 100_000)", "x" * 100_000),
    ],
)
def test_the_last_line_of_any_log_can_be_told(tmp_path: Path, code: str, line: str) -> None:
    with Supervisor(tmp_path) as supervisor:
        process = supervisor.start(python("bot", code))
        wait_for_end(process)
        assert process.last_line() == line


def test_a_program_that_is_not_there_is_told_when_it_is_waited_for(tmp_path: Path) -> None:
    with Supervisor(tmp_path) as supervisor:
        process = supervisor.start(Command(name="redis", arguments=["/nowhere/redis-server"]))
        with pytest.raises(StartError, match=r"Redis did not start: .*No such file or directory"):
            wait_until(lambda: False, process, seconds=SECONDS, what="Redis")


def test_what_is_ready_at_once_is_not_waited_for(tmp_path: Path) -> None:
    with Supervisor(tmp_path) as supervisor:
        process = supervisor.start(python("bot", "pass"))
        wait_for_end(process)
        wait_until(lambda: True, process, seconds=0, what="what has ended already")


def test_a_supervisor_that_an_error_leaves_stops_its_processes_too(tmp_path: Path) -> None:
    supervisor = Supervisor(tmp_path)
    pids = []

    def fail() -> None:
        with supervisor:
            pids.append(supervisor.start(python("one", "import time; time.sleep(600)")).pid)
            raise StartError("the second part is missing")

    with pytest.raises(StartError, match="the second part is missing"):
        fail()
    assert not psutil.pid_exists(pids[0])


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's leash is Linux's")
def test_a_command_whose_parent_is_gone_is_not_begun(tmp_path: Path) -> None:
    """Between the fork and the leash the parent may have died: the id tells."""
    made = tmp_path / "made"
    code = f"open({str(made)!r}, 'w')"
    arguments = leashed([sys.executable, "-c", code])
    stranger = arguments.index(str(os.getpid()))
    arguments[stranger] = "1" if os.getpid() != 1 else "2"
    process = Supervisor(tmp_path).start(Command(name="orphan", arguments=arguments))
    assert wait_for_end(process) == 1
    assert not made.exists()


def test_the_leash_wants_a_number(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="parent"):
        main(["parent", str(tmp_path)])
