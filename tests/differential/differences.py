"""The ways in which OpenSpiel's gin rummy is known to differ from the rules; nothing else may."""

import enum


@enum.unique
class Difference(enum.StrEnum):
    """One known difference, as docs/openspiel.md numbers them in this order."""

    RETURN = "the taken card may be returned"
    RETURN_TWICE = "two returns in a row end the round"
    WALL = "at two stock cards the next player may knock with the last discard"
    LONG_MELD = "a run of more than five cards is laid as several"
    ESTIMATE = "a knock is refused by the estimate of eleven cards"
    ESTIMATE_GIN = "gin is refused by the estimate of eleven cards"
    RETURN_KNOCK = "a knock is offered that only the returned card allows"
    LAYOFF = "a third layoff on one end is not offered"
    LAYOFF_ON_GIN = "nothing is laid off after gin"
    TIE = "equal deadwood pays nothing"
    DOUBLE = "a spade upcard doubles nothing"
    BIG_GIN = "eleven melded cards are no more than gin"
    UPCARD_CAP = "the 50th upcard taken ends the round"
    TURN_CAP = "there is no limit of turns"
