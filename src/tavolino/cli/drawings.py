"""The drawing of a game: its own module `terminal`, or a plain one made from the view."""

from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from rich.console import Group, RenderableType
from rich.text import Text

from tavolino.engine.drawing import Drawing, Topic, View, Words, seat_name
from tavolino.engine.match import COMMON_KEYS
from tavolino.engine.plain_text import words_of
from tavolino.games import part_of

# The screen around the drawing shows what every view has, and each seat has a line of its own.
AROUND = COMMON_KEYS | {"seats"}


@cache
def drawing_of(game: str) -> Drawing:
    """The drawing of the game with this name."""
    module = part_of(game, "terminal")
    return PlainDrawing() if module is None else cast(Drawing, module)


class PlainDrawing:
    """The drawing for games without a module `terminal`: a line for each field of the view, and for each seat."""

    QUIET_KINDS: frozenset[str] = frozenset()

    def draw(self, view: View, words: Words, width: int) -> RenderableType:
        lines = [_line(name, value) for name, value in view.items() if name not in AROUND]
        for seat, place in enumerate(view.get("seats", ())):
            lines.append(seat_name(view, seat, words).append(f"  {_parts(place)}"))
        return Group(*lines)

    def gist(self, view: View, notebook: View, words: Words) -> Text:
        return Text()

    def notes(self, view: View, notebook: View, words: Words, width: int) -> RenderableType:
        return Group(*(_line(name, value) for name, value in notebook.items()))

    def topics(self, words: Words) -> Mapping[str, Topic]:
        return {}

    def topic_of(self, verb: str, params: Mapping[str, Any]) -> str:
        return verb


def _line(name: str, value: Any) -> Text:
    return Text.assemble((f"{name} ", "dim"), words_of(value))


def _parts(place: Any) -> str:
    if not isinstance(place, Mapping):
        return words_of(place)
    return "  ".join(f"{name} {words_of(value)}" for name, value in place.items())
