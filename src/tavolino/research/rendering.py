"""A table as plain text, for `render_mode="ansi"` and for the text of OpenSpiel's states."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from tavolino.engine.game import Game
from tavolino.engine.plain_text import words_of
from tavolino.engine.reading import read
from tavolino.engine.record import SPECTATOR


def draw_table(game: Game, states: np.ndarray[Any, Any], index: int, viewer: int) -> str:
    """What a viewer sees: a line for each key of the view, and a line for each seat."""
    s: Any = read(states, index)
    shown = dict(game.view(s, viewer))
    seats = shown.pop("seats")
    turn = "the game is over" if s.to_act < 0 else f"seat {s.to_act} to act"
    lines = [f"{game.name}, {s.players} players: {turn} ({game.steps[s.step]})"]
    lines += [f"  {name}: {words_of(value)}" for name, value in shown.items()]
    for number, seat in enumerate(seats):
        mark = ">" if number == s.to_act else " "
        parts = ", ".join(f"{name} {words_of(value)}" for name, value in seat.items())
        lines.append(f"{mark} seat {number}: {parts}")
    return "\n".join(lines)


def draw_private(game: Game, states: np.ndarray[Any, Any], index: int, viewer: int) -> str:
    """What a viewer sees and a spectator does not, a line for each key of the view; "" if there is nothing."""
    s: Any = read(states, index)
    own, public = game.view(s, viewer), game.view(s, SPECTATOR)
    return "\n".join(
        f"{name}: {words_of(_hidden_from(own[name], public[name]))}" for name in own if own[name] != public[name]
    )


def _hidden_from(own: Any, public: Any) -> Any:
    """The parts of a value that another one does not have; the parts of a list by their places."""
    if isinstance(own, Mapping) and isinstance(public, Mapping):
        return {key: _hidden_from(own[key], public.get(key)) for key in own if own[key] != public.get(key)}
    if isinstance(own, list) and isinstance(public, list) and len(own) == len(public):
        pairs = enumerate(zip(own, public, strict=True))
        return {place: _hidden_from(mine, theirs) for place, (mine, theirs) in pairs if mine != theirs}
    return own
