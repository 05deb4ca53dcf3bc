"""A table as plain text, for `render_mode="ansi"` and for the text of OpenSpiel's states."""

from typing import Any

import numpy as np

from tavolino.engine.game import Game
from tavolino.engine.plain_text import words_of
from tavolino.engine.reading import read


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
