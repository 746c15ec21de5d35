"""What `queries` return: frozen values for pages, the API and the command line.

Ids are public ids, times microseconds UTC. Nothing here reaches hidden cards: records are handed
out by `queries.match_record` alone, which keeps R9.5.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from arena.engine.rules import Rules
from arena.ratings.standings import Figures
from arena.schedule.plan import TimeControl


@dataclass(frozen=True, slots=True)
class BotName:
    """A bot version as it is named beside a result."""

    bot_id: str
    entry_id: str
    name: str
    version: str


@dataclass(frozen=True, slots=True)
class LeagueSummary:
    """A line of the list of leagues."""

    id: str
    name: str
    state: str
    """`open`, `running` or `finished`."""
    preset: str
    """The preset that the rules started from."""
    entries: int
    matches_total: int
    matches_ended: int
    """Matches done, lapsed or quarantined."""
    games_done: int
    rounds_done: int
    created_us: int
    started_us: int | None
    finished_us: int | None


@dataclass(frozen=True, slots=True)
class EntryView:
    """An entry of a league."""

    bot: BotName
    number: int
    """From 0, in order of entry."""
    nonce: str | None
    """The entry's part of the master seed, hexadecimal; None before the league starts (R9.3)."""


@dataclass(frozen=True, slots=True)
class LeagueDetail:
    """All that a league's page says of the league itself."""

    summary: LeagueSummary
    rules: Rules
    format: str
    """`round_robin`, or of three players `triples`."""
    legs: int
    """How often the schedule is played through."""
    balance: str
    """How equal the schedule is, in a sentence; empty while the entries are too few."""
    undecided: int
    """Quarantined matches: an organiser decides whether they are played on (R10.3)."""
    boards: str
    """`private` or `mirrored` (R9.4)."""
    games: int
    """Games of a match."""
    time_control: TimeControl
    commitment: str
    """SHA-256 of the organiser's seed, hexadecimal."""
    organiser_seed: str | None
    """The seed itself, hexadecimal; None until the league has finished and no match of it may be
    played on (R9.3)."""
    entries: tuple[EntryView, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a league is."""

    state: str
    total: int
    """Matches of the whole schedule."""
    by_state: Mapping[str, int]
    """Matches by their state; those not yet written count as waiting."""
    ended: int
    games_done: int
    """Finished games, those of running matches included."""
    rounds_done: int
    """Rounds of those games."""
    started_us: int | None
    finished_us: int | None
    matches_per_second: float
    """Over the last minute, or since the start where that is shorter."""
    seconds_left: float | None
    """At that rate; None while nothing can be said."""


@dataclass(frozen=True, slots=True)
class StandingRow(Figures):
    """One entry's line of the standings, with the name of its bot."""

    bot: BotName


@dataclass(frozen=True, slots=True)
class Standings:
    """The ranking of a league, computed from stored facts."""

    rows: tuple[StandingRow, ...]
    """By rank."""
    games: int
    """Games that it was computed from."""
    flags: tuple[str, ...]
    """What a reader must know: no anchor, weak prior, …; empty where all is plain."""


@dataclass(frozen=True, slots=True)
class CrossCell:
    """One entry against another, from the first one's side.

    In games of three a win is to finish before the other, and rounds are those of the two alone.
    """

    entry_id: str
    opponent_id: str
    games: int
    wins: int
    losses: int
    draws: int
    rounds: int
    points_per_round: float


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A line of a list of matches."""

    id: str
    league_id: str
    league_name: str
    number: int
    """From 0, in the league's schedule."""
    cycle: int
    state: str
    """`waiting`, `queued`, `running`, `done`, `quarantined` or `lapsed`."""
    cause: str
    """Why it waits, lapsed or was quarantined, or the causes of forfeits in it; else empty."""
    players: tuple[BotName, ...]
    wins: tuple[int, ...]
    """Games by player in which it had the first place alone, of those finished."""
    draws: int
    points: tuple[int, ...]
    """Points of all rounds by player."""
    games_done: int
    games_total: int
    rounds: int
    started_us: int | None
    finished_us: int | None


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A page of matches, newest first."""

    rows: tuple[MatchRow, ...]
    next: str | None
    """The `after` of the next page; None at the end."""


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """What a forfeit was ruled on."""

    asked: str
    answered: str
    charged_us: int
    elapsed_us: int


@dataclass(frozen=True, slots=True)
class GameRow:
    """One finished game of a match."""

    index: int
    """From 0, within the match."""
    board: int
    """The board's index in the league (R9.1)."""
    seating: tuple[int, ...]
    """Player by seat."""
    winner: int | None
    """A player; None for a drawn game."""
    places: tuple[int, ...]
    """By player, 1 is best; equal places are shared."""
    points: tuple[int, ...]
    """Points of the rounds by player."""
    totals: tuple[int, ...]
    """Totals after bonuses by player."""
    rounds: int
    forfeiter: int | None
    cause: str
    """Cause of the forfeit, else empty."""
    evidence: EvidenceView | None
    """None without a forfeit, and while R9.5 hides it."""
    voids: tuple[tuple[int, str], ...]
    """Boards on which the game was begun before, each with what voided it."""


@dataclass(frozen=True, slots=True)
class MatchDetail:
    """A match with its finished games."""

    row: MatchRow
    rules: Rules
    boards: str
    time_control: TimeControl
    attempt: int
    games: tuple[GameRow, ...]
    open: bool
    """Whether records, evidence and seeds may be shown (R9.5): the match has ended."""


@dataclass(frozen=True, slots=True)
class VersionView:
    """A version of a bot."""

    version: str
    kind: str
    """`remote` or `hosted`."""
    created_us: int
    leagues: tuple[tuple[str, str], ...]
    """Public id and name of each league that it entered."""
    games: int
    wins: int
    losses: int
    forfeits: int


@dataclass(frozen=True, slots=True)
class BotSummary:
    """A line of the list of bots."""

    id: str
    name: str
    versions: int
    games: int
    wins: int
    losses: int
    forfeits: int


@dataclass(frozen=True, slots=True)
class BotDetail:
    """A bot with its versions, newest first."""

    summary: BotSummary
    created_us: int
    versions: tuple[VersionView, ...]
