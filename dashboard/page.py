"""What the blueprints share: the store of the app, keys of lists, filters of the templates."""

import hashlib
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

from flask import Flask, abort, current_app, request, url_for
from sqlalchemy.orm import Session

from arena.engine.cards import parse_card
from arena.store.database import Store
from arena.store.views import CrossCell, Progress, StandingRow
from dashboard import words

T = TypeVar("T")
STORE: Final = "gin-arena-store"
_STATIC: Final = Path(__file__).with_name("static")
_ID_LENGTH: Final = 16


@contextmanager
def reading() -> Iterator[Session]:
    """Open a session on one snapshot of the app's store."""
    store: Store = current_app.extensions[STORE]
    with store.reading() as session:
        yield session


def found(value: T | None, what: str) -> T:
    """Return a value, or answer 404 where there is none."""
    if value is None:
        abort(404, f"There is no {what} of that name. It may have been mistyped in the address.")
    return value


def after_key() -> str | None:
    """Return the key of the page asked for, None for the first; 404 for what cannot be one."""
    key = request.args.get("after")
    if key is not None and not (len(key) == _ID_LENGTH and key.isalnum() and key.isascii()):
        abort(404, "No such page of this list. Begin again at its first page.")
    return key


def after_number(most: int) -> int:
    """Return the number after which a list of numbered things goes on, 0 without one."""
    text = request.args.get("after", "0")
    if not (text.isdecimal() and len(text) <= 9 and int(text) <= most):
        abort(404, "No such page of this list. Begin again at its first page.")
    return int(text)


def asset(name: str) -> str:
    """Return the address of a static file, new whenever its content is."""
    return url_for("static", filename=name, v=_fingerprint(name))


@cache
def _fingerprint(name: str) -> str:
    return hashlib.sha256((_STATIC / name).read_bytes()).hexdigest()[:10]


def rate_words(progress: Progress) -> str:
    """Say how fast a league goes and how long it takes still."""
    if progress.state == "open":
        return "not started"
    if progress.state == "finished":
        return f"{words.count(progress.games_done)} games"
    rate = progress.matches_per_second
    if not rate:
        return f"{progress.by_state.get('running', 0)} playing"
    speed = f"{rate:.1f} a second" if rate >= 1 else f"{60 * rate:.1f} a minute"
    if progress.seconds_left is None:
        return speed
    return f"{speed}, about {words.duration(progress.seconds_left * 1_000_000)} left"


def interval_words(row: StandingRow) -> str:
    """Write the 95 % interval of a rating."""
    if not (math.isfinite(row.elo_low) and math.isfinite(row.elo_high)):
        return "not known yet"
    if row.elo_low == row.elo_high:
        return "fixed"
    return f"{row.elo_low:.0f} to {row.elo_high:.0f}"


def shade(cell: CrossCell) -> str:
    """Return the class that colours a cell of the cross-table, empty around even."""
    lead = (cell.wins + cell.draws / 2) / cell.games - 0.5
    depth = sum(abs(lead) >= bound for bound in (0.05, 0.15, 0.3))
    return f"{'win' if lead > 0 else 'lose'}-{depth}" if depth else ""


def bar_words(value: float) -> str:
    """Write half an interval; a question mark where it cannot be said."""
    return f"{value:.2f}" if math.isfinite(value) else "?"


def _split_cards(text: str) -> list[str]:
    return [text[i : i + 2] for i in range(0, len(text), 2)]


_FILTERS: Final[dict[str, Callable[..., Any]]] = {
    "bar": bar_words,
    "card_name": lambda text: words.card_name(parse_card(text)),
    "cards": _split_cards,
    "cause_words": words.cause_words,
    "clock_time": words.clock_time,
    "count": words.count,
    "duration": words.duration,
    "interval_words": interval_words,
    "iso": lambda us: words.moment(us).isoformat(timespec="milliseconds"),
    "option": lambda value: str(value).lower() if isinstance(value, bool) else value,
    "percent_of": words.percent,
    "quarantine_words": words.quarantine,
    "rate_words": rate_words,
    "shade": shade,
    "signed": words.signed,
    "state_words": lambda state: words.STATES.get(state, (state, "")),
}


def set_up_templates(app: Flask) -> None:
    """Give an app's templates their filters."""
    app.jinja_env.filters.update(_FILTERS)
    app.jinja_env.globals["asset"] = asset
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
