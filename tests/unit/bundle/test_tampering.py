"""Whatever is changed in a bundle is found and named."""

import bz2
import io
import json
import re
import shutil
import tarfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.bundle.archive import (
    MANIFEST,
    BundleError,
    list_part,
    read_parts,
    with_manifest,
    write_archive,
    write_manifest,
)
from arena.bundle.importing import import_league
from arena.bundle.proof import verify_bundle
from arena.bundle.rating import rate_bundle
from arena.notation.chain import mend
from arena.store import queries
from arena.store.database import Store

FIRST = "matches/0000000/"


@pytest.fixture(scope="module")
def unpacked(bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `tar xf` makes of the bundle; every change is taken back."""
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(bundle) as tar:
        for member in tar:
            part = tar.extractfile(member)
            assert part is not None
            path = folder / member.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(part.read())
    return folder / "ginarena-league"


def _write(path: Path, parts: dict[str, bytes]) -> Path:
    """Write an archive whose manifest fits its parts, as a forger would."""
    with path.open("wb") as file:
        write_archive(file, sorted(parts.items(), key=lambda part: _place(part[0])))
    return path


def _place(name: str) -> tuple[int, str]:
    head = ["league.json", "LICENCE.txt", "CITATION.cff", "ratings.json"]
    return (head.index(name), "") if name in head else (len(head), name)


@pytest.fixture
def parts(bundle: Path) -> dict[str, bytes]:
    """The parts of the bundle, the manifest apart, to be changed."""
    return {name: content for name, content in read_parts(bundle) if name != MANIFEST}


def test_an_unpacked_folder_holds_too(unpacked: Path) -> None:
    assert verify_bundle(unpacked).problems == []
    assert rate_bundle(unpacked).differences == []


@settings(max_examples=60)
@given(data=st.data())
def test_any_changed_byte_of_any_part_is_found(unpacked: Path, data: st.DataObject) -> None:
    names = sorted(path for path in unpacked.rglob("*") if path.is_file())
    path = data.draw(st.sampled_from(names), label="part")
    right = path.read_bytes()
    place = data.draw(st.integers(0, len(right) - 1), label="byte")
    changed = bytearray(right)
    changed[place] ^= data.draw(st.integers(1, 255), label="change")
    path.write_bytes(changed)
    try:
        problems = verify_bundle(unpacked).problems
    finally:
        path.write_bytes(right)
    assert problems
    if path.name not in ("league.json", MANIFEST):
        assert any(path.name in problem for problem in problems), problems


@settings(max_examples=60)
@given(data=st.data())
def test_any_changed_byte_of_the_archive_is_found(bundle: Path, data: st.DataObject) -> None:
    changed = bytearray(bundle.read_bytes())
    place = data.draw(st.integers(0, len(changed) - 1), label="byte")
    changed[place] ^= data.draw(st.integers(1, 255), label="change")
    path = bundle.with_name("changed")
    path.write_bytes(changed)
    assert verify_bundle(path).problems


def test_what_tar_does_not_read_is_found_too(bundle: Path, tmp_path: Path) -> None:
    """Another time of a member, a cut end, something appended: the parts are all the same."""
    plain = bz2.decompress(bundle.read_bytes())
    other_time = plain.replace(b"00000000000\0", b"00000000001\0", 1)
    for number, data in enumerate((bz2.compress(other_time), bz2.compress(plain + bytes(512)))):
        path = tmp_path / str(number)
        path.write_bytes(data)
        assert verify_bundle(path).problems
    cut = tmp_path / "cut"
    cut.write_bytes(bundle.read_bytes()[:-100])
    assert "cannot be read" in verify_bundle(cut).problems[0]


@pytest.mark.parametrize("name", ["league.json", "LICENCE.txt", MANIFEST, f"{FIRST}times.jsonl"])
def test_a_missing_part_is_named(unpacked: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(unpacked, folder)
    (folder / name).unlink()
    told = FIRST if name.startswith(FIRST) else name
    assert any(told in problem for problem in verify_bundle(folder).problems)


def test_a_stray_part_is_named(unpacked: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(unpacked, folder)
    (folder / "notes.txt").write_text("mine")
    assert verify_bundle(folder).problems == ["'notes.txt' is no part of a bundle"]


def test_members_that_leave_the_folder_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "evil"
    for name in ("../league.json", "/league.json", "ginarena-league/../x"):
        with bz2.open(path, "wb") as file, tarfile.open(fileobj=file, mode="w|") as tar:
            tar.addfile(tarfile.TarInfo(name), io.BytesIO())
        assert "no part of a bundle" in verify_bundle(path).problems[0]


def _forge(parts: dict[str, bytes], name: str, old: str, new: str) -> None:
    """Replace a pattern of a part once, and mend the links."""
    text = parts[name].decode()
    forged = re.sub(old, new, text, count=1)
    assert forged != text
    parts[name] = (mend(forged) if name.endswith(".jsonl") else forged).encode()


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("league.json", r'"organiser_seed": "00', '"organiser_seed": "01', "commitment: "),
        ("league.json", r'"nonce": "00', '"nonce": "01', "master_seed is not that"),
        ("league.json", r'"master_seed": "..', '"master_seed": "', "master_seed is not that"),
        ("league.json", r'"gin_bonus": 20', '"gin_bonus": 25', "header is not that of the league"),
        ("league.json", r'"legs": 1', '"legs": 2', "the schedule is round_robin of 6 matches"),
        ("league.json", r'"name": "greedy"', '"name": "Greedy"', "header is not that"),
        (f"{FIRST}match.json", r'"state": "done"', '"state": "lapsed"', f"{FIRST}match.json"),
        (f"{FIRST}match.json", r'"cause": "TIMEOUT"', '"cause": "CRASH"', "not forfeited so"),
        (f"{FIRST}record.jsonl", r'"seed":"..', '"seed":"ab', "game 0: its deals come from seed"),
        (f"{FIRST}record.jsonl", r'"board":\d+', '"board":70000', "is played on board 70000"),
        (f"{FIRST}times.jsonl", r'"ticks":\[\[1,', '"ticks":[[', "times.jsonl, line 2"),
    ],
)
def test_a_forger_who_mends_links_and_manifest_is_found(
    parts: dict[str, bytes], tmp_path: Path, name: str, old: str, new: str, told: str
) -> None:
    _forge(parts, name, old, new)
    problems = verify_bundle(_write(tmp_path / "forged", parts)).problems
    assert any(told in problem for problem in problems), problems


def test_a_swapped_match_is_found(parts: dict[str, bytes], tmp_path: Path) -> None:
    for part in ("record.jsonl", "times.jsonl"):
        first, second = f"{FIRST}{part}", f"matches/0000001/{part}"
        parts[first], parts[second] = parts[second], parts[first]
    problems = verify_bundle(_write(tmp_path / "swapped", parts)).problems
    assert any(problem.startswith(FIRST) for problem in problems)
    assert any(problem.startswith("matches/0000001/") for problem in problems)


def _edit_ratings(parts: dict[str, bytes], change: Any) -> None:
    values = json.loads(parts["ratings.json"])
    change(values)
    parts["ratings.json"] = (json.dumps(values, indent=1) + "\n").encode()


def test_rating_again_names_what_differs(parts: dict[str, bytes], tmp_path: Path) -> None:
    published = json.loads(parts["ratings.json"])["rows"][0]["elo"]
    _edit_ratings(parts, lambda values: values["rows"][0].update(elo=published + 1))
    (difference,) = rate_bundle(_write(tmp_path / "forged", parts)).differences
    assert difference.what.endswith(", elo")
    assert (difference.published, difference.now) == (published + 1, published)
    assert not difference.is_slight


def test_an_entry_that_was_not_published_is_named(parts: dict[str, bytes], tmp_path: Path) -> None:
    _edit_ratings(parts, lambda values: values["rows"].pop())
    (difference,) = rate_bundle(_write(tmp_path / "forged", parts)).differences
    assert difference.published is None
    assert not difference.is_slight


def test_other_bits_of_another_machine_are_slight(parts: dict[str, bytes], tmp_path: Path) -> None:
    published = json.loads(parts["ratings.json"])["rows"][0]["elo"]
    _edit_ratings(parts, lambda values: values["rows"][0].update(elo=published + 1e-9))
    (difference,) = rate_bundle(_write(tmp_path / "other", parts)).differences
    assert difference.is_slight


def test_a_bundle_that_does_not_hold_is_not_imported(
    store: Store, parts: dict[str, bytes], tmp_path: Path
) -> None:
    _forge(parts, "league.json", r'"nonce": "00', '"nonce": "01')
    path = _write(tmp_path / "forged", parts)
    with pytest.raises(BundleError, match="does not hold"), store.writing() as session:
        import_league(session, path)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (f"{FIRST}match.json", r'"event": 1', '"events": 1'),
        (f"{FIRST}match.json", r'"elapsed_us"', '"elapsed"'),
        (f"{FIRST}match.json", r'"attempt": \d+', '"attempt": -1'),
    ],
)
def test_values_that_cannot_be_kept_change_nothing(
    store: Store, parts: dict[str, bytes], tmp_path: Path, name: str, old: str, new: str
) -> None:
    _forge(parts, name, old, new)
    path = _write(tmp_path / "forged", parts)
    with pytest.raises(BundleError, match="cannot be kept"), store.writing() as session:
        import_league(session, path)
    with store.reading() as session:
        assert queries.leagues(session) == ()
        assert queries.bots(session) == ()


def test_the_manifest_lists_every_part(parts: dict[str, bytes]) -> None:
    *_, (name, manifest) = with_manifest(parts.items())
    assert name == MANIFEST
    assert manifest == write_manifest(list_part(*part) for part in parts.items())
    assert [row[0] for row in json.loads(manifest)["parts"]] == list(parts)
