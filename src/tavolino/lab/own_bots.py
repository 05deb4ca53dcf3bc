"""Bots that are classes of the user: they are loaded by name, and what goes wrong in them is one sentence."""

import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

from tavolino.bots import LEVELS, Bot, SeatMatch
from tavolino.engine.match import Match


class BotFailed(ValueError):
    """A bot raised an error or chose what is not legal. The message is one sentence."""


def bot_class(name: str) -> Any:
    """The class of a bot written as module:Class."""
    module, colon, attribute = name.partition(":")
    if not colon:
        raise ValueError(f"There is no bot {name!r}. A bot is a level ({', '.join(LEVELS)}) or module:Class.")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, SyntaxError, TypeError, ValueError) as problem:
        raise ValueError(f"The bot {name} cannot be loaded: {problem}.") from None
    if not isinstance(found, type) or not callable(getattr(found, "choose", None)):
        raise ValueError(f"{name} is not a bot: a bot is a class with a method choose.")
    return found


def make_own_bot(name: str, game: str, seed: int) -> Bot:
    """A bot that is a class."""
    try:
        bot: Bot = bot_class(name)(game, seed)
    except Exception as problem:
        raise BotFailed(f"{name} cannot be made: {sentence_of(problem)}") from problem
    return bot


def choice_of(bot: Bot, name: str, match: Match, where: str) -> str:
    """The choice of the seat to act, by a level or by a class. `where` names the game in the sentence of a failure."""
    seat = match.to_act
    assert seat is not None
    if name in LEVELS:
        return bot.choose(SeatMatch(match, seat))
    try:
        action = bot.choose(SeatMatch(match, seat))
    except Exception as problem:
        raise BotFailed(f"{name} failed in {where}, seat {seat}: {sentence_of(problem)}") from problem
    if not isinstance(action, str) or action not in match.legal():
        chosen = repr(action)
        shown = chosen if len(chosen) <= 60 else f"{chosen[:60]}..."
        raise BotFailed(f"{name} chose {shown} in {where}, seat {seat}, which is not a legal action.")
    return action


def sentence_of(problem: Exception) -> str:
    """What went wrong, and at which line of which file."""
    told = str(problem).splitlines()[0].rstrip(".") if str(problem) else "no message"
    *_, (frame, line) = traceback.walk_tb(problem.__traceback__)
    path = frame.f_code.co_filename
    at = "" if path == __file__ else f" ({Path(path).name}, line {line})"
    return f"{type(problem).__name__}: {told}{at}."
