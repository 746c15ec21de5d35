"""All that a bot's author imports: ``from arena.sdk import Action, Bot, Observation, serve``."""

from arena.engine.actions import (
    BIG_GIN,
    DISCARD,
    KNOCK,
    PASS,
    SHOW,
    STOCK,
    TAKE,
    Action,
    Declaration,
    Kind,
)
from arena.engine.cards import (
    CARD_TEXT,
    DECK,
    PIPS,
    RANK,
    SUIT,
    Card,
    CardSet,
    card_set,
    cards_text,
    iter_cards,
    parse_card,
    parse_cards,
    parse_set,
    pips,
    set_text,
    sorted_cards,
)
from arena.engine.melds import (
    MELDS,
    arrangements,
    best_discards,
    is_meld,
    knock_discards,
    least_after_discard,
    least_deadwood,
)
from arena.engine.rules import Rules
from arena.engine.view import Advice, Event, Observation, Phase, Role
from arena.playout.hidden import sample_hidden, sample_round
from arena.playout.play import margin, play_out
from arena.sdk.bot import Bot
from arena.sdk.helpers import deadwood_after, forbidden_discards, unseen_cards
from arena.sdk.load import BotLoadError, load_bot
from arena.sdk.local import LocalPlayer
from arena.sdk.serve import serve

__all__ = [
    "BIG_GIN",
    "CARD_TEXT",
    "DECK",
    "DISCARD",
    "KNOCK",
    "MELDS",
    "PASS",
    "PIPS",
    "RANK",
    "SHOW",
    "STOCK",
    "SUIT",
    "TAKE",
    "Action",
    "Advice",
    "Bot",
    "BotLoadError",
    "Card",
    "CardSet",
    "Declaration",
    "Event",
    "Kind",
    "LocalPlayer",
    "Observation",
    "Phase",
    "Role",
    "Rules",
    "arrangements",
    "best_discards",
    "card_set",
    "cards_text",
    "deadwood_after",
    "forbidden_discards",
    "is_meld",
    "iter_cards",
    "knock_discards",
    "least_after_discard",
    "least_deadwood",
    "load_bot",
    "margin",
    "parse_card",
    "parse_cards",
    "parse_set",
    "pips",
    "play_out",
    "sample_hidden",
    "sample_round",
    "serve",
    "set_text",
    "sorted_cards",
    "unseen_cards",
]
