"""Packing for the store: exact, checked, read for ever."""

import random
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.engine.cards import CARD_TEXT
from arena.engine.errors import InvalidNotationError
from arena.notation.chain import RecordError, chain
from arena.notation.coding import Decoder, encode, fold
from arena.notation.pack import pack, unpack

GOLDEN = Path(__file__).parents[2] / "golden"
RECORDS = sorted((GOLDEN / "records" / "v1").glob("*.jsonl"))
PACKED = sorted((GOLDEN / "packed").glob("*.bin"))
CLASSIC = (GOLDEN / "records" / "v1" / "classic.jsonl").read_text()


def rounds_of(actions: list[str]) -> str:
    return chain([{"round": number, "actions": text} for number, text in enumerate(actions)])


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_records_and_times_come_back_to_the_byte(path: Path) -> None:
    text = path.read_text()
    assert unpack(pack(text)) == text
    assert pack(text) == pack(text)


@pytest.mark.parametrize("path", PACKED, ids=lambda path: path.stem)
def test_what_older_versions_packed_is_read(path: Path) -> None:
    name, version = path.stem.rsplit(".", 1)
    data = path.read_bytes()
    assert data[0] == int(version)
    assert unpack(data) == (GOLDEN / "records" / "v1" / f"{name}.jsonl").read_text()


def test_every_version_has_a_golden_file() -> None:
    assert {path.stem.rsplit(".", 1)[1] for path in PACKED} == {"1", "2"}


def test_actions_of_real_rounds_are_coded_and_not_kept_as_text() -> None:
    coded, plain = pack(CLASSIC), (GOLDEN / "packed" / "classic.1.bin").read_bytes()
    assert len(coded) < len(plain)


@pytest.mark.parametrize("version", [1, 2])
def test_no_changed_byte_gives_another_text(version: int) -> None:
    data = (GOLDEN / "packed" / f"oklahoma.{version}.bin").read_bytes()
    text = (GOLDEN / "records" / "v1" / "oklahoma.jsonl").read_text()
    rng, missed = random.Random(1), 0
    for place in range(0, len(data), 3):
        bad = bytearray(data)
        bad[place] ^= 1 << rng.randrange(8)
        try:
            assert unpack(bytes(bad)) == text, f"byte {place}"
            missed += 1
        except InvalidNotationError:
            continue
    assert missed <= 3, "only padding may differ unseen"


def test_no_cut_gives_another_text() -> None:
    data = pack(CLASSIC)
    for size in range(len(data)):
        with pytest.raises(InvalidNotationError, match="packed text"):
            unpack(data[:size])


def test_an_unknown_version_is_named() -> None:
    with pytest.raises(InvalidNotationError, match=r"begins with b'\\x03'"):
        unpack(b"\x03" + pack(CLASSIC)[1:])


def test_what_is_not_chained_is_not_packed() -> None:
    with pytest.raises(RecordError):
        pack(CLASSIC[:-10])


@pytest.mark.parametrize(
    "actions",
    [
        "",
        "p",
        "pptd2cs",
        "tdKcsd2ck3d",
        "ppsd2csd3csb",
        "ppsd2ctd2dk3c[AcAdAh][]w[/Kc0Qc1]",
        "ppsd2csb[AcAdAh.2c3c4c]w[AcAdAh/2h0]",
        "sd2ctd3ctd2c",
    ],
)
def test_coded_actions_come_back(actions: str) -> None:
    text = rounds_of([actions, actions])
    assert unpack(pack(text)) == text


@pytest.mark.parametrize(
    "actions",
    [
        "x",
        "d2c",
        "sd2csd3csd2c",
        "sd2c[AcAdAh]",
        "sd2ctd3csd2c",
        "w",
        "sk2cww",
        'sk2c["]',
        "~",
        "~[x]",
        "ptd2c ",
        "p" * 1001,
        "\\",
    ],
)
def test_text_that_is_no_actions_is_kept_as_it_is(actions: str) -> None:
    assert encode(actions) is None
    text = rounds_of(["sd2c", actions, "sd3c"])
    assert unpack(pack(text)) == text


@given(st.lists(st.text("ptsdkbw[]~.2cKd", max_size=12), max_size=40))
@example(["sd2ctd3ctd2ctd3cpp"] * 40)
def test_any_texts_come_back(actions: list[str]) -> None:
    text = rounds_of(["", *actions])
    assert unpack(pack(text)) == text


@given(st.randoms(use_true_random=False))
def test_long_rounds_come_back(rng: random.Random) -> None:
    actions = "".join(
        rng.choice("ts") + "d" + card for card in rng.sample(CARD_TEXT, rng.randrange(53))
    )
    coded = encode(actions)
    assert coded is not None
    shares, shown = coded
    assert Decoder(fold([shares])).decode(shown) == actions


@given(st.binary(max_size=60), st.integers(1, 20))
def test_decoding_any_bytes_ends(data: bytes, rounds: int) -> None:
    decoder = Decoder(data)
    try:
        texts = [decoder.decode("") for _ in range(rounds)]
    except InvalidNotationError:
        return
    assert all(len(text) < 1000 for text in texts)
