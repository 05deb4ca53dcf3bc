"""Faults that an author can make in `resample`, planted around the compiled function."""

from collections.abc import Callable
from typing import Any
from zlib import crc32

import numpy as np
import pytest

from tavolino.engine import loops
from tavolino.engine.chance import Chance
from tavolino.engine.record import fields_of

States = np.ndarray[Any, Any]
Draw = Callable[[States, int, int, Any, Any], int]
Keep = Callable[[Any, Any, int], None]  # the true record, the drawn one, and the viewer
GENERATOR = [name for name, *_ in fields_of(Chance)]
NOTHING = np.zeros(0, np.int32)


def _fields(record: Any, names: list[str]) -> list[Any]:
    return [record[name].copy() for name in names]


def _restore(record: Any, names: list[str], values: list[Any]) -> None:
    for name, value in zip(names, values, strict=True):
        record[name] = value


def do_nothing(true: Any, drawn: Any, viewer: int) -> None:
    names = [name for name in drawn.dtype.names if name not in (*GENERATOR, "events", "n_events")]
    _restore(drawn, names, _fields(true, names))


def keep_the_generator(true: Any, drawn: Any, viewer: int) -> None:
    _restore(drawn, GENERATOR, _fields(true, GENERATOR))


def _put(cells: list[tuple[Any, Any]], place: tuple[Any, Any], card: int) -> None:
    """Put a card into a place, and what was there to where the card was."""
    field, at = place
    for other, there in cells:
        if other[there] == card:
            other[there] = field[at]
            break
    field[at] = card


def _keep_in_mantis(true: Any, drawn: Any, viewer: int) -> None:
    """The card whose back is seen."""
    if true["top"] >= 0:
        _put([(drawn["pile"], at) for at in range(drawn["pile_size"])], (drawn, "top"), true["top"])


def _keep_in_splendor(true: Any, drawn: Any, viewer: int) -> None:
    """A card that somebody else reserved blindly."""
    for seat in range(true["players"]):
        for place in range(true["n_reserved"][seat]):
            if seat != viewer and not true["is_open"][seat, place]:
                cells = [((drawn["pool"], at)) for at in np.ndindex(drawn["pool"].shape)]
                cells += [(drawn["reserved"], at) for at in np.ndindex(drawn["reserved"].shape)]
                _put(cells, (drawn["reserved"], (seat, place)), true["reserved"][seat, place])
                return


def _keep_in_gauntlet(true: Any, drawn: Any, viewer: int) -> None:
    """The lowest card of the first hand that is not the viewer's."""
    seat = 1 if viewer == 0 else 0
    if true["hand_size"][seat] > 0:
        cells = [(drawn["hand"], at) for at in np.ndindex(drawn["hand"].shape)]
        cells += [(drawn["deck"], at) for at in np.ndindex(drawn["deck"].shape)]
        _put(cells, (drawn["hand"], (seat, 0)), true["hand"][seat, 0])
        for hand, size in zip(drawn["hand"], drawn["hand_size"], strict=True):
            hand[:size].sort()


def _keep_in_kuhn_poker(true: Any, drawn: Any, viewer: int) -> None:
    seat = 1 if viewer == 0 else 0
    _put([(drawn["card"], 0), (drawn["card"], 1)], (drawn["card"], seat), true["card"][seat])


KEEP_ONE_CARD: dict[str, Keep] = {
    "mantis": _keep_in_mantis,
    "splendor-marvel": _keep_in_splendor,
    "infinity-gauntlet": _keep_in_gauntlet,
    "kuhn-poker": _keep_in_kuhn_poker,
}
FAULTS = ("does nothing", "keeps one hidden card", "keeps the generator", "reads the true world", "draws one world")


def plant(monkeypatch: pytest.MonkeyPatch, game: str, fault: str) -> None:
    """Within this context `resample` of a game has a fault."""
    real: Draw = loops.draw_world
    keep: dict[str, Keep] = {
        "does nothing": do_nothing,
        "keeps one hidden card": KEEP_ONE_CARD[game],
        "keeps the generator": keep_the_generator,
    }

    def draw_world(states: States, index: int, viewer: int, key: Any, out: Any) -> int:
        true = states.copy()
        if fault == "reads the true world":
            key = key ^ crc32(true.tobytes())
        drawn_key = key * 0 if fault == "draws one world" else key
        real(states, index, viewer, drawn_key, out)
        if fault == "draws one world":
            states["key"] = key  # what comes later is drawn
        if fault in keep:
            keep[fault](true[index], states[index], viewer)
        return loops.advance(states, index, loops.LIST, 0, key, NOTHING, NOTHING.reshape(0, 0), NOTHING, out)

    monkeypatch.setattr(loops, "draw_world", draw_world)
