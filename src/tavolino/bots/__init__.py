"""Bots. They get only what their seat may know (`SeatMatch`)."""

from tavolino.bots.levels import LEVELS, Bot, hint, make_bot
from tavolino.bots.policies import fallback
from tavolino.bots.seat_match import SeatMatch

__all__ = ["LEVELS", "Bot", "SeatMatch", "fallback", "hint", "make_bot"]
