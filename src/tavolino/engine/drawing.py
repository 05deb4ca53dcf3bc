"""The interface of a game's drawing in the terminal, with Rich, and the signs that drawings share.

A game's module `terminal` has the functions of `Drawing`. It draws a view, never the match, and its sentences are in
the game's texts, under keys that begin with `terminal.`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from rich.console import RenderableType
from rich.text import Text

if TYPE_CHECKING:
    from tavolino.engine.game import Game

View = Mapping[str, Any]
Sign = tuple[str, str]  # a shape and its style: colour is never the only difference
TO_ACT = "▸"


class Words(Protocol):
    """The sentences of one table in one language, for one viewer."""

    @property
    def game(self) -> "Game": ...

    def say(self, key: str, params: Mapping[str, Any] | None = None, /, **named: Any) -> str:
        """A sentence of the game."""

    def own(self, key: str, /, **params: Any) -> str:
        """A sentence of the terminal, the same in every game."""

    def name(self, seat: int) -> str: ...


@dataclass(frozen=True)
class Topic:
    """Something that `?` can explain: a card, a tile, an icon, an action."""

    title: str
    text: str
    rule: str = ""
    more_rules: tuple[str, ...] = ()  # others that matter for it


class Drawing(Protocol):
    """The functions of a game's module `terminal`."""

    # Kinds of events that the drawn table already shows: the short log omits them.
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


def chip(sign: Sign, text: str = "") -> Text:
    """A sign with a word or a number beside it, both in its colour."""
    return Text(f"{sign[0]} {text}".rstrip() if text else sign[0], style=sign[1])


def bar(value: int, whole: int, style: str = "bold green") -> Text:
    """A track of `whole` spaces, of which `value` are filled."""
    reached = max(0, min(value, whole))
    return Text.assemble(("▰" * reached, style), ("▱" * (whole - reached), "dim"))
