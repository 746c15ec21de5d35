"""From stored rows to what the referee plays: rules, plans, headers of records."""

from collections.abc import Mapping
from math import factorial
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.engine.rules import Rules
from arena.notation.record import Header
from arena.schedule.plan import BoardMode, MatchPlan, TimeControl
from arena.store.database import StoreError
from arena.store.models import Bot, BotVersion, Entry, League, Match, MatchPlayer


def read_rules(options: Mapping[str, Any]) -> Rules:
    """Return rules from the stored full set of options.

    Raises:
        InvalidRulesError: an unknown option or a bad value.
    """
    return Rules().with_options(options)


def league_of(session: Session, match_key: int) -> League:
    """Return the league of a match."""
    return session.scalars(
        select(League).join(Match, Match.league_id == League.id).where(Match.id == match_key)
    ).one()


def slots_of(rules: Rules, mode: BoardMode, games: int) -> int:
    """Return how many boards `games` games of a match need.

    Raises:
        StoreError: mirrored games that are not whole seating sets, or games of three in which not
            every seating comes up equally often.
    """
    seatings = factorial(rules.players)
    if rules.players == 3 and games % seatings:
        raise StoreError(
            f"{games} games of three players; they come {seatings} to play every seating"
        )
    if mode is BoardMode.PRIVATE:
        return games
    if games % seatings:
        raise StoreError(f"{games} games of mirrored boards; they come {seatings} to a board")
    return games // seatings


def match_plan(league: League, number: int) -> MatchPlan:
    """Return the plan of the match of a number in a league that has started.

    Raises:
        StoreError: the league has not started, so it has no master seed.
    """
    if league.master_seed is None:
        raise StoreError(f"league {league.public_id} has not started; it has no boards yet")
    rules, mode = read_rules(league.rules), BoardMode(league.boards)
    return MatchPlan(
        rules=rules,
        time_control=TimeControl(**league.time_control),
        mode=mode,
        master=league.master_seed,
        slots=slots_of(rules, mode, league.games),
        number=number,
    )


def header_of(league: League, versions: tuple[tuple[str, str], ...]) -> Header:
    """Return the header of the record of a match between some bots (name, version)."""
    return Header(
        rules=read_rules(league.rules),
        players=versions,
        time_control=league.time_control,
        boards=league.boards,
    )


def players_of(session: Session, match_key: int) -> tuple[tuple[Bot, BotVersion], ...]:
    """Return bot and version of each player of a match, by player."""
    rows = session.execute(
        select(Bot, BotVersion)
        .join(BotVersion, BotVersion.bot_id == Bot.id)
        .join(Entry, Entry.bot_version_id == BotVersion.id)
        .join(MatchPlayer, MatchPlayer.entry_id == Entry.id)
        .where(MatchPlayer.match_id == match_key)
        .order_by(MatchPlayer.player)
    )
    return tuple(rows)
