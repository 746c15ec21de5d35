import pytest

from arena.notation.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("as it is: café, 汉字", "as it is: café, 汉字"),
        ("boom \x1b[31mred\x07", r"boom \x1b[31mred\x07"),
        ("one\r\ntwo\tthree", r"one\r\ntwo\tthree"),
        ("\u202etxt.exe", r"\u202etxt.exe"),
        ("\x9b2J", r"\x9b2J"),
        ("\udcff", r"\udcff"),
    ],
)
def test_only_what_is_not_printable_is_escaped(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert visible(text).isprintable()
