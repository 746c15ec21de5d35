"""A league proved from what an arena's pages hand out, over its read-only API."""

import json
import re
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from http.client import HTTPException
from typing import Any, Final
from urllib.parse import quote, urlsplit

from arena.bundle.archive import BundleError
from arena.bundle.proof import MOST, Proof
from arena.bundle.terms import Terms

_PATH: Final = re.compile(r"(.*?)/(?:api/v1/)?leagues/([a-z2-7]{16})/?")
_LARGEST: Final = 1 << 28
"""The largest answer that is read, bytes."""
_PATIENCE: Final = 30.0
"""How long one answer may take to begin, seconds."""
_NOT_FOUND: Final = 404


def is_address(where: str) -> bool:
    """Whether a text is an address of a page, not a path."""
    return where.startswith(("http://", "https://"))


def verify_remote(address: str, *, on_match: Callable[[int, int], None] | None = None) -> Proof:
    """Prove a league from an arena's API: its seeds, every deal, every record.

    Args:
        address: of the league's page or resource, ``http://host:port/leagues/ID``.
        on_match: told the matches done and their number, after each.

    Raises:
        BundleError: the address is none of a league, or the arena does not answer as it should.
    """
    root, league_id = _split(address)
    league = _ask(f"{root}/api/v1/leagues/{league_id}")
    proof = Proof()
    try:
        proof.name, total = str(league["summary"]["name"]), int(league["summary"]["matches_total"])
        terms, entries = _terms(league)
        proof.problems += terms.problems()
        numbers: set[int] = set()
        for done, row in enumerate(_matches(f"{root}/api/v1/leagues/{league_id}/matches"), 1):
            numbers.add(int(row["number"]))
            proof.problems += _prove(root, terms, entries, row, proof)
            if len(proof.problems) >= MOST:
                return proof
            if on_match:
                on_match(done, total)
    except BundleError:
        raise
    except (LookupError, TypeError, ValueError) as error:
        raise BundleError(f"{root} answers in a form that is not known: {error!r}") from error
    if numbers != set(range(terms.schedule.matches)):
        proof.problems.append(f"the arena does not give all {terms.schedule.matches} matches")
    return proof


def _split(address: str) -> tuple[str, str]:
    parts = urlsplit(address)
    found = _PATH.fullmatch(parts.path)
    if parts.scheme not in ("http", "https") or not parts.netloc or found is None:
        raise BundleError(f"{address!r} is no league's address; http://HOST:PORT/leagues/ID is")
    return f"{parts.scheme}://{parts.netloc}{found[1]}", found[2]


def _terms(league: dict[str, Any]) -> tuple[Terms, dict[str, int]]:
    """Return the terms of a league, and the number of each entry by its id."""
    if league["organiser_seed"] is None:
        raise BundleError(
            f"league {league['summary']['name']} has not finished; its seed is public when it has"
        )
    entries = sorted(league["entries"], key=lambda entry: int(entry["number"]))
    players = [(str(entry["bot"]["name"]), str(entry["bot"]["version"])) for entry in entries]
    terms = Terms.read(league, players=players, nonces=[entry["nonce"] for entry in entries])
    return terms, {entry["bot"]["entry_id"]: entry["number"] for entry in entries}


def _matches(resource: str) -> Iterator[dict[str, Any]]:
    following: str | None = None
    seen: set[str | None] = set()
    while following not in seen:
        seen.add(following)
        page = _ask(resource if following is None else f"{resource}?after={quote(following)}")
        yield from page["matches"]
        following = page["next"]
        if following is None:
            return
    raise ValueError("pages of matches that come round again")


def _prove(
    root: str, terms: Terms, entries: dict[str, int], row: dict[str, Any], proof: Proof
) -> list[str]:
    number, match_id = int(row["number"]), quote(str(row["id"]), safe="")
    players = [entries[player["entry_id"]] for player in row["players"]]
    if row["state"] != "done":
        proof.unplayed += 1
        problem = terms.table_problem(number, players)
        return [f"match {number}: {problem}"] if problem else []
    text = _fetch(f"{root}/api/v1/matches/{match_id}/record").decode("latin-1")
    detail = _ask(f"{root}/api/v1/matches/{match_id}")
    voided = any(game["voids"] for game in detail["games"])
    record, problems = terms.prove_match(number, players, text, voided=voided)
    if record is not None:
        proof.count(record)
        told = [game["winner"] for game in detail["games"]]
        if told != [game.winner for game in record.games]:
            problems.append("the page tells other winners than the record")
    return [f"match {number} ({row['id']}): {problem}" for problem in problems]


def _ask(address: str) -> dict[str, Any]:
    content = _fetch(address)
    try:
        values = json.loads(content)
    except (ValueError, RecursionError):
        raise BundleError(f"{address} does not answer in JSON") from None
    if not isinstance(values, dict):
        raise BundleError(f"{address} does not answer with an object")
    return values


def _opener() -> urllib.request.OpenerDirector:
    """Return an opener that knows HTTP only, and follows no redirect."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.HTTPHandler,
        urllib.request.HTTPSHandler,
        urllib.request.HTTPDefaultErrorHandler,
        urllib.request.HTTPErrorProcessor,
    ):
        opener.add_handler(handler())
    return opener


def _fetch(address: str) -> bytes:
    headers = {"Accept": "application/json", "User-Agent": "gin-arena"}
    request = urllib.request.Request(address, headers=headers)  # noqa: S310 - `_split` checked it
    try:
        with _opener().open(request, timeout=_PATIENCE) as answer:
            content: bytes = answer.read(_LARGEST + 1)
    except urllib.error.HTTPError as error:
        why = "is not there" if error.code == _NOT_FOUND else f"answers {error.code}"
        error.close()
        raise BundleError(f"{address} {why}") from None
    except (OSError, HTTPException) as error:
        raise BundleError(f"{address} does not answer: {error}") from error
    if len(content) > _LARGEST:
        raise BundleError(f"{address} answers with more than {_LARGEST} bytes")
    return content
