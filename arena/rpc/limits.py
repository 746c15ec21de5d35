"""The limits of the wire, in one place."""

from dataclasses import dataclass
from typing import Final

MAX_DECISIONS: Final = 128
"""Decisions in one message; beyond it a larger batch gains little (measured)."""
MAX_MESSAGE: Final = 256 * 1024
"""Bytes of one message of decisions, checked before it is sent."""
MAX_SENT: Final = 1024 * 1024
"""Bytes that the channel itself lets out: a second line behind `MAX_MESSAGE`."""
MAX_RECEIVED: Final = 64 * 1024
"""Bytes of one message of a bot; more is a PROTOCOL_ERROR (R10.6)."""
MAX_ANSWERS: Final = 1024
"""Answers in one message."""
MAX_TEXT: Final = 200
"""Characters kept of any text that a bot chose, and of a refusal."""
MAX_NAME: Final = 64
"""Characters of a bot's name and of its version."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """How long the client waits for a bot, in seconds (R10.5, R10.2)."""

    connect: float = 5.0
    """For connection and `GetBotInfo` together."""
    reopen: float = 10.0
    """For the connection behind a stream that is opened again."""
    write: float = 15.0
    """For the bot to make room for a message: the silence limit."""
    stream: float = 24 * 3600.0
    """For a whole stream: longer than any match, so that no stream is without a deadline."""
