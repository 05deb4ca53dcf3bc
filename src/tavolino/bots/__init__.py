"""Players that are programs. They see what a seat sees, through one door, and nothing else."""

from tavolino.bots.door import SeatDoor
from tavolino.bots.levels import LEVELS, Bot, hint, make_bot

__all__ = ["LEVELS", "Bot", "SeatDoor", "hint", "make_bot"]
