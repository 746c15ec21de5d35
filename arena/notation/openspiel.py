"""Rounds as action sequences of OpenSpiel's `gin_rummy`, as of its version 2.0.2.

Pure: OpenSpiel is not needed to write them. Its game is one round with rules of its own, so some
rounds cannot be written (`Refusal`); docs/openspiel.md lists every difference.
"""

import enum
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from arena.engine.actions import Action, Declaration, Kind
from arena.engine.cards import PIPS, RANK, Card, CardSet, card_set, iter_cards, pips
from arena.engine.errors import GinArenaError
from arena.engine.melds import MELDS
from arena.engine.result import RoundResult
from arena.engine.round import LAST_STOCK, Round
from arena.engine.rules import UPCARD, Rules
from arena.engine.view import Phase
from arena.notation.record import GameRecord, Record
from arena.notation.replay import Step, replay_game
from arena.notation.text import Played

DRAW_UPCARD: Final = 52
DRAW_STOCK: Final = 53
PASS: Final = 54
KNOCK: Final = 55
FIRST_MELD: Final = 56
"""OpenSpiel's actions; 0 to 51 are cards, from `FIRST_MELD` on come the 185 melds."""
LONGEST_MELD: Final = 5
"""Cards of the longest meld it knows; a longer run is laid as several."""
LAST_TAKE: Final = 50
"""Its round is over when an upcard other than the first is taken for the 50th time."""


@enum.unique
class Refusal(enum.StrEnum):
    """Why OpenSpiel cannot represent a round, as a sentence."""

    OPEN = "the round has no result"
    BIG_GIN = "OpenSpiel has no big gin"
    KNOCK_NOT_OFFERED = (
        "OpenSpiel does not offer this knock: its deadwood of eleven cards is an estimate"
    )
    LAYOFF_NOT_OFFERED = "OpenSpiel never offers a third layoff on one end of a run"
    LAYOFF_ON_GIN = "OpenSpiel has no layoffs after gin"
    UPCARD_CAP = "OpenSpiel ends a round at the 50th upcard taken"
    RETURNED_TWICE = "OpenSpiel ends a round when a taken card is returned twice in a row"
    TURN_CAP = "OpenSpiel has no limit of turns"


class UnrepresentableError(GinArenaError):
    """A round that OpenSpiel cannot represent; `refusal` says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class OpenSpielRound:
    """A round as OpenSpiel plays it."""

    game: str
    """Name and parameters, for `pyspiel.load_game`."""
    seats: tuple[int, int]
    """Our seat of its players 0 and 1; player 0, who begins, is the non-dealer."""
    actions: tuple[int, ...]
    """All actions from the deal to the end, those of chance among them."""
    returns: tuple[int, int]
    """The points it gives its players, the winner's and the same negative (`its_points`)."""


def its_card(card: Card) -> int:
    """Return OpenSpiel's number of a card: its suits are s c d h."""
    return (card + 13) % 52


def _is_run(meld: CardSet) -> bool:
    return bool(meld & (meld & -meld) << 1)


def _set_number(meld: CardSet) -> int:
    cards = list(iter_cards(meld))
    missing = sorted({0, 1, 2, 3} - {its_card(card) // 13 for card in cards})
    return 5 * RANK[cards[0]] + (missing[0] if missing else 4)


def _run_number(meld: CardSet) -> int:
    length = meld.bit_count()
    suit, low = divmod(its_card((meld & -meld).bit_length() - 1), 13)
    return {3: 65, 4: 109, 5: 149}[length] + suit * (14 - length) + low


MELD_ACTIONS: Final[dict[CardSet, int]] = {
    meld: FIRST_MELD + (_run_number(meld) if _is_run(meld) else _set_number(meld))
    for meld in MELDS
    if meld.bit_count() <= LONGEST_MELD
}
"""OpenSpiel's action of laying each meld it knows: sets by rank and missing suit, then runs."""


def short_melds(meld: CardSet) -> list[CardSet]:
    """Return a meld as melds of at most five cards, the lowest first."""
    parts = []
    while (length := meld.bit_count()) > LONGEST_MELD:
        part = card_set(list(iter_cards(meld))[: max(3, length - LONGEST_MELD)])
        parts.append(part)
        meld ^= part
    return [*parts, meld]


def _ends(run: CardSet) -> CardSet:
    """Return the cards next to a run at either end."""
    low, high = (run & -run).bit_length() - 1, run.bit_length() - 1
    below = 1 << low - 1 if RANK[low] > 0 else 0
    above = 1 << high + 1 if RANK[high] < 12 else 0
    return below | above


def offered_layoffs(melds: Iterable[CardSet], laid_off: CardSet) -> CardSet:
    """Return the cards OpenSpiel lets be laid off: at most two at each end of a run.

    Args:
        melds: laid by the knocker, of at most five cards each.
        laid_off: the cards laid off before.
    """
    offered = 0
    for meld in melds:
        if _is_run(meld):
            offered |= _ends(meld | _ends(meld) & laid_off)
        else:
            offered |= _rank_of(meld) ^ meld
    return offered


def _rank_of(cards: CardSet) -> CardSet:
    """Return the four cards of the rank of the lowest card."""
    rank = RANK[(cards & -cards).bit_length() - 1]
    return sum(1 << 13 * suit + rank for suit in range(4))


def estimated_deadwood(hand: CardSet) -> int:
    """Return what OpenSpiel takes for the least deadwood of eleven cards after a discard.

    It takes the arrangement of all eleven with the least deadwood, the first it finds of several,
    and leaves out the highest card of that deadwood. The true least can be lower.
    """
    melded = max(_families(0, _melds_in_its_order(hand)), key=pips)
    left = [PIPS[card] for card in iter_cards(hand ^ melded)]
    return sum(left) - max(left, default=0)


def _families(melded: CardSet, melds: Sequence[CardSet]) -> Iterator[CardSet]:
    """Yield the cards of each family of disjoint melds that no further meld fits into."""
    if not melds:
        yield melded
    for meld in melds:
        yield from _families(melded | meld, [other for other in melds if not other & meld])


def _melds_in_its_order(hand: CardSet) -> list[CardSet]:
    """Return the melds of at most five cards in the order OpenSpiel looks at them."""
    four_held: list[CardSet] = []
    sets: list[CardSet] = []
    for rank in range(13):
        held = [1 << 13 * suit + rank for suit in (3, 0, 1, 2) if hand >> 13 * suit + rank & 1]
        if len(held) == 4:
            first, second, third, fourth = held
            whole = first | second | third | fourth
            four_held += [whole, whole ^ third, whole ^ second]
        sets += [sum(held[low : low + 3]) for low in range(len(held) - 2)]
    return [*four_held, *sets, *[run for run in _RUNS if not run & ~hand]]


_RUNS: Final = sorted(
    (meld for meld in MELD_ACTIONS if _is_run(meld)),
    key=lambda run: (-run.bit_count(), MELD_ACTIONS[run]),
)


def its_points(rules: Rules, result: RoundResult) -> int:
    """Return OpenSpiel's points of a round to the knocker, negative to the defender.

    They are ours (`price`) but for two cases: equal deadwood is worth nothing, and a spade upcard
    doubles nothing.
    """
    points = result.defender_deadwood - result.knocker_deadwood
    if result.knocker is None:
        return 0
    if result.knocker_deadwood == 0:
        return points + rules.gin_bonus
    return points - rules.undercut_bonus if points < 0 else points


def game_text(rules: Rules, knock_limit: int) -> str:
    """Return name and parameters of OpenSpiel's game for a round with a knock limit."""
    oklahoma = rules.knock_limit == UPCARD and rules.oklahoma_ace == "gin"
    knock = "oklahoma=True" if oklahoma else f"knock_card={knock_limit}"
    return f"gin_rummy(gin_bonus={rules.gin_bonus},{knock},undercut_bonus={rules.undercut_bonus})"


def export_round(deal: Round, played: Iterable[Played]) -> OpenSpielRound:
    """Return a round as OpenSpiel's action sequence.

    Args:
        deal: the round before its first action; it is not changed.
        played: all its actions with their declarations.

    Raises:
        UnrepresentableError: OpenSpiel's rules do not allow it, or it has no result.
        IllegalActionError: our rules do not allow it.
    """
    writer = _Writer(deal.copy())
    for action, declaration in played:
        writer.play(action, declaration)
    return writer.finish()


class _Writer:
    """Plays a round and writes what OpenSpiel would be told."""

    def __init__(self, table: Round) -> None:
        self._round = table
        self._seats = (1 - table.dealer, table.dealer)
        hands = [sorted(map(its_card, iter_cards(table.hands[seat]))) for seat in self._seats]
        self._actions = [*hands[0], *hands[1], its_card(table.upcard)]
        self._spread: list[CardSet] = []
        self._takes = 0
        self._returned = False
        self._over = False

    def play(self, action: Action, declaration: Declaration | None) -> None:
        """Play one action.

        Raises:
            UnrepresentableError: OpenSpiel does not know the action, or its round is over.
            IllegalActionError: the rules refuse it.
        """
        if self._over:
            raise UnrepresentableError(Refusal.RETURNED_TWICE)
        table = self._round
        phase, hand, drawn = table.phase, table.hands[table.turn], table.drawn
        from_pile = table.drawn_from_pile
        table.apply(action, declaration)
        match action.kind:
            case Kind.PASS:
                self._actions.append(PASS)
            case Kind.TAKE:
                self._take(phase)
            case Kind.STOCK:
                card = (table.hands[table.turn] ^ hand).bit_length() - 1
                self._actions += [DRAW_STOCK, its_card(card)]
            case Kind.DISCARD:
                self._discard(action.card, returned=from_pile and drawn == action.card)
            case Kind.KNOCK:
                self._knock(action.card, hand)
            case Kind.SHOW:
                self._show()
            case Kind.BIG_GIN:
                raise UnrepresentableError(Refusal.BIG_GIN)

    def _take(self, phase: Phase) -> None:
        if phase == Phase.LAST_DISCARD:
            return
        self._takes += phase == Phase.DRAW
        if self._takes == LAST_TAKE:
            raise UnrepresentableError(Refusal.UPCARD_CAP)
        self._actions.append(DRAW_UPCARD)

    def _discard(self, card: Card, *, returned: bool) -> None:
        self._actions.append(its_card(card))
        self._over = returned and self._returned
        self._returned = returned
        table = self._round
        if table.result is None or self._over:
            return
        if table.stock_count > LAST_STOCK:
            raise UnrepresentableError(Refusal.TURN_CAP)
        self._actions.append(PASS)

    def _knock(self, card: Card, hand: CardSet) -> None:
        table = self._round
        if estimated_deadwood(hand) > table.knock_limit:
            raise UnrepresentableError(Refusal.KNOCK_NOT_OFFERED)
        self._actions += [KNOCK, its_card(card)]
        melds = table.observe(table.turn).spread
        self._spread = [part for meld in melds for part in short_melds(meld)]
        self._actions += [*map(MELD_ACTIONS.__getitem__, self._spread), PASS]

    def _show(self) -> None:
        result = _result(self._round)
        laid_off = card_set(card for card, _ in result.layoffs)
        if result.knocker_deadwood:
            self._lay_off(laid_off)
        elif laid_off:
            raise UnrepresentableError(Refusal.LAYOFF_ON_GIN)
        for meld in result.defender_melds:
            self._actions += map(MELD_ACTIONS.__getitem__, short_melds(meld))
        self._actions.append(PASS)

    def _lay_off(self, cards: CardSet) -> None:
        """Write layoffs in an order OpenSpiel offers: offers only grow, so any will do."""
        done = 0
        while left := cards ^ done:
            offered = offered_layoffs(self._spread, done) & left
            if not offered:
                raise UnrepresentableError(Refusal.LAYOFF_NOT_OFFERED)
            self._actions += map(its_card, iter_cards(offered))
            done |= offered
        self._actions.append(PASS)

    def finish(self) -> OpenSpielRound:
        """Return the round.

        Raises:
            UnrepresentableError: it has no result.
        """
        table, result = self._round, _result(self._round)
        points = its_points(table.rules, result)
        first = -points if result.knocker == self._seats[1] else points
        return OpenSpielRound(
            game_text(table.rules, table.knock_limit),
            self._seats,
            tuple(self._actions),
            (first, -first),
        )


def _result(table: Round) -> RoundResult:
    if table.result is None:
        raise UnrepresentableError(Refusal.OPEN)
    return table.result


def export_game(rules: Rules, game: GameRecord) -> Iterator[tuple[int, OpenSpielRound | Refusal]]:
    """Yield each round of a game by its number, written or refused.

    Raises:
        ReplayError: the game's rounds do not hold.
    """
    for number, steps in groupby(replay_game(rules, game), lambda step: step.round_number):
        yield number, _export_steps(steps)


def _export_steps(steps: Iterator[Step]) -> OpenSpielRound | Refusal:
    deal = next(steps).round.copy()
    played = [(step.action, step.declaration) for step in steps if step.action is not None]
    try:
        return export_round(deal, played)
    except UnrepresentableError as error:
        return error.refusal


def write_openspiel(record: Record) -> str:
    """Write all rounds of a match as JSON Lines, a round a line (docs/openspiel.md).

    Raises:
        ReplayError: a game's rounds do not hold.
    """
    lines = []
    for game in record.games:
        for number, exported in export_game(record.header.rules, game):
            line: dict[str, object] = {"game": game.index, "round": number}
            if isinstance(exported, Refusal):
                line["refused"] = exported.value
            else:
                line |= {"openspiel": exported.game, "seats": exported.seats}
                line |= {"actions": exported.actions, "returns": exported.returns}
            lines.append(json.dumps(line, separators=(",", ":")) + "\n")
    return "".join(lines)
