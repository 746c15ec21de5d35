"""Reading a page as a browser would, to hold it to what no page may have."""

from html.parser import HTMLParser
from urllib.parse import urlsplit

VOID = {"br", "hr", "img", "input", "link", "meta", "path", "rect", "circle", "polyline", "use"}


class Page(HTMLParser):
    """Collects links, text and everything that a strict policy would refuse."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[str] = []
        self.text: list[str] = []
        self.ids: list[str] = []
        self.faults: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        self.faults += [f"<{tag}> is not closed" for tag in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.faults += [f"{tag} {name}" for name in values if name.startswith("on")]
        self.faults += [f"{tag} style" for name in values if name == "style"]
        self.ids += [values["id"]] if "id" in values else []
        for name in ("href", "src", "action"):
            if name in values:
                self._note_link(tag, values[name])
        if tag == "script" and "src" not in values and values.get("type") != "application/json":
            self.faults.append("inline script")
        if tag in ("style", "iframe", "object", "base", "img"):
            self.faults.append(f"<{tag}>")
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self._open or self._open[-1] != tag:
            self.faults.append(f"</{tag}> closes {self._open[-1:]}")
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def _note_link(self, tag: str, address: str) -> None:
        self.links.append(address)
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            self.faults.append(f"{tag} leads outside: {address}")

    @property
    def words(self) -> str:
        """The text of the page with single spaces."""
        return " ".join(" ".join(self.text).split())
