"""A registered bot as the referee's player."""

from collections.abc import Callable, Sequence

from arena.referee.player import Answer, BotInfo, Decision, Player
from arena.referee.verdict import Cause, PlayerError
from arena.rpc.address import resolve
from arena.rpc.client import GrpcPlayer
from arena.rpc.limits import TimeLimits
from arena.schedule.plan import TimeControl
from arena.store.results import Address


class RemotePlayer:
    """The bot at an address; implements `arena.referee.player.Player`.

    Args:
        address: where it was registered; a name is looked up at each connect.
        control: the clock of the match, which limits how long to wait.
        on_message: told of each message of the bot.
    """

    def __init__(
        self, address: Address, control: TimeControl, *, on_message: Callable[[], None]
    ) -> None:
        self._address = address
        self._limits = TimeLimits(
            connect=control.connect_us / 1e6,
            reopen=control.reopen_us / 1e6,
            write=control.silence_us / 1e6,
        )
        self._on_message = on_message
        self._player: Player | None = None

    async def connect(self) -> BotInfo:
        """Look the address up, connect and read the bot's info.

        Raises:
            PlayerError: UNREACHABLE or REFUSED.
        """
        await self.close()
        address = self._address
        try:
            host = await resolve(address.host, address.port)
        except OSError as error:
            detail = f"{address.host} has no address: {error}"
            raise PlayerError(Cause.UNREACHABLE, detail) from None
        try:
            self._player = GrpcPlayer(host, address.port, key=address.key, limits=self._limits)
        except ValueError as error:
            raise PlayerError(Cause.UNREACHABLE, str(error)) from None
        return await self._player.connect()

    async def open(self) -> None:
        """Open the stream of decisions, or a new one in place of a broken one."""
        await self._connected().open()

    async def send(self, decisions: Sequence[Decision]) -> None:
        """Send decisions."""
        await self._connected().send(decisions)

    async def receive(self) -> Sequence[Answer]:
        """Wait for the next message of the bot and return the answers in it."""
        answers = await self._connected().receive()
        self._on_message()
        return answers

    async def close(self) -> None:
        """Release the channel."""
        if self._player is not None:
            await self._player.close()
            self._player = None

    def _connected(self) -> Player:
        if self._player is None:
            raise RuntimeError("connect() comes first")
        return self._player
