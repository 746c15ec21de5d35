"""Gin Arena: a bot-tournament platform for Gin Rummy."""

__version__ = "0.1.0"
