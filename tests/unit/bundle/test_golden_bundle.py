"""Bundles written by earlier releases hold."""

from pathlib import Path

from arena.bundle.proof import verify_bundle
from arena.bundle.rating import rate_bundle

GOLDEN = Path(__file__).parents[2] / "golden" / "bundles" / "v1" / "league.tar.bz2"


def test_a_bundle_of_the_first_format_holds() -> None:
    proof = verify_bundle(GOLDEN)
    assert (proof.problems, proof.matches, proof.games, proof.unplayed) == ([], 2, 4, 1)


def test_its_ratings_are_those_published() -> None:
    """Across machines, when rounded to 0.01."""
    differences = rate_bundle(GOLDEN).differences
    assert [difference for difference in differences if not difference.is_slight] == []
