"""The ratings of a bundle, computed again from its records."""

from dataclasses import asdict, dataclass
from pathlib import Path

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


@dataclass(frozen=True, slots=True)
class Rerating:
    """The ratings of a bundle as published, and as its records give them here."""

    league: BundleLeague
    published: BundleRatings
    again: BundleRatings

    @property
    def differences(self) -> list[str]:
        """What differs by a bit or more, a line each."""
        lines = []
        for name in ("games", "flags"):
            old, new = getattr(self.published, name), getattr(self.again, name)
            if old != new:
                lines.append(f"{name}: published {old}, now {new}")
        if len(self.published.rows) != len(self.again.rows):
            lines.append(f"rows: published {len(self.published.rows)}, now {len(self.again.rows)}")
        for old_row, new_row in zip(self.published.rows, self.again.rows, strict=False):
            lines += [
                f"rank {new_row['rank']}, {name}: published {old_row.get(name)!r}, now {value!r}"
                for name, value in new_row.items()
                if name not in old_row or old_row[name] != value
            ]
        return lines

    def name_of(self, row: dict[str, object]) -> str:
        """Return name and version of the entry of a row."""
        entry = self.league.entries[int(str(row["entry"]))]
        return f"{entry.name} {entry.version}"


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
