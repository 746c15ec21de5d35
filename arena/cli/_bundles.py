"""What `verify`, `rate` and `league` do with bundles, and how they say it."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.bundle.archive import BundleError
from arena.bundle.proof import MOST, Proof, verify_bundle
from arena.bundle.remote import is_address, verify_remote
from arena.cli import FAILED, OK, CommandError
from arena.notation.visible import visible

if TYPE_CHECKING:
    from arena.bundle.rating import Rerating
    from arena.store.database import Store

_SHOWN: Final = 20
"""Problems that are printed."""


def verify_league(where: str) -> int:
    """Prove a league from an address, an archive or a folder; print what was found."""
    try:
        if is_address(where):
            proof = verify_remote(where, on_match=_tell)
        else:
            proof = verify_bundle(Path(where), on_match=_tell)
    except OSError as error:
        raise CommandError(f"cannot read {where}: {error.strerror}") from error
    return _report(where, proof)


def _tell(done: int, total: int) -> None:
    """Show on a terminal how far it is."""
    if sys.stderr.isatty():
        print(f"\r{done}/{total} matches", end="\n" if done == total else "", file=sys.stderr)


def _report(where: str, proof: Proof) -> int:
    for problem in proof.problems[:_SHOWN]:
        print(f"{where}: {visible(str(problem))}")
    if (more := len(proof.problems) - _SHOWN) > 0:
        least = "at least " if len(proof.problems) >= MOST else ""
        print(f"{where}: and {least}{more} more")
    if not proof.holds:
        return FAILED
    unplayed = f", {proof.unplayed} without a record" if proof.unplayed else ""
    print(
        f"{where}: holds; league {visible(proof.name)}: the seed fits its commitment,"
        f" {proof.deals} deals dealt again and replayed in {proof.games} games of"
        f" {proof.matches} matches{unplayed}"
    )
    return OK


def rate(path: Path) -> int:
    """Rate a bundle again; print the figures, and which differ from those published."""
    from arena.bundle.rating import rate_bundle

    try:
        found = rate_bundle(path)
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror}") from error
    except BundleError as error:
        print(f"{path}: {visible(str(error))}")
        return FAILED
    print(f"{'':>3}  {'bot':24} {'Elo':>22}  {'points/round':>22}  games")
    for row in found.again.rows:
        name = visible(found.name_of(row))
        print(
            f"{row['rank']:>3}  {name:24} {row['elo']!r:>22}  {row['points_per_round']!r:>22}"
            f"  {row['games']}"
        )
    return _report_differences(found)


def _report_differences(found: "Rerating") -> int:
    differences = found.differences
    for difference in differences:
        print(f"differs: {visible(str(difference))}")
    if not differences:
        print(f"all figures of {len(found.again.rows)} entries are those published, to the bit")
    elif all(difference.is_slight for difference in differences):
        print("no figure differs by 0.005 or more; another machine or build may give other bits")
    return OK if all(difference.is_slight for difference in differences) else FAILED


def export_league(store: "Store", league_id: str, path: Path) -> int:
    """Write the bundle of a league; the file appears when it is whole."""
    from arena.bundle.exporting import export_league as export

    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with store.reading() as session, partial.open("wb") as file:
            league = export(session, league_id, file)
        partial.replace(path)
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror}") from error
    finally:
        partial.unlink(missing_ok=True)
    print(f"{path}: league {league.name}, {league.matches} matches, {path.stat().st_size} bytes")
    return OK


def import_league(store: "Store", path: Path) -> int:
    """Take in the league of a bundle and print its id."""
    from arena.bundle.importing import import_league as take_in

    try:
        with store.writing() as session:
            league_id, is_new = take_in(session, path, on_match=_tell)
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror}") from error
    print(league_id if is_new else f"{league_id} is here already, the same; nothing changed")
    return OK
