"""Write vectors.json from the words of rule R9 alone; imports nothing of the project."""

import hashlib
import hmac
import json
from pathlib import Path

SEEDS = [bytes(32), bytes(range(32)), hashlib.sha256(b"gin arena").digest(), b"\xff" * 32]


def order(seed: bytes, number: int) -> list[str]:
    stream = b""
    for i in range(40):
        block = b"ginarena/deal/1" + seed + number.to_bytes(4, "big") + i.to_bytes(4, "big")
        stream += hashlib.sha256(block).digest()
    taken = iter(stream)
    cards = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]
    for j in range(51, 0, -1):
        b = next(taken)
        while b >= 256 - 256 % (j + 1):
            b = next(taken)
        b %= j + 1
        cards[j], cards[b] = cards[b], cards[j]
    return cards


def draw(seed: bytes, players: int) -> list[list[str]]:
    cards = order(seed, 0)
    draws: list[list[str]] = []
    while not draws or len({card[0] for card in draws[-1]}) < players:
        draws.append([cards.pop(0) for _ in range(players)])
    return draws


def main() -> None:
    master = hashlib.sha256(b"organiser" + b"nonce of entry 1" + b"nonce of entry 2").digest()
    numbers = (0, 1, 65_536, 2**40)
    boards = {
        str(n): hmac.new(master, b"ginarena/board/1" + n.to_bytes(8, "big"), "sha256").hexdigest()
        for n in numbers
    }
    seeds = [*SEEDS, *(hashlib.sha256(bytes([n])).digest() for n in range(12))]
    vectors = {
        "decks": [
            {"seed": seed.hex(), "round": number, "cards": "".join(order(seed, number))}
            for seed in SEEDS
            for number in (0, 1, 2, 3, 255, 256, 4_294_967_295)
        ],
        "draws": [
            {"seed": s.hex(), "players": n, "draws": ["".join(d) for d in draw(s, n)]}
            for s in seeds
            for n in (2, 3)
        ],
        "master": {
            "organiser": b"organiser".hex(),
            "nonces": [b"nonce of entry 1".hex(), b"nonce of entry 2".hex()],
            "seed": master.hex(),
        },
        "boards": boards,
    }
    text = json.dumps(vectors, indent=1) + "\n"
    Path(__file__).with_name("vectors.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
