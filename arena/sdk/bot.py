"""The base class of bots: one method turns an observation into an action."""

from collections.abc import Sequence
from typing import ClassVar

from arena.engine.actions import SHOW, Action, Declaration
from arena.engine.cards import Card, CardSet
from arena.engine.rules import PRESETS
from arena.engine.view import Observation
from arena.referee.player import BotInfo


class Bot:
    """A gin rummy bot. Subclass it and write `act`; all else is optional.

    An observation carries all that the seat knows, so a bot needs no memory. A bot that keeps none
    may leave `max_tables` as it is; one that remembers things between calls sets it to 1, or keeps
    them by table.
    """

    name: ClassVar[str] = ""
    """The name shown in standings; empty: that of the class, in lower case."""
    version: ClassVar[str] = "1"
    """The version; a new one is a new entry with ratings of its own."""
    max_tables: ClassVar[int] = 128
    """The most tables at once; decisions that wait together come in one batch."""
    rule_sets: ClassVar[tuple[str, ...]] = ()
    """Names of the presets it plays; empty: all, captain included."""
    advises: ClassVar[bool] = True
    """Whether it advises the captain where it sits out in a game of three (`advise`)."""
    wants_advice: ClassVar[bool] = False
    """Whether it wants advice where it is the captain; it comes as ``observation.advice``."""

    def act(self, observation: Observation) -> Action:
        """Return one of ``observation.legal``."""
        raise NotImplementedError(f"{type(self).__name__} has no act(observation)")

    def act_batch(self, observations: Sequence[Observation]) -> list[Action]:
        """Return an action for each observation, in order; override it to decide many at once."""
        return [self.act(observation) for observation in observations]

    def declare(self, observation: Observation, card: Card | None) -> tuple[CardSet, ...] | None:
        """Return the melds to show, after `act` chose to knock.

        Args:
            observation: what `act` was asked.
            card: the card thrown with the knock; None for big gin.

        Returns:
            The melds as card sets, or None for the referee's choice of least deadwood (R4.1).
        """
        return None

    def lay_off(self, observation: Observation) -> Declaration | None:
        """Return melds and layoffs against the opponent's knock, or None for the optimum (R4.3).

        It is called only for bots that override it.
        """
        return None

    def advise(self, observation: Observation) -> Action | tuple[Action, str]:
        """Return what the captain should do, with words to it if you like.

        It is called where the bot sits out in a game of three (R7.3).

        Args:
            observation: what the captain sees.

        Returns:
            One of ``observation.legal``, alone or with a note of at most 200 printable characters.
        """
        return SHOW if SHOW in observation.legal else self.act_batch([observation])[0]

    def info(self) -> BotInfo:
        """Return what the bot says of itself."""
        return BotInfo(
            name=self.name or type(self).__name__.lower(),
            version=self.version,
            rule_sets=self.rule_sets or tuple(PRESETS),
            max_tables=self.max_tables,
            declares=type(self).lay_off is not Bot.lay_off,
            advises=self.advises,
            wants_advice=self.wants_advice,
        )
