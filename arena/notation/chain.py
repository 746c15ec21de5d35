"""JSON Lines whose every line is linked to all before it.

A line is one JSON object in ASCII without spaces, its members in a fixed order, then the member
``"link"``: the first 16 hex digits of SHA-256 over the link before (empty at the first line) and
the line up to the comma before ``"link"``. Lines end with a line feed.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from arena.engine.errors import InvalidNotationError

_LINK: Final = ',"link":"'
_TAIL: Final = len(_LINK) + len('0123456789abcdef"}')


class RecordError(InvalidNotationError):
    """A record that does not hold; `line` (from 1), `offset` (bytes) and `field` say where."""

    def __init__(self, detail: str, *, line: int, offset: int, field: str = "") -> None:
        where = f"line {line}, byte {offset}" + (f", {field}" if field else "")
        super().__init__(f"{where}: {detail}")
        self.detail = detail
        self.line = line
        """The first line that does not hold, from 1."""
        self.offset = offset
        """Where that line begins, bytes from the start."""
        self.field = field
        """The field of that line, where one can be named; else empty."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line as read: its place, its values, its link."""

    number: int
    """From 1."""
    offset: int
    """Bytes from the start of the text."""
    values: Mapping[str, Any]
    """The members, ``link`` apart."""
    link: str

    def fail(self, detail: str, field: str = "") -> NoReturn:
        """Refuse this line.

        Raises:
            RecordError: always.
        """
        raise RecordError(detail, line=self.number, offset=self.offset, field=field)

    def integer(self, name: str) -> int:
        """Return a member that is a whole number.

        Raises:
            RecordError: it is missing or something else.
        """
        value = self.values.get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            self.fail(f"{value!r} is not a whole number", name)
        return value

    def integers(self, name: str) -> tuple[int, ...]:
        """Return a member that is a list of whole numbers.

        Raises:
            RecordError: it is missing or something else.
        """
        value = self.values.get(name)
        if not isinstance(value, list) or any(type(item) is not int for item in value):
            self.fail(f"{value!r} is not a list of whole numbers", name)
        return tuple(value)

    def text(self, name: str) -> str:
        """Return a member that is a text.

        Raises:
            RecordError: it is missing or something else.
        """
        value = self.values.get(name)
        if not isinstance(value, str):
            self.fail(f"{value!r} is not a text", name)
        return value


def chain(lines: Iterable[Mapping[str, Any]]) -> str:
    """Write lines with their links."""
    return _linked(map(_body, lines))


def relink(text: str) -> str:
    """Give lines written without links (`unlink`) their links back."""
    return _linked(line[:-1] for line in text.split("\n")[:-1])


def mend(text: str) -> str:
    """Return the text with every link written anew, right or wrong as it was."""
    return _linked(line[:-_TAIL] for line in text.split("\n")[:-1])


def unlink(text: str) -> str:
    """Take the links off; `relink` gives the same text again, since links follow from lines.

    Raises:
        RecordError: as `unchain`.
    """
    return "".join([f"{_body(line.values)}}}\n" for line in unchain(text)])


def _linked(bodies: Iterable[str]) -> str:
    written = []
    link = ""
    for body in bodies:
        link = _next_link(link, body)
        written.append(f'{body}{_LINK}{link}"}}\n')
    return "".join(written)


def unchain(text: str) -> list[Line]:
    """Read lines and check form and links of all.

    Raises:
        RecordError: the first line that is cut, not in its one form, or not linked.
    """
    lines: list[Line] = []
    link, offset = "", 0
    for number, raw in enumerate(text.split("\n")[:-1], 1):
        values, link = _read_line(raw, link, number, offset)
        lines.append(Line(number, offset, values, link))
        offset += len(raw) + 1
    if offset != len(text) or not lines:
        raise RecordError("cut: no line feed at the end", line=len(lines) + 1, offset=offset)
    return lines


def _read_line(raw: str, link: str, number: int, offset: int) -> tuple[dict[str, Any], str]:
    body, tail = raw[:-_TAIL], raw[-_TAIL:]
    try:
        values = json.loads(body + "}")
    except (ValueError, RecursionError):
        raise RecordError("not a linked JSON object", line=number, offset=offset) from None
    if not isinstance(values, dict) or _body(values) != body:
        raise RecordError("not written in the one form", line=number, offset=offset)
    expected = _next_link(link, body)
    if tail != f'{_LINK}{expected}"}}':
        raise RecordError(
            "the line and its link disagree", line=number, offset=offset, field="link"
        )
    return values, expected


def _body(values: Mapping[str, Any]) -> str:
    return json.dumps(values, separators=(",", ":"))[:-1]


def _next_link(link: str, body: str) -> str:
    return hashlib.sha256((link + body).encode()).hexdigest()[:16]
