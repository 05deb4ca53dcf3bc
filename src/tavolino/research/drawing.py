"""A table as plain text, for `render_mode="ansi"` and for states that print themselves."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from tavolino.engine.game import Game
from tavolino.engine.reading import read


def draw_table(game: Game, states: np.ndarray[Any, Any], index: int, viewer: int) -> str:
    """What a viewer sees: a line for each thing on the table, and a line for each seat."""
    s: Any = read(states, index)
    shown = dict(game.view(s, viewer))
    seats = shown.pop("seats")
    turn = "the game is over" if s.to_act < 0 else f"seat {s.to_act} to act"
    lines = [f"{game.name}, {s.players} players: {turn} ({game.steps[s.step]})"]
    lines += [f"  {name}: {_words(value)}" for name, value in shown.items()]
    for number, seat in enumerate(seats):
        mark = ">" if number == s.to_act else " "
        parts = ", ".join(f"{name} {_words(value)}" for name, value in seat.items())
        lines.append(f"{mark} seat {number}: {parts}")
    return "\n".join(lines)


def _words(value: Any) -> str:
    """Counts of zero are left out: what is there matters."""
    if isinstance(value, Mapping):
        return "{" + " ".join(f"{key}={_words(part)}" for key, part in value.items() if part != 0) + "}"
    if isinstance(value, list):
        return "[" + " ".join(_words(part) for part in value) + "]"
    if value is None:
        return "-"
    return str(value)
