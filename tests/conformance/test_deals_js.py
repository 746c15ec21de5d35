"""deal/1 twice: the engine and the JavaScript of examples/deals agree, and docs/deals.md with them.

The JavaScript is written from docs/deals.md; it shares nothing with the engine but that page.
"""

import hashlib
import json
import random
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from arena.engine.cards import CARD_TEXT, Card
from arena.engine.deal import Deal, board_seed, deck, draw_for_deal, master_seed

ROOT = Path(__file__).parents[2]
VECTORS = ROOT / "tests" / "golden" / "deals" / "vectors.json"
PAGE = (ROOT / "docs" / "deals.md").read_text(encoding="utf-8")
NODE = shutil.which("node") or shutil.which("nodejs") or ""
needs_node = pytest.mark.skipif(not NODE, reason="Node.js is not installed (.ci/run installs it)")


def text(cards: Iterable[Card]) -> str:
    return "".join([CARD_TEXT[card] for card in cards])


def random_vectors(rng: random.Random, number: int) -> dict[str, Any]:
    """Return vectors of the engine's own, `number` of each kind."""
    seeds = [rng.randbytes(32) for _ in range(number)]
    rounds = [rng.choice((rng.randrange(1, 40), rng.randrange(2**32))) for _ in seeds]
    deals = []
    for seed, round_number in zip(seeds, rounds, strict=True):
        order, deal = deck(seed, round_number), Deal.of(seed, round_number)
        deals.append(
            {
                "seed": seed.hex(),
                "round": round_number,
                "hands": [text(order[:10]), text(order[10:20])],
                "upcard": CARD_TEXT[deal.upcard],
                "stock": [text(stream) for stream in deal.streams],
            }
        )
    organiser, nonces = rng.randbytes(32), [rng.randbytes(32) for _ in range(50)]
    master = master_seed(organiser, nonces)
    boards = [rng.choice((rng.randrange(2**32), rng.randrange(2**64))) for _ in seeds]
    return {
        "decks": [
            {"seed": seed.hex(), "round": number, "cards": text(deck(seed, number))}
            for seed, number in zip(seeds, rounds, strict=True)
        ],
        "draws": [
            {
                "seed": seed.hex(),
                "players": 2 + place % 2,
                "draws": [text(draw) for draw in draw_for_deal(seed, 2 + place % 2)],
            }
            for place, seed in enumerate(seeds)
        ],
        "deals": deals,
        "master": {
            "organiser": organiser.hex(),
            "nonces": [nonce.hex() for nonce in nonces],
            "seed": master.hex(),
            "commitment": hashlib.sha256(organiser).hexdigest(),
        },
        "boards": {str(board): board_seed(master, board).hex() for board in boards},
    }


def check(vectors: Path) -> subprocess.CompletedProcess[str]:
    command = [NODE, str(ROOT / "examples" / "deals" / "check.mjs"), str(vectors)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@needs_node
def test_javascript_deals_the_golden_vectors() -> None:
    done = check(VECTORS)
    assert done.returncode == 0, done.stderr
    golden = json.loads(VECTORS.read_text())
    counts = {"deck": len(golden["decks"]), "draw": len(golden["draws"]), "master": 1}
    assert json.loads(done.stdout) == counts | {"board": len(golden["boards"])}


@needs_node
def test_javascript_deals_as_the_engine_does_on_thousands_of_new_seeds(tmp_path: Path) -> None:
    number = 2000
    seed = random.SystemRandom().randrange(2**32)
    file = tmp_path / "vectors.json"
    file.write_text(json.dumps(random_vectors(random.Random(seed), number)))
    done = check(file)
    assert done.returncode == 0, f"random seed {seed}: {done.stderr}"
    counts = json.loads(done.stdout)
    assert counts == dict.fromkeys(("deck", "draw", "deal", "board"), number) | {
        "master": 1,
        "commitment": 1,
    }


@needs_node
@pytest.mark.parametrize("kind", ["decks", "draws", "deals", "master", "boards"])
def test_a_wrong_vector_is_found(kind: str, tmp_path: Path) -> None:
    vectors = random_vectors(random.Random(7), 3)
    found = vectors[kind]
    if kind == "decks":
        found[1]["cards"] = found[0]["cards"]
    elif kind == "draws":
        found[2]["draws"] = [found[2]["draws"][0][::-1]]
    elif kind == "deals":
        found[2]["stock"].reverse()
    elif kind == "master":
        found["nonces"].reverse()
    else:
        vectors[kind] = {str(int(number) ^ 1): value for number, value in found.items()}
    file = tmp_path / "vectors.json"
    file.write_text(json.dumps(vectors))
    done = check(file)
    assert done.returncode == 1
    assert done.stderr.startswith(f"{kind.removesuffix('s')} of ")


@needs_node
def test_javascript_shows_the_deal_of_the_page() -> None:
    command = re.search(r"^\$ node (examples/deals/show\.mjs .*)$", PAGE, re.MULTILINE)
    assert command
    done = subprocess.run(
        [NODE, *command[1].split()],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
        check=True,
    )
    shown = [line.partition(": ")[2] for line in done.stdout.splitlines()]
    assert shown == re.findall(r"^(?:hand \d|upcard|stock \d) +(.*)$", blocks("laid out")[0], re.M)
    assert len(shown) == 5


def blocks(heading: str) -> list[str]:
    """Return the code block of the page that follows a line with these words."""
    return re.findall(rf"^[^\n]*{heading}[^\n]*:\n\n```text\n(.*?)\n```", PAGE, re.M | re.S)


def test_the_pages_orders_are_golden_vectors() -> None:
    golden = {(d["seed"], d["round"]): d["cards"] for d in json.loads(VECTORS.read_text())["decks"]}
    printed = blocks("Orders of cards")[0].split("\n\n")
    assert len(printed) >= 5
    for block in printed:
        seed, number, first, second = block.splitlines()
        key = (seed.removeprefix("seed "), int(number.removeprefix("round ")))
        assert golden[key] == first + second


def test_the_pages_draws_are_golden_vectors() -> None:
    golden = {
        (d["seed"], d["players"]): d["draws"] for d in json.loads(VECTORS.read_text())["draws"]
    }
    printed = blocks("Draws for deal")[0].split("\n\n")
    assert {block.splitlines()[1] for block in printed} == {"players 2", "players 3"}
    assert max(len(block.splitlines()[2].split()) for block in printed) >= 3
    for block in printed:
        seed, players, draws = block.splitlines()
        key = (seed.removeprefix("seed "), int(players.removeprefix("players ")))
        assert golden[key] == draws.split()


def test_the_pages_master_seed_and_boards_are_golden_vectors() -> None:
    golden = json.loads(VECTORS.read_text())
    printed = [line.split() for line in blocks("Master seed and boards")[0].splitlines()]
    boards = {number: value for kind, number, *rest in printed if rest for value in rest}
    assert boards == golden["boards"]
    values = [(kind, value) for kind, value, *rest in printed if not rest]
    organiser = bytes.fromhex(golden["master"]["organiser"])
    assert values == [
        ("organiser", organiser.hex()),
        *[("nonce", nonce) for nonce in golden["master"]["nonces"]],
        ("commitment", hashlib.sha256(organiser).hexdigest()),
        ("master", golden["master"]["seed"]),
    ]


def test_the_pages_block_and_layout_are_what_it_specifies() -> None:
    seed = bytes(range(32))
    block = hashlib.sha256(b"ginarena/deal/1" + seed + b"\0\0\0\1" + b"\0\0\0\0").hexdigest()
    assert blocks("Block 0") == [block]
    order, deal = deck(seed, 1), Deal.of(seed, 1)
    found = blocks("laid out")[0].replace(" ", "").splitlines()
    assert found == [
        f"hand0{text(order[:10])}",
        f"hand1{text(order[10:20])}",
        f"upcard{CARD_TEXT[deal.upcard]}",
        f"stock0{text(deal.streams[0])}",
        f"stock1{text(deal.streams[1])}",
    ]


@needs_node
@pytest.mark.parametrize(
    "arguments", [[], ["00" * 31, "1"], ["00" * 32, str(2**32)], ["0g" * 32, "1"]]
)
def test_javascript_refuses_what_is_no_seed_or_round(arguments: list[str]) -> None:
    command = [NODE, str(ROOT / "examples" / "deals" / "show.mjs"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "usage" in done.stderr
    assert not done.stdout


@needs_node
def test_javascript_shows_the_draw_for_deal() -> None:
    seed = next(s for n in range(256) if len(draw_for_deal(s := bytes([n]) * 32, 2)) > 1)
    command = [NODE, str(ROOT / "examples" / "deals" / "show.mjs"), seed.hex(), "0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    drawn = [line.partition(": ")[2].replace(" ", "") for line in done.stdout.splitlines()]
    assert drawn == list(map(text, draw_for_deal(seed, 2)))
