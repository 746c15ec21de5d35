"""The league of the demo: made once for its bots and games, found again by every later run."""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from sqlalchemy.orm import Session

from arena.embedded.arena import RunningBot
from arena.schedule.plan import BoardMode
from arena.store import queries
from arena.store.database import Store, StoreError
from arena.store.models import BotKind, LeagueState
from arena.store.repository import LeagueSpec, create_league, enter, start_league, submit_bot

LEGS: Final = 4
"""How often every pair meets: matches are short enough for the first to end within seconds."""


def open_league(store: Store, bots: Sequence[RunningBot], *, games: int) -> str:
    """Register bots at their ports of today, make and start their league if it is new.

    Args:
        store: the database.
        bots: what runs now; two or more.
        games: games of a match, even: every board is played from both seats.

    Returns:
        The league's id.

    Raises:
        StoreError: bots that cannot be registered, two of one name and version, or numbers that
            cannot be.
    """
    names = [f"{bot.info.name} {bot.info.version}" for bot in bots]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise StoreError(f"two of the bots are {twice}; give each a name or version of its own")
    spec = LeagueSpec(
        name="Demo league",
        games=games,
        legs=LEGS,
        boards=BoardMode.MIRRORED,
        slug=_slug(bots, games),
    )
    with store.writing() as session:
        versions = [_register(session, bot) for bot in bots]
        league_id = create_league(session, spec)
        league = queries.league(session, league_id)
        if league and league.summary.state == LeagueState.OPEN:
            for version in versions:
                enter(session, league_id, version_id=version)
            start_league(session, league_id)
    return league_id


def _register(session: Session, bot: RunningBot) -> str:
    return submit_bot(
        session,
        bot.info.name,
        version=bot.info.version,
        host="127.0.0.1",
        port=bot.port,
        kind=BotKind.HOSTED,
        info=asdict(bot.info),
    )


def _slug(bots: Sequence[RunningBot], games: int) -> str:
    """Return the name by which the store finds the league of these bots again."""
    what = repr(([(bot.info.name, bot.info.version) for bot in bots], games, LEGS))
    return "demo-" + hashlib.sha256(what.encode()).hexdigest()[:16]
