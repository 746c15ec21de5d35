"""What every author needs: what an action leads to, and which cards are where."""

from arena.engine.actions import Action, Kind
from arena.engine.cards import DECK, CardSet, card_set
from arena.engine.melds import least_after_discard, least_deadwood
from arena.engine.view import Observation


def forbidden_discards(observation: Observation) -> CardSet:
    """Return the card that may not be thrown because it was just taken (R3.2), as a set."""
    taken = observation.drawn if observation.drawn_from_pile else None
    return 0 if taken is None or observation.rules.return_taken_card else 1 << taken


def unseen_cards(observation: Observation) -> CardSet:
    """Return the cards that may be in the stock or in the opponent's hand, known ones apart."""
    return DECK & ~(observation.hand | card_set(observation.discards) | observation.known)


def deadwood_after(observation: Observation, action: Action) -> int:
    """Return the least deadwood, in pips, of the ten cards that the action leads to.

    TAKE counts the best discard that may follow; PASS and STOCK leave the hand as it is; BIG_GIN
    counts 0, and SHOW what the hand holds before layoffs.
    """
    hand, kind = observation.hand, action.kind
    if kind in (Kind.DISCARD, Kind.KNOCK):
        return least_deadwood(hand & ~(1 << action.card))
    upcard = observation.upcard
    if kind == Kind.TAKE and upcard is not None:
        taken = 1 << upcard
        stays = 0 if observation.rules.return_taken_card else taken
        return least_after_discard(hand | taken, stays)
    return least_deadwood(hand)
