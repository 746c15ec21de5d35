"""What the pages say in words: rules, actions, endings, causes, numbers and times."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from arena.engine.actions import Action, Kind
from arena.engine.cards import RANK, RANKS, SUIT, Card
from arena.engine.result import Ending
from arena.engine.rules import UPCARD, Rules
from arena.store.leases import WORKER_LOST

_SUIT_SIGNS: Final = "♣♦♥♠"
_RANK_WORDS: Final = {"T": "10"}
_SUIT_WORDS: Final = ("clubs", "diamonds", "hearts", "spades")
_RANK_NAMES: Final = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}

ENDINGS: Final[dict[Ending, str]] = {
    Ending.KNOCK: "Knock",
    Ending.GIN: "Gin",
    Ending.BIG_GIN: "Big gin",
    Ending.UNDERCUT: "Undercut",
    Ending.TIE: "Tie",
    Ending.DEAD: "Dead round",
}
"""How a round can end."""

CAUSES: Final[dict[str, str]] = {
    "ILLEGAL_ACTION": "Played an action that the rules refuse, for the third time in the game.",
    "PROTOCOL_ERROR": "Sent answers that could not be read, or one over the size limit.",
    "TIMEOUT": "Ran out of time.",
    "DISCONNECT": "Lost its connection and did not come back in time.",
    "CRASH": "Ended its stream with an error of its own.",
    "UNREACHABLE": "Could not be reached before its first game: absent, not at fault.",
    "REFUSED": "Declined to play this match; nothing is rated.",
}
"""The causes of forfeits and of unplayed matches (rules R10.6)."""

STATES: Final[dict[str, tuple[str, str]]] = {
    "open": ("Open for entries", ""),
    "running": ("Running", "live"),
    "finished": ("Finished", ""),
    "waiting": ("Waiting", ""),
    "queued": ("Queued", ""),
    "done": ("Played", ""),
    "quarantined": ("Quarantined", "bad"),
    "lapsed": ("Lapsed", "warn"),
}
"""Label and look of each state of a league or match."""


_GOES_ON: Final = "The process that played it was lost; the match goes on."
_VOIDS: Final = re.compile(r"(\d+) voids, the last: (.+)")


def cause_words(cause: str) -> str:
    """Say in a sentence what a cause means; nothing where it is plain words itself."""
    return _GOES_ON if cause == WORKER_LOST else CAUSES.get(cause, "")


def quarantine(cause: str) -> str:
    """Say in a sentence why a match is quarantined, from its cause; faults of bots may follow."""
    own = cause.partition("; ")[0]
    if own == WORKER_LOST:
        return "The process that played it was lost each time it was begun."
    if voids := _VOIDS.fullmatch(own):
        return f"Games of it had to be given up {voids[1]} times; the last time, {voids[2]}."
    return "An error in the arena itself stopped it each time it was begun."


def card_sign(card: Card) -> str:
    """Write a card as people do, ``10♦``."""
    rank = RANKS[RANK[card]]
    return _RANK_WORDS.get(rank, rank) + _SUIT_SIGNS[SUIT[card]]


def card_name(card: Card) -> str:
    """Name a card for a screen reader, ``10 of diamonds``."""
    rank = RANKS[RANK[card]]
    return f"{_RANK_NAMES.get(rank, rank)} of {_SUIT_WORDS[SUIT[card]]}"


def describe_action(action: Action, *, drawn: Card | None, upcard: Card | None) -> str:
    """Say in words what a seat did, to be read after its name.

    Args:
        action: what it did.
        drawn: the card that a draw from the stock brought.
        upcard: the top of the discard pile before the action.
    """
    top = "" if upcard is None else f" the {card_sign(upcard)}"
    match action.kind:
        case Kind.PASS:
            return f"passes on{top}"
        case Kind.TAKE:
            return f"takes{top} from the pile"
        case Kind.STOCK:
            return f"draws the {card_sign(drawn)} from the stock" if drawn is not None else "draws"
        case Kind.DISCARD:
            return f"discards the {card_sign(action.card)}"
        case Kind.KNOCK:
            return f"knocks, discarding the {card_sign(action.card)}"
        case Kind.BIG_GIN:
            return "shows big gin: all eleven cards melded"
        case Kind.SHOW:
            return "shows melds and lays off"


def describe_rules(rules: Rules) -> list[str]:
    """Say a rule set in plain sentences, the most telling first."""
    return [
        _knocking(rules),
        _gin(rules),
        _undercut(rules),
        f"First to {rules.target} points wins the game"
        + (", by the total after bonuses." if rules.winner_by == "total" else "."),
        *_bonuses(rules),
        *_end_of_stock(rules),
        _dealer(rules),
        *_returning(rules),
    ]


def _knocking(rules: Rules) -> str:
    if rules.knock_limit == UPCARD:
        ace = "an ace means gin only" if rules.oklahoma_ace == "gin" else "an ace means 1"
        double = "; a spade doubles the round" if rules.spade_double else ""
        return f"The first upcard sets the knock limit ({ace}{double})."
    if rules.knock_limit == 0:
        return "No knocking: only gin ends a round."
    return f"A seat may knock with {rules.knock_limit} points of deadwood or fewer."


def _gin(rules: Rules) -> str:
    big = f", big gin {rules.big_gin_bonus}" if rules.big_gin_bonus else "; big gin is not played"
    layoff = "allowed" if rules.layoff_on_gin else "not allowed"
    return f"Gin scores {rules.gin_bonus} more{big}. Laying off against gin is {layoff}."


def _undercut(rules: Rules) -> str:
    tie = "Equal deadwood is an undercut" if rules.undercut_on_tie else "Equal deadwood is a tie"
    return f"An undercut scores {rules.undercut_bonus} more. {tie}."


def _bonuses(rules: Rules) -> list[str]:
    shutout = {
        "none": "",
        "plus_100": " A shutout adds 100.",
        "double_game": " A shutout doubles the game bonus.",
        "double_total": " A shutout doubles the winner's total.",
    }[rules.shutout]
    if not (rules.game_bonus or rules.box_bonus):
        return [f"No bonuses for the game or its rounds.{shutout}"]
    when = "at once" if rules.box_when == "at_once" else "at the end"
    return [
        f"The winner of the game gets {rules.game_bonus}, each round won {rules.box_bonus} {when}."
        + shutout
    ]


def _end_of_stock(rules: Rules) -> list[str]:
    dead = "With two cards left in the stock the round is dead"
    if rules.stock_end == "last_discard":
        return [f"{dead}, unless the other seat can knock with the last discard."]
    return [f"{dead} and nobody scores."]


def _dealer(rules: Rules) -> str:
    return {
        "winner": "The winner of a round deals the next.",
        "loser": "The loser of a round deals the next.",
        "alternate": "The deal alternates.",
        "box": "The player in the box deals.",
    }[rules.next_dealer]


def _returning(rules: Rules) -> list[str]:
    if rules.return_taken_card:
        return ["A card taken from the pile may go back in the same turn."]
    return ["A card taken from the pile may not go back in the same turn."]


def describe_clock(values: Mapping[str, Any]) -> str:
    """Say a time control in a phrase, ``fast: 10 s a game + 20 ms a decision``."""
    bank = int(values["bank_us"]) / 1_000_000
    increment = int(values["increment_us"]) / 1_000
    return f"{values['name']}: {bank:g} s a game + {increment:g} ms a decision"


def signed(value: float, digits: int = 1) -> str:
    """Write a number with its sign, ``+3.2``; the minus is the true one."""
    text = f"{abs(value):.{digits}f}"
    if float(text) == 0:
        return text
    return ("+" if value > 0 else "\u2212") + text


def count(value: int) -> str:
    """Write a whole number with narrow spaces between thousands."""
    return f"{value:,}".replace(",", "\u202f")


def percent(part: float, whole: float) -> str:
    """Write a share as a whole percentage; a dash of nothing."""
    return f"{100 * part / whole:.0f} %" if whole else "\u2013"


def duration(microseconds: float) -> str:
    """Write a length of time in the unit that suits it."""
    seconds = microseconds / 1_000_000
    if seconds < 1:
        return f"{microseconds / 1_000:.1f} ms"
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60:02d} min"


def moment(microseconds: int) -> datetime:
    """Return a stored time, microseconds UTC, as a datetime."""
    return datetime.fromtimestamp(microseconds / 1_000_000, UTC)


def clock_time(microseconds: int) -> str:
    """Write a stored time in UTC, to the minute; the page shows it in the reader's own zone."""
    return moment(microseconds).strftime("%Y-%m-%d %H:%M UTC")
