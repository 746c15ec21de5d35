"""The values of a bundle: the league, its matches, its ratings as published, and their JSON."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from types import UnionType
from typing import Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

from arena.bundle.archive import BundleError

FORMAT: Final = "ginarena-league/1"
DEFAULT_LICENCE: Final = "CC-BY-4.0"
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class BundleEntry:
    """A bot version in the league."""

    number: int
    """From 0, in the order of entry."""
    id: str
    """Public id of the entry."""
    bot: str
    """Public id of the bot, the same for all its versions; empty for the anchor's."""
    name: str
    version: str
    kind: str
    """`remote` or `hosted`."""
    hash: str | None
    """SHA-256 of a hosted bot's code; None of a remote one, whose code nobody here saw."""
    nonce: str
    """Its own part of the master seed, 32 bytes in hexadecimal (R9.3)."""
    refusals: int
    withdrawn_us: int | None
    created_us: int


@dataclass(frozen=True, slots=True)
class BundleLeague:
    """A finished league."""

    id: str
    name: str
    preset: str
    """The preset that the rules started from."""
    rules: dict[str, Any]
    """Every option of R8."""
    schedule: str
    """`round_robin` or `triples`."""
    legs: int
    boards: str
    """`private` or `mirrored` (R9.4)."""
    games: int
    """Games of a match."""
    time_control: dict[str, Any]
    deadline_us: int
    licence: str
    """SPDX identifier of the licence of the data."""
    commitment: str
    """SHA-256 of the organiser's seed, published before the first match (R9.3)."""
    organiser_seed: str
    master_seed: str
    """SHA-256 of the organiser's seed and all nonces (R9.3)."""
    matches: int
    created_us: int
    started_us: int | None
    finished_us: int | None
    entries: tuple[BundleEntry, ...]


@dataclass(frozen=True, slots=True)
class BundleMatch:
    """What is known of a match apart from its record."""

    number: int
    id: str
    cycle: int
    state: str
    """`done`, `lapsed` or `quarantined`; only a match that is done has a record."""
    cause: str
    """Why it lapsed or was quarantined; else empty."""
    entries: tuple[int, ...]
    """Numbers of the entries, by player."""
    attempt: int
    early_ends: int
    started_us: int | None
    finished_us: int | None
    voids: tuple[dict[str, Any], ...]
    """Tries at games that were given up, oldest first: game, board, cause, event, faults."""
    faults: tuple[dict[str, Any], ...]
    """What forfeited games, with evidence: game, player, cause, evidence."""


@dataclass(frozen=True, slots=True)
class BundleRatings:
    """The ratings as they were published."""

    games: int
    flags: tuple[str, ...]
    rows: tuple[dict[str, Any], ...]
    """By rank; the members of `arena.ratings.standings.Figures`, null for no bound."""


def write_league(league: BundleLeague) -> bytes:
    """Write ``league.json``."""
    return _json({"format": FORMAT, **asdict(league)})


def read_league(content: bytes) -> BundleLeague:
    """Read ``league.json``.

    Raises:
        BundleError: it is not in its one form.
    """
    values = _values("league.json", content)
    if values.pop("format", None) != FORMAT:
        raise BundleError(f"league.json: format should be {FORMAT!r}")
    entries = values.get("entries")
    if not isinstance(entries, list):
        raise BundleError("league.json: entries is not a list")
    values["entries"] = tuple(_read(BundleEntry, entry, "league.json") for entry in entries)
    league = _read(BundleLeague, values, "league.json")
    return _in_one_form("league.json", content, league, write_league(league))


def write_match(match: BundleMatch) -> bytes:
    """Write ``match.json``."""
    return _json(asdict(match))


def read_match(name: str, content: bytes) -> BundleMatch:
    """Read the ``match.json`` of that name.

    Raises:
        BundleError: it is not in its one form.
    """
    match = _read(BundleMatch, _values(name, content), name)
    return _in_one_form(name, content, match, write_match(match))


def write_ratings(ratings: BundleRatings) -> bytes:
    """Write ``ratings.json``."""
    return _json(asdict(ratings))


def read_ratings(content: bytes) -> BundleRatings:
    """Read ``ratings.json``.

    Raises:
        BundleError: it is not in its one form.
    """
    ratings = _read(BundleRatings, _values("ratings.json", content), "ratings.json")
    return _in_one_form("ratings.json", content, ratings, write_ratings(ratings))


def json_figures(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return figures as JSON has them: lists, and null where there is no finite number."""
    return {name: _json_figure(value) for name, value in figures.items()}


def _json_figure(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value


def licence_text(league: BundleLeague) -> bytes:
    """Return ``LICENCE.txt``."""
    return (
        f"SPDX-License-Identifier: {league.licence}\n\n"
        f"The data of this league may be used under the licence {league.licence}:\n"
        f"https://spdx.org/licenses/{league.licence}.html\n"
    ).encode()


def citation(league: BundleLeague) -> bytes:
    """Return ``CITATION.cff``, in the Citation File Format 1.2.0; texts are quoted as in JSON."""
    lines = [
        "cff-version: 1.2.0",
        'message: "If you use these data, please cite them as below."',
        "type: dataset",
        f"title: {json.dumps(f'Gin Arena league {league.name}')}",
        "authors:",
        f"  - name: {json.dumps(f'Organiser of the league {league.name}')}",
        f"version: {json.dumps(league.id)}",
        f"license: {json.dumps(league.licence)}",
    ]
    if league.finished_us is not None:
        finished = datetime.fromtimestamp(league.finished_us // 1_000_000, UTC)
        lines.append(f"date-released: {finished:%Y-%m-%d}")
    return ("\n".join(lines) + "\n").encode()


def _json(values: Mapping[str, Any]) -> bytes:
    return (json.dumps(values, indent=1, allow_nan=False) + "\n").encode()


def _values(name: str, content: bytes) -> dict[str, Any]:
    try:
        values = json.loads(content)
    except (ValueError, RecursionError):
        raise BundleError(f"{name}: is not JSON") from None
    if not isinstance(values, dict):
        raise BundleError(f"{name}: is not an object")
    return values


def _read(kind: type[_T], values: object, name: str) -> _T:
    """Return values as a dataclass, whose members they must be, of the right types."""
    members = fields(kind)  # type: ignore[arg-type]
    if not isinstance(values, dict) or list(values) != [member.name for member in members]:
        wanted = ", ".join(member.name for member in members)
        raise BundleError(f"{name}: the members are {wanted}, in this order")
    hints = get_type_hints(kind)
    for member, value in values.items():
        if not _fits(value, hints[member]):
            raise BundleError(f"{name}: {member} is {value!r:.80}")
    return kind(**{name: _frozen(value) for name, value in values.items()})


def _fits(value: object, hint: Any) -> bool:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, one) for one in arguments)
    if origin is tuple:
        return isinstance(value, list | tuple) and all(_fits(one, arguments[0]) for one in value)
    return type(value) is (origin or hint)


def _frozen(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _in_one_form(name: str, content: bytes, value: _T, written: bytes) -> _T:
    if written != content:
        raise BundleError(f"{name}: is not written in its one form")
    return value


def by_number(entries: Sequence[BundleEntry]) -> list[tuple[str, str]]:
    """Return name and version of each entry, in order."""
    return [(entry.name, entry.version) for entry in entries]
