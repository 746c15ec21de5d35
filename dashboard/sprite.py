"""The picture of every card: one SVG sprite of 52 symbols, drawn here and served as a file.

``python -m dashboard.sprite`` writes ``static/cards.svg`` again; a test holds the file to this
code. A symbol is named by the text of its card, ``cards.svg#Td``, on a canvas of 60 x 84. Suits
take their colour from the page (``currentColor``), so that two-colour and four-colour decks,
light and dark, share one file. The big index in the corner stays readable when only the left
edge of a fanned card shows.
"""

from pathlib import Path
from typing import Final

from arena.engine.cards import RANKS, SUITS

PATH: Final = Path(__file__).with_name("static") / "cards.svg"

_SUIT_PATHS: Final = {
    "c": (
        "M0-10a5.2 5.2 0 0 1 4.3 8.1A5.2 5.2 0 1 1 1.2 4.6Q1.4 8 4 10H-4Q-1.4 8-1.2 4.6"
        "A5.2 5.2 0 1 1-4.3-1.9 5.2 5.2 0 0 1 0-10Z"
    ),
    "d": "M0-10.4Q3.4-4.6 7.8 0 3.4 4.6 0 10.4-3.4 4.6-7.8 0-3.4-4.6 0-10.4Z",
    "h": ("M0 10C-2.4 6-9 1.6-9-4.2A4.9 4.9 0 0 1 0-6.4 4.9 4.9 0 0 1 9-4.2C9 1.6 2.4 6 0 10Z"),
    "s": (
        "M0-10.4C2.4-6.4 9-2.4 9 2.6A4.7 4.7 0 0 1 1.3 5.2Q1.6 8.2 4 10.2H-4Q-1.6 8.2-1.3 5.2"
        "A4.7 4.7 0 0 1-9 2.6C-9-2.4-2.4-6.4 0-10.4Z"
    ),
}
_CROWNS: Final = {
    "J": "M20 17Q26 17 31 13.5 36 17 42 17V27Q42 36 31 41 20 36 20 27ZM29.5 18V36H32.5V18Z",
    "Q": "M19 40 16 26 24 32 31 21 38 32 46 26 43 40ZM31 18.6a2 2 0 1 1 .01 0Z",
    "K": "M18 40 16 24 25 32 29.6 24V20H26V17H29.6V13.5H32.4V17H36V20H32.4V24L37 32 46 24 44 40Z",
}
_LEFT, _MIDDLE, _RIGHT = 27.5, 38.0, 48.5
_PIP_ROWS: Final[dict[str, tuple[tuple[float, float], ...]]] = {
    "2": ((_MIDDLE, 18), (_MIDDLE, 66)),
    "3": ((_MIDDLE, 18), (_MIDDLE, 42), (_MIDDLE, 66)),
    "4": ((_LEFT, 18), (_RIGHT, 18), (_LEFT, 66), (_RIGHT, 66)),
    "5": ((_LEFT, 18), (_RIGHT, 18), (_MIDDLE, 42), (_LEFT, 66), (_RIGHT, 66)),
    "6": ((_LEFT, 18), (_RIGHT, 18), (_LEFT, 42), (_RIGHT, 42), (_LEFT, 66), (_RIGHT, 66)),
}
_PIP_ROWS["7"] = (*_PIP_ROWS["6"], (_MIDDLE, 30))
_PIP_ROWS["8"] = (*_PIP_ROWS["7"], (_MIDDLE, 54))
_PIP_ROWS["9"] = (
    *((x, y) for y in (18, 34, 50, 66) for x in (_LEFT, _RIGHT)),
    (_MIDDLE, 42),
)
_PIP_ROWS["T"] = (
    *((x, y) for y in (18, 34, 50, 66) for x in (_LEFT, _RIGHT)),
    (_MIDDLE, 26),
    (_MIDDLE, 58),
)


def draw_sprite() -> str:
    """Return the sprite, the same bytes on every machine."""
    suits = [f'<path id="{suit}" d="{_SUIT_PATHS[suit]}"/>' for suit in SUITS]
    cards = [_symbol(rank, suit) for suit in SUITS for rank in RANKS]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg">\n<defs>\n'
        + "\n".join(suits)
        + "\n</defs>\n"
        + "\n".join(cards)
        + "\n</svg>\n"
    )


def _symbol(rank: str, suit: str) -> str:
    drawn = _index(rank, suit) + _face(rank, suit)
    return f'<symbol id="{rank}{suit}" viewBox="0 0 60 84" fill="currentColor">{drawn}</symbol>'


def _index(rank: str, suit: str) -> str:
    label = "10" if rank == "T" else rank
    squeeze = ' textLength="15" lengthAdjust="spacingAndGlyphs"' if rank == "T" else ""
    return (
        f'<text x="10.5" y="20" text-anchor="middle" font-size="20" font-weight="700"{squeeze}>'
        f"{label}</text>" + _suit(suit, 10.5, 31, 0.72)
    )


def _face(rank: str, suit: str) -> str:
    if rank == "A":
        return _suit(suit, 36, 48, 1.7)
    if rank in _CROWNS:
        return _court(rank, suit)
    return "".join(_suit(suit, x, y, 0.56, upside_down=y > 42) for x, y in _PIP_ROWS[rank])


def _court(rank: str, suit: str) -> str:
    frame = (
        '<rect x="21" y="8" width="33" height="68" rx="4" fill-opacity=".08" '
        'stroke="currentColor" stroke-opacity=".35"/>'
    )
    crown = f'<path transform="translate(6.5 1)" fill-rule="evenodd" d="{_CROWNS[rank]}"/>'
    return frame + crown + _suit(suit, 37.5, 58, 1.15)


def _suit(suit: str, x: float, y: float, scale: float, *, upside_down: bool = False) -> str:
    turn = " rotate(180)" if upside_down else ""
    return f'<use href="#{suit}" transform="translate({x:g} {y:g}){turn} scale({scale:g})"/>'


if __name__ == "__main__":
    PATH.write_text(draw_sprite(), encoding="utf-8")
