"""The ratings of a bundle, computed again from its records."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from arena.bundle.archive import RECORD, BundleError, match_part
from arena.bundle.league import BundleEntry, BundleLeague, BundleRatings, json_figures
from arena.bundle.reading import Bundle, MatchParts
from arena.bundle.terms import Terms
from arena.notation.chain import RecordError
from arena.notation.files import read_record
from arena.notation.record import GameRecord
from arena.ratings.elo import ANCHOR_BOT
from arena.ratings.intervals import GameOutcome
from arena.ratings.standings import LeagueRatings, RatedGame, rate_league

_SLIGHT: Final = 0.005
"""Elo or points; ratings are equal across machines when rounded to 0.01."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure that is not the one published."""

    what: str
    published: object
    now: object

    @property
    def is_slight(self) -> bool:
        """Whether both are numbers that differ by less than another machine may make them."""
        old, new = self.published, self.now
        return isinstance(old, float) and isinstance(new, float) and abs(old - new) < _SLIGHT

    def __str__(self) -> str:
        return f"{self.what}: published {self.published!r}, now {self.now!r}"


@dataclass(frozen=True, slots=True)
class Rerating:
    """The ratings of a bundle as published, and as its records give them here."""

    league: BundleLeague
    published: BundleRatings
    again: BundleRatings

    @property
    def differences(self) -> list["Difference"]:
        """What differs, by a bit or more; figures that were not published then are left out."""
        pairs = [("games", self.published.games, self.again.games)]
        found = [Difference(*pair) for pair in pairs if pair[1] != pair[2]]
        if self.published.flags != self.again.flags:
            found.append(Difference("notes", self.published.flags, self.again.flags))
        old, new = _by_entry(self.published), _by_entry(self.again)
        for entry in sorted(old.keys() | new.keys(), key=str):
            if entry not in old or entry not in new:
                found.append(Difference(self._name(entry), old.get(entry), new.get(entry)))
                continue
            for name, before in old[entry].items():
                now = new[entry].get(name)
                if before != now or type(before) is not type(now):
                    found.append(Difference(f"{self._name(entry)}, {name}", before, now))
        return found

    def _name(self, entry: object) -> str:
        known = {row.number: f"{row.name} {row.version}" for row in self.league.entries}
        return known.get(entry, f"entry {entry}") if isinstance(entry, int) else f"entry {entry}"

    def name_of(self, row: dict[str, object]) -> str:
        """Return name and version of the entry of a row."""
        return self._name(row["entry"])


def _by_entry(ratings: BundleRatings) -> dict[object, dict[str, object]]:
    return {row.get("entry"): row for row in ratings.rows}


def rate_bundle(path: Path) -> Rerating:
    """Rate the entries of a bundle from its records.

    Raises:
        BundleError: it cannot be read, or a part is not what the manifest states.
        OSError: there is no such file.
    """
    bundle = Bundle(path)
    games = [game for parts in bundle.matches() for game in _rated_games(bundle.terms, parts)]
    rated = rate_league(len(bundle.league.entries), games, anchor=anchor_of(bundle.league.entries))
    return Rerating(bundle.league, bundle.ratings, published(rated))


def published(rated: LeagueRatings) -> BundleRatings:
    """Return ratings as a bundle writes them."""
    rows = tuple(json_figures(asdict(row)) for row in rated.figures)
    return BundleRatings(rated.games, rated.flags, rows)


def anchor_of(entries: tuple[BundleEntry, ...]) -> int | None:
    """Return the number of the entry that is the anchor."""
    numbers = [entry.number for entry in entries if (entry.name, entry.version) == ANCHOR_BOT]
    return numbers[0] if numbers else None


def _rated_games(terms: Terms, parts: MatchParts) -> list[RatedGame]:
    facts = parts.facts()
    if facts.state != "done":
        return []
    if problem := terms.table_problem(facts.number, facts.entries):
        raise BundleError(f"{match_part(parts.number, '')}{problem}")
    try:
        record = read_record(parts.text(RECORD))
        return [rated_game(parts.number, facts.entries, game) for game in record.games]
    except (RecordError, ValueError, LookupError) as error:
        raise BundleError(f"{match_part(parts.number, RECORD)}: {error}") from error


def rated_game(match: int, entries: tuple[int, ...], game: GameRecord) -> RatedGame:
    """Return what ratings need of a recorded game."""
    outcomes = [
        GameOutcome.of(
            game.board,
            0.0,
            margins=game.margins(player),
            open_round=game.open_round(player),
        )
        for player in range(len(entries))
    ]
    return RatedGame(
        match=match,
        index=game.index,
        board=game.board,
        entries=entries,
        places=game.places,
        rounds=tuple(outcome.rounds for outcome in outcomes),
        margins=tuple(outcome.margin for outcome in outcomes),
        forfeiter=game.forfeit.player if game.forfeit else None,
    )
