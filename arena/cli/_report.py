"""What `play` shows: progress while it plays, and the result in words or as JSON."""

import json
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Final, Self

from arena.cli import _trio
from arena.cli._screen import number
from arena.engine.rules import PRESETS
from arena.notation.record import GameRecord
from arena.notation.visible import visible
from arena.ratings.intervals import Estimate, GameOutcome, elo_difference, points_per_round
from arena.referee.outcome import Fault, MatchEnd, MatchOutcome
from arena.schedule.plan import MatchPlan

_PATIENCE_S: Final = 2.0
"""How long a command may work in silence, seconds."""
_LISTED: Final = 20
"""Most games that are listed one by one; more are folded to a sign each."""
_FOLD: Final = 50
"""Games on a folded line."""
_PAIR: Final = 2
"""Players of every game but captain."""
_LEGENDS: Final = ("A, B, C the first, = shared", "+ won, - lost, = drawn, by the first")
_FAULTS: Final = 5
"""Most forfeits that are shown with their evidence."""


class GamesProgress:
    """Shows how many games are over, on a terminal, once it takes over two seconds."""

    def __init__(self, total: int, *, shown: bool) -> None:
        self._total = total
        self._shown = shown and sys.stderr.isatty()
        self._begun = time.monotonic()
        self._done = 0
        self._show: Callable[[int], None] | None = None
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def advance(self) -> None:
        """Count a game that is over."""
        self._done += 1
        if self._show is not None:
            self._show(self._done)
        elif self._shown and time.monotonic() - self._begun > _PATIENCE_S:
            self._show = self._bar() or self._line()

    def _bar(self) -> Callable[[int], None] | None:
        try:
            from rich.console import Console
            from rich.progress import Progress
        except ImportError:
            return None
        bar = Progress(console=Console(stderr=True), transient=True)
        task = bar.add_task("games", total=self._total, completed=self._done)
        self._stack.enter_context(bar)
        return lambda done: bar.update(task, completed=done)

    def _line(self) -> Callable[[int], None]:
        self._stack.callback(lambda: print("\r\x1b[K", end="", file=sys.stderr))
        return lambda done: print(f"\r{done}/{self._total} games", end="", file=sys.stderr)


def facts(record: GameRecord) -> GameOutcome:
    """Return a game of two as the ratings want it, from the first player's side."""
    score = 0.5 if record.winner is None else 1.0 - record.winner
    open_round = record.open_round(0)
    return GameOutcome.of(record.board, score, margins=record.margins(0), open_round=open_round)


def lines(
    outcome: MatchOutcome, plan: MatchPlan, *, names: Sequence[str], games: bool
) -> Iterator[str]:
    """Yield the result in words.

    Args:
        outcome: what came of the match.
        plan: what was planned.
        names: how to call the players that never said their name.
        games: whether to show each game.
    """
    if outcome.header is not None:
        names = _names(outcome.header.players)
    yield _title(plan, names)
    records = [game.record for game in outcome.games]
    if games and len(records) <= _LISTED:
        yield from (_game_line(record, names) for record in records)
    elif games:
        yield from _folded(records)
    if records:
        summary = _summary if plan.rules.players == _PAIR else _summary_of_three
        yield from summary(records, names)
    yield from _faults(outcome, names)
    if outcome.end is not MatchEnd.COMPLETE:
        who = "" if outcome.player is None else f"{names[outcome.player]}: "
        yield f"not completed ({outcome.end}): {who}{outcome.detail}"


def _names(players: Sequence[tuple[str, str]]) -> list[str]:
    names = [visible(f"{name} {version}") for name, version in players]
    if len(set(names)) < len(names):
        return [f"{name} ({which})" for name, which in zip(names, "ABC", strict=False)]
    return names


def _title(plan: MatchPlan, names: Sequence[str]) -> str:
    preset = next((name for name, rules in PRESETS.items() if rules == plan.rules), "own rules")
    count = f"{len(plan.games)} game{'s' if len(plan.games) > 1 else ''}"
    return (
        f"{' against '.join(names)}: {preset}, {count}, {plan.mode} boards, "
        f"seed {plan.master.hex().lstrip('0') or '0'}"
    )


def _game_line(record: GameRecord, names: Sequence[str]) -> str:
    how = "drawn" if record.winner is None else f"{names[record.winner]} wins"
    end = (
        f", {names[record.forfeit.player]} forfeits: {record.forfeit.cause}"
        if record.forfeit
        else ""
    )
    totals = ":".join(map(str, record.totals))
    return f"  game {record.index:>2}  {totals:>8}  {how} in {len(record.rounds)} rounds{end}"


def _folded(records: Sequence[GameRecord]) -> Iterator[str]:
    signs = "".join(map(_sign, records))
    yield f"  {_LEGENDS[len(records[0].seating) == _PAIR]}; ! forfeited"
    for start in range(0, len(signs), _FOLD):
        yield f"  {start:>5}  {signs[start : start + _FOLD]}"


def _sign(record: GameRecord) -> str:
    if record.forfeit is not None:
        return "!"
    signs = "+-" if len(record.seating) == _PAIR else "ABC"
    return "=" if record.winner is None else signs[record.winner]


def _summary(records: Sequence[GameRecord], names: Sequence[str]) -> Iterator[str]:
    won = [sum(record.winner == player for record in records) for player in (0, 1)]
    drawn = len(records) - sum(won)
    rounds = sum(len(record.rounds) for record in records)
    outcomes = [facts(record) for record in records]
    points, elo = points_per_round(outcomes), elo_difference(outcomes)
    yield f"{names[0]} won {won[0]}, {names[1]} won {won[1]}, drawn {drawn}; {rounds} rounds"
    yield f"points per round  {number(points.value, '+.2f')} ± {number(_bar_of(points), '.2f')}"
    low, high = number(elo.low, "+.0f"), number(elo.high, "+.0f")
    yield (
        f"Elo difference    {number(elo.value, '+.0f')}, 95 % interval {low} to {high}, "
        f"from {elo.clusters} boards"
    )


def _summary_of_three(records: Sequence[GameRecord], names: Sequence[str]) -> Iterator[str]:
    width = max(map(len, names))
    rounds = sum(len(record.rounds) for record in records)
    yield f"{rounds} rounds; places, score (0 to 1 by places) and points per round played"
    for player, name in enumerate(names):
        found = _trio.standing(records, player)
        score, points = found.score, found.points_per_round
        yield (
            f"{name:<{width}}  {':'.join(map(str, found.places)):>8}"
            f"  {number(score.value, '.3f')} ± {number(_bar_of(score), '.3f')}"
            f"  {number(points.value, '+.2f')} ± {number(_bar_of(points), '.2f')}"
        )
    for (first, second), elo in _trio.elo_differences(records).items():
        yield (
            f"Elo {names[first]} to {names[second]} by places  {number(elo.value, '+.0f')}, "
            f"95 % interval {number(elo.low, '+.0f')} to {number(elo.high, '+.0f')}"
        )
    yield from _trio.advice_lines(records, names)


def _bar_of(estimate: Estimate) -> float:
    return (estimate.high - estimate.low) / 2


def _faults(outcome: MatchOutcome, names: Sequence[str]) -> Iterator[str]:
    faults = [fault for game in outcome.games for fault in game.faults]
    for fault in faults[:_FAULTS]:
        found = fault.evidence
        yield f"forfeit: game {fault.game}, {names[fault.player]}, {fault.cause}"
        yield f"  asked     {found.asked}"
        yield f"  answered  {found.answered}"
        yield f"  time      {found.elapsed_us / 1e6:.3f} s, charged {found.charged_us / 1e6:.3f} s"
    if len(faults) > _FAULTS:
        yield f"and {len(faults) - _FAULTS} more forfeits; --json lists all"
    for void in outcome.voided:
        yield f"void: game {void.index} on board {void.void.board}, {void.void.cause}"


def as_json(outcome: MatchOutcome, plan: MatchPlan) -> str:
    """Return the result as one JSON object; an infinite or unknown number is null."""
    records = [game.record for game in outcome.games]
    header = outcome.header
    value = {
        "end": outcome.end,
        "detail": outcome.detail,
        "player": outcome.player,
        "players": None if header is None else [list(player) for player in header.players],
        "rules": plan.rules.as_dict(),
        "boards": plan.mode,
        "seed": plan.master.hex(),
        "games": [_game_json(record) for record in records],
        **(_result_json if plan.rules.players == _PAIR else _trio_json)(records),
        "forfeits": [_fault_json(fault) for game in outcome.games for fault in game.faults],
        "voids": [[void.index, void.void.board, void.void.cause] for void in outcome.voided],
        "incidents": outcome.incidents,
        "ignored_answers": outcome.ignored,
    }
    return json.dumps(value, ensure_ascii=False)


def _result_json(records: Sequence[GameRecord]) -> dict[str, Any]:
    outcomes = [facts(record) for record in records]
    return {
        "points_per_round": _estimate_json(points_per_round(outcomes)),
        "elo_difference": _estimate_json(elo_difference(outcomes)),
    }


def _trio_json(records: Sequence[GameRecord]) -> dict[str, Any]:
    standings = [_trio.standing(records, player) for player in range(3)]
    return {
        "standings": [
            {
                "places": found.places,
                "score": _estimate_json(found.score),
                "points_per_round": _estimate_json(found.points_per_round),
            }
            for found in standings
        ],
        "elo_differences": [
            {"players": pair, **_estimate_json(elo)}
            for pair, elo in _trio.elo_differences(records).items()
        ],
        "advice": [
            {
                "adviser": adviser,
                "captain": captain,
                **{kind.name.lower(): number for kind, number in count.items()},
            }
            for (adviser, captain), count in sorted(_trio.advice_counts(records).items())
        ],
    }


def _game_json(record: GameRecord) -> dict[str, Any]:
    return {
        "game": record.index,
        "board": record.board,
        "seating": record.seating,
        "winner": record.winner,
        "points": record.points,
        "totals": record.totals,
        "places": record.places,
        "rounds": len(record.rounds),
        "forfeit": None
        if record.forfeit is None
        else [record.forfeit.player, record.forfeit.cause],
    }


def _fault_json(fault: Fault) -> dict[str, Any]:
    found = fault.evidence
    return {
        "game": fault.game,
        "player": fault.player,
        "cause": fault.cause,
        "asked": found.asked,
        "answered": found.answered,
        "charged_us": found.charged_us,
        "elapsed_us": found.elapsed_us,
    }


def _estimate_json(estimate: Estimate) -> dict[str, Any]:
    numbers = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    finite = {name: n if math.isfinite(n) else None for name, n in numbers.items()}
    return {**finite, "clusters": estimate.clusters}
