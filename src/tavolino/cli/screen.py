"""The screen: headings, log, choices and notes around a game's own drawing, and what a person types."""

import sys
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.rule import Rule
from rich.segment import Segment, SegmentLines
from rich.table import Table
from rich.text import Text

from tavolino.cli.words import Words

WIDEST = 110  # wider lines are hard to read
LEAST_PART = 5  # rows of a page shown at once, even if the terminal is lower
AROUND_A_PART = 4  # rows: the heading, an empty one, the question, and the one after its answer
GAP = 2  # between columns
MANY = 6  # more choices than this are shown in columns
# Clear the screen, go to the top left, erase the scrollback, so that the next person cannot scroll up.
WIPE = "\x1b[2J\x1b[H\x1b[3J"


class Leaving(Exception):
    """The person leaves with Ctrl-C, the end of the input, or `q`."""


class Screen:
    """A terminal."""

    def __init__(self, console: Console | None = None):
        self.console = console or Console(highlight=False, markup=False, emoji=False)

    @property
    def width(self) -> int:
        return min(self.console.width, WIDEST)

    @property
    def height(self) -> int:
        return self.console.height

    def rows(self, part: RenderableType) -> list[list[Segment]]:
        """Rendered to rows of this screen's width."""
        return self.console.render_lines(part, self.console.options.update(width=self.width), pad=False)

    def show(self, *parts: RenderableType) -> None:
        for part in parts:
            self.console.print(part, width=self.width)

    def show_line(self, line: str) -> None:
        """Show a line without wrapping, because people copy it."""
        self.console.print(Text(line, style="bold"), soft_wrap=True)

    def clear(self, is_final: bool = False) -> None:
        """Clear the screen; with `is_final` the scrollback too."""
        if self.console.is_terminal and is_final:
            self.console.file.write(WIPE)
            self.console.file.flush()
        else:
            self.console.clear()

    def ask(self, question: str) -> str:
        """Ask for a line of input."""
        self.console.print(Text(question, style="bold"), end=" ")
        try:
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            raise Leaving from None
        if not line:
            raise Leaving
        return line.strip()

    def wait(self, words: Words) -> None:
        self.ask(words.own("press-enter"))

    def show_page(self, title: str, content: RenderableType, words: Words) -> None:
        """Show something long on an empty screen, in several parts if it does not fit."""
        rows, room = self.rows(content), max(LEAST_PART, self.height - AROUND_A_PART)
        parts = [rows[first : first + room] for first in range(0, len(rows), room)] or [[]]
        for number, part in enumerate(parts, start=1):
            self.clear()
            self.show(heading(title, f"{number}/{len(parts)}" if len(parts) > 1 else ""))
            self.show(SegmentLines(part, new_lines=True), Text())
            self.wait(words)


def heading(title: str, remark: str = "") -> Rule:
    text = Text(f" {title} ", style="bold")
    if remark:
        text.append(f"· {remark} ", style="not bold")
    return Rule(text, style="dim", align="left")


def log_lines(events: Sequence[dict[str, Any]], words: Words, fresh_from: int = 0) -> Group:
    """Events as sentences, one a line; those that only this viewer saw are marked, old ones are dim."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=1)
    grid.add_column()
    for at, event in enumerate(events):
        is_secret = bool(event.get("secret"))
        mark = Text("◆" if is_secret else "·", style="bold magenta" if is_secret else "dim")
        sentence = Text(words.tell(event), style="" if at >= fresh_from else "dim")
        if is_secret:
            sentence.append(f" {words.own(_who_saw(event, words))}", style="italic magenta")
        grid.add_row(mark, sentence)
    return Group(grid)


def _who_saw(event: Mapping[str, Any], words: Words) -> str:
    """What the viewer does alone is hidden from the others; if another player takes part, that one may have seen it."""
    is_alone = event.get("seat") == words.viewer and event.get("target") is None
    return "only-you" if is_alone else "not-everybody"


def choices(actions: Sequence[str], words: Words, width: int) -> RenderableType:
    """The numbered choices; many are shown in columns, long ones on rows of their own."""
    lines = [Text.assemble((f"{n:>2} ", "bold cyan"), words.label(action)) for n, action in enumerate(actions, start=1)]
    if len(lines) <= MANY:
        return Group(*lines)
    parts: list[RenderableType] = []
    for is_long, found in groupby(lines, lambda line: line.cell_len * 2 + GAP > width):
        run = list(found)
        parts.append(Group(*run) if is_long else Columns(run, column_first=True, padding=(0, GAP)))
    return Group(*parts)


def note(text: RenderableType, title: str = "", style: str = "cyan") -> Panel:
    """A box for an explanation, a refusal or a hint."""
    return Panel(text, title=title or None, title_align="left", border_style=style, padding=(0, 1))
