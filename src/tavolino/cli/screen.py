"""The screen: what is drawn around a game's own table, and lines typed by a person."""

import sys
from collections.abc import Sequence
from typing import Any

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from tavolino.cli.words import Words

WIDEST = 110  # wider lines are hard to read
# Clear, go to the top left, and forget what has scrolled away: the next person must not scroll up to it.
WIPE = "\x1b[2J\x1b[H\x1b[3J"


class Leaving(Exception):
    """The person wants to go: Ctrl-C, the end of the input, or `q`."""


class Screen:
    """A terminal of some width, with colours where it has them."""

    def __init__(self, console: Console | None = None):
        self.console = console or Console(highlight=False, markup=False, emoji=False)

    @property
    def width(self) -> int:
        return min(self.console.width, WIDEST)

    def show(self, *parts: RenderableType) -> None:
        for part in parts:
            self.console.print(part, width=self.width)

    def show_line(self, line: str) -> None:
        """A line to be copied: never wrapped, however narrow the terminal is."""
        self.console.print(Text(line, style="bold"), soft_wrap=True)

    def clear(self, is_final: bool = False) -> None:
        """An empty screen; a final one cannot be scrolled back."""
        if self.console.is_terminal and is_final:
            self.console.file.write(WIPE)
            self.console.file.flush()
        else:
            self.console.clear()

    def ask(self, question: str) -> str:
        """A line that the person types."""
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


def heading(title: str, remark: str = "") -> Rule:
    text = Text(f" {title} ", style="bold")
    if remark:
        text.append(f"· {remark} ", style="not bold")
    return Rule(text, style="dim", align="left")


def log_lines(events: Sequence[dict[str, Any]], words: Words, fresh_from: int = 0) -> Group:
    """Events as sentences, one a line; what only this viewer saw bears a mark, what is old is dimmer."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=1)
    grid.add_column()
    for at, event in enumerate(events):
        is_secret = bool(event.get("secret"))
        mark = Text("◆" if is_secret else "·", style="bold magenta" if is_secret else "dim")
        sentence = Text(words.tell(event), style="" if at >= fresh_from else "dim")
        if is_secret:
            sentence.append(f" {words.own('only-you')}", style="italic magenta")
        grid.add_row(mark, sentence)
    return Group(grid)


def choices(actions: Sequence[str], words: Words, width: int) -> RenderableType:
    """The numbered choices; in columns when there are many short ones."""
    lines = [Text.assemble((f"{n:>2} ", "bold cyan"), words.label(action)) for n, action in enumerate(actions, start=1)]
    longest = max((line.cell_len for line in lines), default=0)
    if len(lines) > 6 and longest * 2 + 3 <= width:
        return Columns(lines, equal=True, column_first=True, padding=(0, 2))
    return Group(*lines)


def note(text: RenderableType, title: str = "", style: str = "cyan") -> Panel:
    """A box for a word aside: an explanation, a refusal, a hint."""
    return Panel(text, title=title or None, title_align="left", border_style=style, padding=(0, 1))
