import signal
import sys
import time
from pathlib import Path

import psutil
import pytest

from arena.embedded.errors import StartError
from arena.embedded.processes import Command, Process, Supervisor, wait_until

SLEEP = "import time; time.sleep(600)"
STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
    "print('up'); time.sleep(600)"
)


def python(name: str, code: str, *, patience: float = 5.0) -> Command:
    return Command(name=name, arguments=[sys.executable, "-c", code], patience=patience)


def wait_for_end(process: Process) -> None:
    while process.status is None:
        time.sleep(0.01)


def test_leaving_stops_every_process(tmp_path: Path) -> None:
    with Supervisor(tmp_path) as supervisor:
        pids = [supervisor.start(python(name, SLEEP)).pid for name in ("one", "two")]
        assert all(psutil.pid_exists(pid) for pid in pids)
    assert not any(psutil.pid_exists(pid) for pid in pids)


def test_a_process_that_ignores_the_signal_is_killed(tmp_path: Path) -> None:
    supervisor = Supervisor(tmp_path)
    process = supervisor.start(python("stubborn", STUBBORN, patience=0.1))
    wait_until(lambda: process.last_line() == "up", process, seconds=60, what="stubborn")
    supervisor.stop()
    assert process.status == -signal.SIGKILL


def test_the_log_holds_both_outputs(tmp_path: Path) -> None:
    with Supervisor(tmp_path) as supervisor:
        code = "import sys; print('out'); print('err', file=sys.stderr)"
        process = supervisor.start(python("talker", code))
        wait_for_end(process)
    assert process.log.read_text() == "out\nerr\n"


def test_a_process_gets_its_own_variables(tmp_path: Path) -> None:
    with Supervisor(tmp_path) as supervisor:
        code = "import os; print(os.environ['TABLE'])"
        command = Command(
            name="env", arguments=[sys.executable, "-c", code], environment={"TABLE": "seven"}
        )
        process = supervisor.start(command)
        wait_for_end(process)
        assert process.last_line() == "seven"


def test_an_ended_process_is_started_again(tmp_path: Path) -> None:
    with Supervisor(tmp_path) as supervisor:
        process = supervisor.start(python("bot", SLEEP))
        first = process.pid
        psutil.Process(first).kill()
        wait_for_end(process)
        supervisor.check()
        assert process.status is None
        assert process.pid != first


def test_a_process_that_keeps_ending_is_told_with_its_last_line(tmp_path: Path) -> None:
    def run_out_of_restarts() -> None:
        while True:
            wait_for_end(process)
            supervisor.check()

    with Supervisor(tmp_path) as supervisor:
        process = supervisor.start(python("bot", "print('no cards'); raise SystemExit(3)"))
        with pytest.raises(
            StartError, match=r"bot ended with status 3: no cards \(log: .*bot\.log"
        ):
            run_out_of_restarts()


def test_waiting_tells_an_early_end(tmp_path: Path) -> None:
    with Supervisor(tmp_path) as supervisor:
        process = supervisor.start(python("page", "print('port taken')"))
        with pytest.raises(StartError, match="the dashboard did not start: port taken"):
            wait_until(lambda: False, process, seconds=60, what="the dashboard")


def test_waiting_has_an_end(tmp_path: Path) -> None:
    with Supervisor(tmp_path) as supervisor:
        process = supervisor.start(python("page", SLEEP))
        with pytest.raises(StartError, match=r"the dashboard did not answer within 0\.05 s"):
            wait_until(lambda: False, process, seconds=0.05, what="the dashboard")


def test_a_large_log_is_put_aside(tmp_path: Path) -> None:
    log = tmp_path / "bot.log"
    with log.open("wb") as large:
        large.truncate(10_000_001)
    with Supervisor(tmp_path) as supervisor:
        process = supervisor.start(python("bot", "print('fresh')"))
        wait_for_end(process)
    assert log.read_text() == "fresh\n"
    assert (tmp_path / "bot.old.log").stat().st_size == 10_000_001
