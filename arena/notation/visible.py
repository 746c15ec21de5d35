"""Text of strangers, made safe to show."""


def visible(text: str) -> str:
    """Return the text with every character that is not printable written as its escape.

    What bots and files say reaches terminals, logs and stored evidence: a control character in it
    could move the cursor, recolour or forge a line, a mark of direction reorder one.
    """
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")
        for letter in text
    )
