"""The player port: how the referee reaches one bot, whatever carries the messages."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from arena.engine.actions import Action, Declaration
from arena.engine.rules import PRESETS, Rules
from arena.engine.view import Observation

_TWO: Final = 2


@dataclass(frozen=True, slots=True)
class BotInfo:
    """What a bot says of itself (`GetBotInfo`)."""

    name: str
    version: str
    rule_sets: tuple[str, ...]
    """Names of the presets it plays; empty: all for two players."""
    max_tables: int = 1
    """The most tables it plays at once, at least 1."""
    declares: bool = False
    """Whether it wants to be asked at the showdown; else the referee plays the optimum (R4.3)."""
    advises: bool = False
    """Whether it gives advice where it sits out in a game of three (R7.3)."""
    wants_advice: bool = False
    """Whether it wants advice where it is the captain in a game of three."""

    def plays(self, rules: Rules) -> bool:
        """Whether it says that it plays a rule set.

        A preset by its name; other rules by any preset for as many players.
        """
        if not self.rule_sets:
            return rules.players == _TWO
        name = next((name for name, known in PRESETS.items() if known == rules), None)
        if name is not None:
            return name in self.rule_sets
        known = [PRESETS[name] for name in self.rule_sets if name in PRESETS]
        return any(preset.players == rules.players for preset in known)


class Decision(NamedTuple):
    """One question to a bot."""

    id: int
    """Unique in a match and a bot; never used again, also not after a refusal (R10.1)."""
    table: str
    """A random name of the table, the same for all decisions of a game."""
    observation: Observation
    bank_us: int
    """Time left in the bank of this game, microseconds, increment included."""
    refusal: str = ""
    """Why the last answer to this very question was refused; empty at the first asking."""
    advising: bool = False
    """Whether the bot is asked as the adviser: the observation is the captain's, `bank_us` that of
    its advice."""


class Answer(NamedTuple):
    """One answer as it came, readable or not; nothing of it is trusted yet."""

    decision_id: int | None
    """None: the message could not be read at all; it counts for the decision asked first."""
    action: Action | None
    """None: unreadable, `error` says why."""
    declaration: Declaration | None = None
    error: str = ""
    raw: str = ""
    """The answer as text for the evidence, cut at 200 characters."""
    note: str = ""
    """Words to the captain, of an adviser; nobody else's are read."""


class Player(Protocol):
    """A connection to one bot. Every method raises `PlayerError` for the bot's faults."""

    async def connect(self) -> BotInfo:
        """Connect and read the bot's info, within the connect limit of the clock."""
        ...

    async def open(self) -> None:
        """Open, or after a break reopen, the stream of decisions."""
        ...

    async def send(self, decisions: Sequence[Decision]) -> None:
        """Send all decisions that wait for this bot now, in one batch or as many as limits ask."""
        ...

    async def receive(self) -> Sequence[Answer]:
        """Wait for the next message of the bot and return the answers in it."""
        ...

    async def close(self) -> None:
        """Release everything; never raises for the bot's faults."""
        ...
