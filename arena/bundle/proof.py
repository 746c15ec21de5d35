"""The proof of a bundle: manifest, commitment, master seed, every deal, every record."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from arena.bundle.archive import RECORD, TIMES, BundleError, match_part
from arena.bundle.league import BundleMatch
from arena.bundle.reading import Bundle, MatchParts
from arena.bundle.terms import Terms
from arena.notation.chain import RecordError
from arena.notation.record import Record
from arena.notation.times import read_times

MOST: Final = 100
"""Problems after which a proof stops looking."""


@dataclass(slots=True)
class Proof:
    """What was proved, and what does not hold."""

    name: str = ""
    """The league's name."""
    matches: int = 0
    games: int = 0
    deals: int = 0
    """Rounds dealt anew and replayed."""
    unplayed: int = 0
    """Matches without a record: lapsed or quarantined."""
    problems: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether nothing was found."""
        return not self.problems

    def count(self, record: Record) -> None:
        """Count a match that was replayed."""
        self.matches += 1
        self.games += len(record.games)
        self.deals += sum(len(game.rounds) for game in record.games)


def verify_bundle(path: Path, *, on_match: Callable[[int, int], None] | None = None) -> Proof:
    """Prove a bundle.

    Args:
        path: an archive or an unpacked folder.
        on_match: told the matches done and their number, after each.

    Raises:
        OSError: there is no such file.
    """
    proof = Proof()
    try:
        bundle = Bundle(path)
        proof.name = bundle.league.name
        proof.problems += bundle.problems()
        for parts in bundle.matches():
            proof.problems += _prove(bundle.terms, parts, proof)
            if len(proof.problems) >= MOST:
                return proof
            if on_match:
                on_match(parts.number + 1, bundle.league.matches)
    except BundleError as error:
        proof.problems.append(str(error))
    return proof


def _prove(terms: Terms, parts: MatchParts, proof: Proof) -> list[str]:
    try:
        facts = parts.facts()
    except BundleError as error:
        return [str(error)]
    if facts.state != "done":
        proof.unplayed += 1
        return _prove_table(terms, facts)
    text = parts.text(RECORD)
    record, problems = terms.prove_match(
        facts.number, facts.entries, text, voided=bool(facts.voids)
    )
    if record is not None:
        proof.count(record)
        problems += _prove_times(parts, text, record)
        problems += _prove_faults(facts, record)
    return [f"{match_part(parts.number, '')}{problem}" for problem in problems]


def _prove_table(terms: Terms, facts: BundleMatch) -> list[str]:
    problem = terms.table_problem(facts.number, facts.entries)
    return [f"{match_part(facts.number, '')}{problem}"] if problem else []


def _prove_times(parts: MatchParts, text: str, record: Record) -> list[str]:
    try:
        read_times(parts.text(TIMES), text, record)
    except RecordError as error:
        return [f"{TIMES}, {error}"]
    return []


def _prove_faults(facts: BundleMatch, record: Record) -> list[str]:
    """Check that every fault is that of a forfeit in the record."""
    forfeits = {
        (game.index, game.forfeit.player, game.forfeit.cause)
        for game in record.games
        if game.forfeit
    }
    return [
        f"match.json: game {fault.get('game')} was not forfeited so"
        for fault in facts.faults
        if (fault.get("game"), fault.get("player"), fault.get("cause")) not in forfeits
    ]
