"""`gin-arena bot serve` as a process: it says where it is, plays over gRPC, and stops."""

import asyncio
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.cli import OK, USAGE, main
from arena.engine.deal import board_seed
from arena.engine.rules import Rules
from arena.notation.files import write_record
from arena.referee.match import play_match
from arena.referee.outcome import MatchEnd, MatchOutcome
from arena.referee.player import Player
from arena.referee.verdict import Cause
from arena.rpc.client import GrpcPlayer
from arena.schedule.plan import BoardMode, MatchPlan, TimeControl
from arena.sdk import LocalPlayer, load_bot
from arena.sdk.load import REFERENCE_BOTS

FIRST_BOT = Path(__file__).parents[2] / "examples" / "first_bot.py"
LISTENS = re.compile(r"(\w+) (\w+) listens on 127\.0\.0\.1:(\d+)\n")
CRASHING = """
from arena.sdk import Bot

class Crashing(Bot):
    def act(self, observation):
        return observation.legal[99 if observation.turn_number > 4 else 0]
"""


class Served:
    """A bot served by a process of its own."""

    def __init__(self, *command: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.line = self.process.stdout.readline()
        match = LISTENS.fullmatch(self.line)
        assert match, self.line
        self.port = int(match[3])

    def player(self) -> Player:
        return GrpcPlayer("127.0.0.1", self.port)

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Send a signal; return the exit status and what stands on standard error."""
        self.process.send_signal(number)
        _, err = self.process.communicate(timeout=30)
        return self.process.returncode, err


@pytest.fixture
def serve() -> Iterator[Callable[..., Served]]:
    servers: list[Served] = []

    def start(*command: str) -> Served:
        servers.append(Served(*command))
        return servers[-1]

    yield start
    for server in servers:
        if server.process.poll() is None:
            server.process.kill()
        server.process.communicate()


def serve_command(spec: str) -> tuple[str, ...]:
    return ("-m", "arena.cli", "bot", "serve", spec)


def local(spec: str) -> Callable[[], Player]:
    return lambda: LocalPlayer(load_bot(spec))


def match(first: Callable[[], Player], second: Callable[[], Player], slots: int) -> MatchOutcome:
    plan = MatchPlan(
        rules=Rules(),
        time_control=TimeControl(),
        mode=BoardMode.PRIVATE,
        master=board_seed(bytes(32), 1),
        slots=slots,
    )
    return asyncio.run(play_match([first, second], plan))


def record(outcome: MatchOutcome) -> str:
    assert outcome.end is MatchEnd.COMPLETE
    assert outcome.header is not None
    return write_record(outcome.header, [game.record for game in outcome.games])


@pytest.mark.parametrize("bot", REFERENCE_BOTS)
def test_a_reference_bot_plays_over_grpc_as_it_does_in_process(
    bot: str, serve: Callable[..., Served]
) -> None:
    served = serve(*serve_command(bot))
    assert served.line.startswith(f"{bot} 1 listens on ")
    over_grpc = match(served.player, local("simple"), 4)
    in_process = match(local(bot), local("simple"), 4)
    assert record(over_grpc) == record(in_process)
    assert served.stop() == (OK, "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_first_bot_of_the_readme_serves_itself_and_stops(
    number: int, serve: Callable[..., Served]
) -> None:
    served = serve(str(FIRST_BOT))
    assert record(match(served.player, local("random"), 1))
    assert served.stop(number) == (OK, "")


def test_a_bot_that_raises_crashes_and_shows_its_author_the_traceback(
    tmp_path: Path, serve: Callable[..., Served]
) -> None:
    path = tmp_path / "crashing.py"
    path.write_text(CRASHING)
    served = serve(*serve_command(str(path)))
    outcome = match(served.player, local("simple"), 1)
    faults = [fault for game in outcome.games for fault in game.faults]
    assert [fault.cause for fault in faults] == [Cause.CRASH]
    status, err = served.stop()
    assert status == OK
    assert "observation.legal[99 if" in err
    assert "IndexError: tuple index out of range" in err


def test_a_taken_port_is_told_in_one_line(
    serve: Callable[..., Served], capfd: pytest.CaptureFixture[str]
) -> None:
    served = serve(*serve_command("simple"))
    assert main(["bot", "serve", "random", "--port", str(served.port)]) == USAGE
    (line,) = capfd.readouterr().err.splitlines()
    assert f"127.0.0.1:{served.port}" in line
    assert "taken" in line


def test_a_spec_that_leads_nowhere_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "serve", "nosuch.py"]) == USAGE
    assert capsys.readouterr().err == "gin-arena: nosuch.py: there is no such file\n"


def test_the_reference_bots_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "list"]) == OK
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines] == [[name, "1"] for name in REFERENCE_BOTS]
    assert all(len(line.split()) > 4 for line in lines)


def test_a_port_out_of_range_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["bot", "serve", "simple", "--port", "70000"])
    assert "70000 is no port; a port is 0 to 65535" in capsys.readouterr().err
