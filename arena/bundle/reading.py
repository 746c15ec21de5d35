"""One pass over a bundle: the league first, then match by match, then the manifest."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final

from arena.bundle.archive import (
    CITATION,
    LEAGUE,
    LICENCE,
    MANIFEST,
    MATCH,
    RATINGS,
    RECORD,
    TIMES,
    BundleError,
    Part,
    list_part,
    match_part,
    read_manifest,
    read_parts,
    split_part,
    write_manifest,
)
from arena.bundle.league import (
    BundleMatch,
    BundleRatings,
    by_number,
    citation,
    licence_text,
    read_league,
    read_match,
    read_ratings,
)
from arena.bundle.terms import Terms

_HEAD: Final = (LEAGUE, LICENCE, CITATION, RATINGS)
_ID: Final = re.compile(r"[a-z2-7]{16}")
_LICENCE: Final = re.compile(r"[A-Za-z0-9.+-]{1,64}")
_STATES: Final = ("done", "lapsed", "quarantined")
_LONGEST_NAME: Final = 64


@dataclass(frozen=True, slots=True)
class MatchParts:
    """The parts of one match, as bytes."""

    number: int
    parts: dict[str, bytes]

    def facts(self) -> BundleMatch:
        """Return the match apart from its record.

        Raises:
            BundleError: a part is missing, or one too many, or not in its one form.
        """
        name = match_part(self.number, MATCH)
        if MATCH not in self.parts:
            raise BundleError(f"{name}: is missing")
        found = read_match(name, self.parts[MATCH])
        wanted = {MATCH, RECORD, TIMES} if found.state == "done" else {MATCH}
        known = found.state in _STATES and _ID.fullmatch(found.id)
        if not known or found.number != self.number or set(self.parts) != wanted:
            raise BundleError(f"{name}: does not fit the parts beside it")
        return found

    def text(self, name: str) -> str:
        """Return a part as text; a byte that is not ASCII is refused by its reader."""
        return self.parts[name].decode("latin-1")


class Bundle:
    """A bundle that is being read; `matches` is to be read to its end once.

    Args:
        path: an archive, or the folder that it was unpacked to.

    Raises:
        BundleError: it cannot be read, or its league does not hold.
        OSError: there is no such file.
    """

    def __init__(self, path: Path) -> None:
        self._parts = read_parts(path)
        self._listed: list[tuple[str, int, str]] = []
        head = dict(self._next(name) for name in _HEAD)
        self.league = read_league(head[LEAGUE])
        """The league's own values."""
        self.terms = Terms.read(
            {name: getattr(self.league, name) for name in self.league.__slots__},
            players=by_number(list(self.league.entries)),
            nonces=[entry.nonce for entry in self.league.entries],
        )
        """The same, as its deals follow from it."""
        self.ratings: BundleRatings = read_ratings(head[RATINGS])
        """The ratings as published."""
        self._head = head

    def _next(self, name: str) -> Part:
        found, content = next(self._parts, ("", b""))
        if found != name:
            raise BundleError(f"{name}: is missing")
        self._listed.append(list_part(name, content))
        return name, content

    def matches(self) -> Iterator[MatchParts]:
        """Yield the matches in the order of the schedule.

        Raises:
            BundleError: a match is missing, or the manifest does not fit what was read.
        """
        expected = 0
        manifest: bytes | None = None
        for number, parts in groupby(self._parts, key=_number):
            found = dict(parts)
            if number is None:
                manifest = found.get(MANIFEST)
                continue
            self._listed += [list_part(name, content) for name, content in found.items()]
            if number != expected:
                raise BundleError(f"{match_part(expected, MATCH)}: is missing")
            expected += 1
            yield MatchParts(
                number, {name.rpartition("/")[2]: part for name, part in found.items()}
            )
        if expected != self.league.matches:
            raise BundleError(f"{match_part(expected, MATCH)}: is missing")
        self._check_manifest(manifest)

    def _check_manifest(self, content: bytes | None) -> None:
        if content is None:
            raise BundleError(f"{MANIFEST}: is missing")
        claimed = read_manifest(content)
        for name, size, digest in self._listed:
            if claimed.get(name) != (size, digest):
                raise BundleError(f"{name}: its SHA-256 is not the one that the manifest states")
        if content != write_manifest(self._listed):
            raise BundleError(f"{MANIFEST}: is not the manifest of the parts")

    def problems(self) -> Iterator[str]:
        """Yield what does not hold of the league itself."""
        league = self.league
        yield from self.terms.problems()
        if self.terms.master.hex() != league.master_seed:
            yield f"{LEAGUE}: master_seed is not that of the revealed seed and the nonces"
        ids = [league.id, *(entry.id for entry in league.entries)]
        ids += [entry.bot for entry in league.entries if entry.bot]
        if not all(map(_ID.fullmatch, ids)):
            yield f"{LEAGUE}: an id is not 16 characters of lower-case base 32"
        if not _LICENCE.fullmatch(league.licence):
            yield f"{LEAGUE}: licence is no SPDX identifier"
        names = [league.name, *(text for pair in self.terms.players for text in pair)]
        if not all(1 <= len(name) <= _LONGEST_NAME for name in names):
            yield f"{LEAGUE}: a name has not 1 to {_LONGEST_NAME} characters"
        numbers = [entry.number for entry in league.entries]
        if numbers != list(range(len(numbers))):
            yield f"{LEAGUE}: entries are not numbered in order"
        schedule = self.terms.schedule
        if (league.schedule, league.matches) != (schedule.name, schedule.matches):
            yield f"{LEAGUE}: the schedule is {schedule.name} of {schedule.matches} matches"
        for name, content in ((LICENCE, licence_text(league)), (CITATION, citation(league))):
            if self._head[name] != content:
                yield f"{name}: is not what {LEAGUE} gives"


def _number(part: Part) -> int | None:
    found = split_part(part[0])
    return found[0] if found else None
