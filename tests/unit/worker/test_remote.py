"""Registered bots as players: what cannot be dialled is absent, never the arena's error."""

import asyncio

import pytest

from arena.referee.verdict import Cause, PlayerError
from arena.schedule.plan import TimeControl
from arena.store.results import Address
from worker.remote import RemotePlayer


@pytest.mark.parametrize(
    ("host", "error"),
    [
        ("192.0.2.1", "needs a key"),
        ("no-such-host.invalid", "has no address"),
        ("127.0.0.1", "GetBotInfo"),
    ],
)
def test_a_bot_that_cannot_be_dialled_is_unreachable(host: str, error: str) -> None:
    """R10.7."""
    address = Address("a", "1", host, 1, b"")
    player = RemotePlayer(address, TimeControl(connect_us=500_000), on_message=lambda: None)

    async def connect() -> None:
        try:
            await player.connect()
        finally:
            await player.close()

    with pytest.raises(PlayerError, match=error) as caught:
        asyncio.run(connect())
    assert caught.value.cause is Cause.UNREACHABLE
