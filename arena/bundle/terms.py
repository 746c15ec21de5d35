"""What the deals of a league follow from, and the proof of each (R9.1, R9.3).

The same for a bundle and for what an arena's pages hand out, so nothing here knows of either.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import factorial
from typing import Any

from arena.bundle.archive import BundleError
from arena.engine.deal import board_seed, master_seed
from arena.engine.errors import GinArenaError
from arena.engine.rules import Rules
from arena.notation.chain import RecordError
from arena.notation.files import BOARD_MODES, read_record
from arena.notation.record import GameRecord, Header, Record
from arena.notation.verify import verify_record
from arena.schedule.league import Schedule
from arena.schedule.plan import SLOT_BITS, BoardMode, MatchPlan, TimeControl


@dataclass(frozen=True)
class Terms:
    """A league as far as its deals go."""

    rules: Rules
    legs: int
    boards: BoardMode
    games: int
    time_control: TimeControl
    commitment: str
    organiser_seed: bytes
    players: tuple[tuple[str, str], ...]
    """Name and version of each entry, by number."""
    nonces: tuple[bytes, ...]

    @classmethod
    def read(
        cls,
        values: Mapping[str, Any],
        *,
        players: Sequence[tuple[str, str]],
        nonces: Sequence[str],
    ) -> "Terms":
        """Return the terms of a league from its JSON.

        Raises:
            BundleError: a value that cannot be.
        """
        try:
            if values["boards"] not in BOARD_MODES:
                raise ValueError(f"boards are {values['boards']!r}")
            terms = cls(
                rules=Rules().with_options(values["rules"]),
                legs=int(values["legs"]),
                boards=BoardMode(values["boards"]),
                games=int(values["games"]),
                time_control=TimeControl(**values["time_control"]),
                commitment=str(values["commitment"]),
                organiser_seed=bytes.fromhex(values["organiser_seed"]),
                players=tuple(players),
                nonces=tuple(map(bytes.fromhex, nonces)),
            )
            terms.schedule, terms.plan(0)
        except (GinArenaError, LookupError, TypeError, ValueError) as error:
            raise BundleError(f"the league's values cannot be: {error}") from error
        return terms

    @cached_property
    def master(self) -> bytes:
        """The master seed, from the revealed seed and the nonces (R9.3)."""
        return master_seed(self.organiser_seed, self.nonces)

    @cached_property
    def schedule(self) -> Schedule:
        """Who meets whom."""
        return Schedule(self.rules.players, len(self.players), self.legs)

    def plan(self, number: int) -> MatchPlan:
        """Return the plan of a match: its games, boards and seatings."""
        mirrored = self.boards is BoardMode.MIRRORED
        sets = factorial(self.rules.players) if mirrored else 1
        if self.games % sets:
            raise ValueError(f"{self.games} games; they come {sets} to a board")
        return MatchPlan(
            rules=self.rules,
            time_control=self.time_control,
            mode=self.boards,
            master=self.master,
            slots=self.games // sets,
            number=number,
        )

    def problems(self) -> Iterator[str]:
        """Yield what does not hold of the seeds."""
        found = hashlib.sha256(self.organiser_seed).hexdigest()
        if found != self.commitment:
            yield f"commitment: the revealed seed has SHA-256 {found}, not {self.commitment}"

    def table_problem(self, number: int, entries: Sequence[int]) -> str:
        """Return what is wrong with who meets whom in a match; empty where nothing is."""
        _, planned = next(self.schedule.tables(range(number, number + 1)))
        if tuple(entries) == planned:
            return ""
        return f"is between entries {list(entries)}; the schedule says {list(planned)}"

    def prove_match(
        self, number: int, entries: Sequence[int], text: str, *, voided: bool
    ) -> tuple[Record | None, list[str]]:
        """Prove the record of a match: every deal, action and result.

        Args:
            number: the match's number.
            entries: numbers of its entries by player.
            text: the record.
            voided: whether games of it were played again on reserve boards; of mirrored boards a
                whole seating set is (R10.3).

        Returns:
            The record, None where it cannot be read, and what does not hold.
        """
        problems: list[str] = []
        record: Record | None
        try:
            record = verify_record(text)
        except RecordError as error:
            problems.append(f"record.jsonl, {error}")
            record = _readable(text)
        if record is not None:
            problems += self._facts(number, entries, record, voided=voided)
        return record, problems

    def _facts(
        self, number: int, entries: Sequence[int], record: Record, *, voided: bool
    ) -> Iterator[str]:
        if problem := self.table_problem(number, entries):
            yield problem
            return
        header = Header(
            self.rules,
            tuple(self.players[entry] for entry in entries),
            self.time_control.as_dict(),
            self.boards.value,
        )
        if record.header != header:
            yield "record.jsonl, line 1: the header is not that of the league"
        plan = self.plan(number)
        if [game.index for game in record.games] != list(range(self.games)):
            yield f"record.jsonl: has not each of the games 0 to {self.games - 1} once"
        for game, intended in zip(record.games, plan.games, strict=False):
            if game.seating != intended.seating:
                yield f"game {game.index}: seating {list(game.seating)} is not the plan's"
            again = bool(game.voids) or (voided and self.boards is BoardMode.MIRRORED)
            yield from self._deals(game, plan, intended.board, voided=again)

    def _deals(
        self, game: GameRecord, plan: MatchPlan, intended: int, *, voided: bool
    ) -> Iterator[str]:
        first_reserve = (plan.number << SLOT_BITS) + plan.slots
        reserves = range(first_reserve, (plan.number + 1) << SLOT_BITS)
        if game.board != intended and not (voided and game.board in reserves):
            yield f"game {game.index}: is played on board {game.board}, not on {intended}"
        if game.board >= 0 and game.board.bit_length() <= 64:
            seed = board_seed(self.master, game.board)
            if game.seed != seed:
                yield (
                    f"game {game.index}: its deals come from seed {game.seed.hex()}; the league's"
                    f" board {game.board} has {seed.hex()}"
                )


def _readable(text: str) -> Record | None:
    try:
        return read_record(text)
    except RecordError:
        return None
