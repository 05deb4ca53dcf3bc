"""The drawing of each game's table in the terminal, from a view and never from the match."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol, cast

from rich.console import RenderableType
from rich.text import Text

from tavolino.cli.tables.signs import TO_ACT
from tavolino.cli.words import Words

View = Mapping[str, Any]


@dataclass(frozen=True)
class Topic:
    """Something that `?` can explain: a card, a tile, an icon, an action."""

    title: str
    text: str
    rule: str


class Drawing(Protocol):
    """What each module here gives."""

    # Kinds of events that the table itself shows well enough: they are left out of the short log.
    QUIET_KINDS: frozenset[str]

    def draw(self, view: View, words: Words, width: int) -> RenderableType:
        """The table as the viewer sees it, the viewer's own hand included."""

    def gist(self, view: View, notebook: View, words: Words) -> Text:
        """What the viewer can work out that matters most now, in a line; empty when there is nothing."""

    def notes(self, view: View, notebook: View, words: Words, width: int) -> RenderableType:
        """The whole notebook."""

    def topics(self, words: Words) -> Mapping[str, Topic]:
        """Everything that can be explained, by id."""

    def topic_of(self, verb: str, params: Mapping[str, Any]) -> str:
        """The id of the topic that a choice is about."""


def seat_name(view: View, seat: int, words: Words) -> Text:
    """The name at a seat; a sign marks whose decision is awaited, a word which seat is the viewer's."""
    is_asked, is_own = view["to_act"] == seat, view["seat"] == seat
    name = Text.assemble(
        (f"{TO_ACT} " if is_asked else "  ", "bold cyan"), (words.name(seat), "bold" if is_own else "")
    )
    return name.append(f" {words.own('you')}") if is_own else name


def drawing_of(game: str) -> Drawing:
    """The drawing of a game, by its name."""
    return cast(Drawing, import_module(f"tavolino.cli.tables.{game.replace('-', '_')}"))
