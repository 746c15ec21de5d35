"""Rounds to be looked at: every position of a recorded round as plain values, in words.

A page has two sides, and all tuples here are by side. Of two players the sides are players 0 and 1,
whatever seats they had; of three the box and the captain, who alone hold cards (R7.2).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.engine.actions import Kind
from arena.engine.cards import Card, CardSet, card_set, cards_text, pips, set_text
from arena.engine.melds import least_after_discard
from arena.engine.result import RoundResult, price
from arena.engine.round import Round
from arena.engine.showdown import default_spread
from arena.engine.view import Phase
from arena.notation.record import GameRecord, Record, RoundRecord
from arena.notation.replay import Step, replay_game
from arena.notation.text import write_action
from dashboard.words import CAUSES, ENDINGS, card_sign, describe_action


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand as it lies on the page; cards as text, ``TdJdQd``."""

    melds: tuple[str, ...]
    loose: str
    """The cards in no meld."""
    deadwood: str
    """Their points; with eleven cards also the least that a discard leaves, ``23 → 13``."""
    known: str
    """Cards that the other side knows, or at the end the cards laid off here."""


@dataclass(frozen=True, slots=True)
class Position:
    """One step of a replay."""

    text: str
    """What happened, in words."""
    turn: int | None
    """The side to play; None when the round is over."""
    hands: tuple[HandView, ...]
    fresh: str
    """The card just drawn, else empty."""
    pile: str
    """The discard pile, the upcard last."""
    stock: int
    """Cards left in the stock."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A round with what its page says of it."""

    game: int
    """From 1, within the match."""
    number: int
    """From 1, within the game."""
    rounds: int
    """Rounds of the game."""
    names: tuple[str, ...]
    adviser: str
    """The player who sits out, in a game of three; else empty."""
    dealer: int
    points: tuple[int, ...]
    """Points of the rounds before this one."""
    knock_limit: int
    outcome: str
    steps: tuple[Position, ...]


def replay_round(record: Record, game_index: int, number: int) -> Replay | None:
    """Return a round of a match, None where there is none of that number.

    Args:
        record: the record of the match.
        game_index: the game, from 0.
        number: the round, from 1.

    Raises:
        ReplayError: a record that the rules do not allow.
    """
    game = next((game for game in record.games if game.index == game_index), None)
    if game is None or not 1 <= number <= len(game.rounds):
        return None
    played = game.rounds[number - 1]
    teller = _Teller(record, game, played)
    before = points_before(game, number)
    steps = replay_game(record.header.rules, game)
    positions = tuple(teller.tell(step) for step in steps if step.round_number == number)
    return Replay(
        game=game.index + 1,
        number=number,
        rounds=len(game.rounds),
        names=tuple(teller.names[player] for player in teller.sides),
        adviser=_adviser(teller.names, teller.sides),
        dealer=teller.sides.index(game.seating[played.dealer]),
        points=tuple(before[player] for player in teller.sides),
        knock_limit=teller.knock_limit,
        outcome=describe_outcome(game, played, teller.names),
        steps=positions,
    )


def _adviser(names: Sequence[str], sides: Sequence[int]) -> str:
    return "".join(name for player, name in enumerate(names) if player not in sides)


def points_before(game: GameRecord, number: int) -> tuple[int, ...]:
    """Return the points by player of the rounds before round `number`."""
    points = [0] * len(game.seating)
    for played in game.rounds[: number - 1]:
        if played.winner is not None:
            points[game.seating[played.winner]] += played.points
    return tuple(points)


def margins(game: GameRecord) -> list[int]:
    """Return after each round the points of player 0 less those of player 1."""
    by_round = [points_before(game, number + 2) for number in range(len(game.rounds))]
    return [points[0] - points[1] for points in by_round]


def describe_outcome(game: GameRecord, played: RoundRecord, names: Sequence[str]) -> str:
    """Say how a round ended, ``Knock: greedy +23``; an open one by the forfeit that ended it."""
    if played.ending is None:
        return _describe_forfeit(game, names)
    if played.winner is None:
        return f"{ENDINGS[played.ending]}: nobody scores"
    return f"{ENDINGS[played.ending]}: {names[game.seating[played.winner]]} +{played.points}"


def _describe_forfeit(game: GameRecord, names: Sequence[str]) -> str:
    if game.forfeit is None:
        return "Not finished"
    cause = CAUSES.get(game.forfeit.cause, game.forfeit.cause)
    return f"Forfeited by {names[game.forfeit.player]}: {cause}"


class _Teller:
    """Turns the positions of one game into views, in order."""

    def __init__(self, record: Record, game: GameRecord, played: RoundRecord) -> None:
        self.names = tuple(name for name, _ in record.header.players)
        active = tuple(game.seating[seat] for seat in played.active)
        self.sides = active if len(self.names) > len(active) else (0, 1)
        """The player of each side."""
        self.knock_limit = 0
        self._rules = record.header.rules
        self._seating = game.seating
        self._players: tuple[int, ...] = ()
        self._upcard: Card | None = None
        self._forfeit = _describe_forfeit(game, self.names) if game.forfeit else ""

    def tell(self, step: Step) -> Position:
        """Return the view of a position."""
        now = step.round
        self._players = tuple(self._seating[seat] for seat in step.seats)
        self.knock_limit = now.knock_limit
        text = self._describe(step)
        self._upcard = now.discards[-1] if now.discards else None
        over = now.phase == Phase.OVER
        hands = _show_hands(now)
        return Position(
            text=text,
            turn=None if over else self.sides.index(self._players[now.turn]),
            hands=tuple(hands[self._players.index(player)] for player in self.sides),
            fresh="" if now.drawn is None else cards_text([now.drawn]),
            pile=cards_text(now.discards),
            stock=now.stock_count,
        )

    def _name(self, seat: int) -> str:
        """Return the name of who has a seat of the round."""
        return self.names[self._players[seat]]

    def _describe(self, step: Step) -> str:
        now = step.round
        if step.action is None or step.seat is None:
            top = card_sign(now.discards[-1])
            return f"{self._name(now.dealer)} deals; the first upcard is the {top}."
        said = " ".join(self._sentences(step))
        return f"{self._name(step.seat)} {said}{_describe_advice(step)}"

    def _sentences(self, step: Step) -> Iterator[str]:
        assert step.action is not None  # noqa: S101 - the deal has its own sentence
        now = step.round
        if now.result is not None and step.action.kind == Kind.SHOW:
            yield _describe_showing(now.result)
        else:
            yield describe_action(step.action, drawn=now.drawn, upcard=self._upcard) + "."
        if step.action.kind in (Kind.KNOCK, Kind.BIG_GIN):
            deadwood = pips(now.observe(now.turn).knocker_deadwood)
            yield f"Deadwood {deadwood}." if deadwood else "Gin!"
        if now.result is not None:
            yield self._describe_result(now.result)

    def _describe_result(self, result: RoundResult) -> str:
        ending = ENDINGS[result.ending]
        if result.winner is None:
            return f"{ending}: nobody scores."
        count = f"{result.knocker_deadwood} against {result.defender_deadwood}"
        points = price(self._rules, result)
        return f"{ending}, {count}: {self._name(result.winner)} scores {points}."


def _describe_advice(step: Step) -> str:
    """Say what the captain had been told, where it was told something."""
    if step.advice is None:
        return ""
    action, note = step.advice.action, step.advice.note
    told = "as advised" if action == step.action else f"advised was {write_action(action)}"
    return f" ({told}: {note})" if note else f" ({told})"


def _describe_showing(result: RoundResult) -> str:
    laid = ", ".join(card_sign(card) for card, _ in result.layoffs)
    return f"shows, laying off {laid}." if laid else "shows, laying off nothing."


def _show_hands(now: Round) -> tuple[HandView, HandView]:
    if now.result is not None and now.result.knocker is not None:
        return _show_showdown(now, now.result.knocker, now.result)
    if now.phase == Phase.SHOWDOWN:
        knocker = 1 - now.turn
        seen = now.observe(now.turn)
        shown = _lay_out(seen.spread, seen.knocker_deadwood)
        defender = _show_hand(now, now.turn)
        return (shown, defender) if knocker == 0 else (defender, shown)
    return _show_hand(now, 0), _show_hand(now, 1)


def _show_hand(now: Round, seat: int) -> HandView:
    """Show a hand in play, its melds as the referee would lay them out."""
    hand = now.hands[seat]
    melds = default_spread(hand, now.discards)
    loose = hand & ~_joined(melds)
    deadwood = str(pips(loose))
    if hand.bit_count() == 11:
        deadwood += f" → {least_after_discard(hand, _barred(now))}"
    return HandView(_texts(melds), set_text(loose), deadwood, set_text(now.known[seat]))


def _barred(now: Round) -> CardSet:
    taken = now.drawn_from_pile and not now.rules.return_taken_card
    return 1 << now.drawn if taken and now.drawn is not None else 0


def _show_showdown(now: Round, knocker: int, result: RoundResult) -> tuple[HandView, HandView]:
    spread = list(result.knocker_melds)
    for card, meld in result.layoffs:
        spread[meld] |= 1 << card
    laid = card_set(card for card, _ in result.layoffs)
    own = now.hands[knocker] & ~_joined(result.knocker_melds)
    other = now.hands[1 - knocker] & ~_joined(result.defender_melds) & ~laid
    shown = _lay_out(spread, own, laid)
    defended = _lay_out(result.defender_melds, other)
    return (shown, defended) if knocker == 0 else (defended, shown)


def _lay_out(melds: Sequence[CardSet], loose: CardSet, marked: CardSet = 0) -> HandView:
    return HandView(_texts(melds), set_text(loose), str(pips(loose)), set_text(marked))


def _joined(melds: Sequence[CardSet]) -> CardSet:
    joined = 0
    for meld in melds:
        joined |= meld
    return joined


def _texts(melds: Sequence[CardSet]) -> tuple[str, ...]:
    return tuple(set_text(meld) for meld in melds)
