"""The table of Mantis: the back of the top card, and every tank colour by colour."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from rich.align import Align
from rich.box import ROUNDED, SIMPLE
from rich.console import Console, Group, RenderableType
from rich.measure import Measurement
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from tavolino.engine.drawing import Sign, Topic, View, Words, bar, chip, seat_name

QUIET_KINDS = frozenset({"back", "dealt"})
# How the head of a column names its colour, and the layouts, widest first: the kind of names, whether there is a track
# of the score, and whether spaces are left out.
WHOLE, SHORT, SIGNS = "whole", "short", "signs"
SHAPES = (
    (WHOLE, True, False),
    (SHORT, True, False),
    (SHORT, False, False),
    (SIGNS, True, False),
    (SIGNS, False, False),
    (SIGNS, False, True),
)
WIDEST_TABLE = 500
# The shapes that the web page uses, as similar as characters allow.
SIGN_OF: dict[str, Sign] = {
    "red": ("●", "bold red"),
    "orange": ("▲", "bold orange3"),
    "yellow": ("✶", "bold yellow"),
    "green": ("♣", "bold green"),
    "blue": ("≈", "bold dodger_blue1"),
    "purple": ("◆", "bold medium_purple1"),
    "pink": ("♥", "bold hot_pink"),
}
ROOM_FOR_NAMES = 90  # in the notebook

ACTION_RULES = {"score": "MA-11", "steal": "MA-13", "take": "MA-23", "end-turn": "MA-41"}
ICON_RULES = {"another-turn": "MA-22", "steal-a-card": "MA-23", "score-and-steal": "MA-24"}
HOWTO = {"score": "howto.4", "steal": "howto.5", "take": "effect.steal-a-card", "end-turn": "howto.7"}


def draw(view: View, words: Words, width: int) -> RenderableType:
    return Group(_draw_pile(view, words), _tanks(view, words, width))


def _draw_pile(view: View, words: Words) -> RenderableType:
    back = view["draw"]["back"]
    if back is None:
        return Align.center(Text(words.say("terminal.no-pile"), style="dim"))
    colours = Text("   ").join(chip(SIGN_OF[colour], words.say(f"colour.{colour}")) for colour in back)
    title = words.say("terminal.pile", size=view["draw"]["size"])
    return Align.center(Panel(colours, title=title, box=ROUNDED, border_style="dim", expand=False, padding=(0, 2)))


def _tanks(view: View, words: Words, width: int) -> RenderableType:
    """The widest layout that fits, so that no name or count is ever cut."""
    ruler = Console(width=WIDEST_TABLE)
    for shape in SHAPES:
        table = _table(view, words, *shape)
        if Measurement.get(ruler, ruler.options, table).maximum <= width:
            break
    return Align.center(table)


def _table(view: View, words: Words, names: str, has_track: bool, is_tight: bool) -> Table:
    """One row a seat, one column a colour; the three colours of the back stand out."""
    on_back = view["draw"]["back"] or ()
    table = Table(box=None if is_tight else SIMPLE, padding=(0, 0 if is_tight else 1), pad_edge=False)
    table.add_column("", no_wrap=not is_tight, overflow="fold")
    for colour, sign in SIGN_OF.items():
        header = chip(sign, _colour_name(colour, words, names))
        if colour in on_back:
            header.stylize("reverse")
        table.add_column(header, justify="center", no_wrap=True, min_width=3)
    table.add_column(Text(words.say("terminal.score")), no_wrap=True)
    for seat, place in enumerate(view["seats"]):
        table.add_row(
            seat_name(view, seat, words),
            *(_stack(colour, place["tank"][colour]) for colour in SIGN_OF),
            _score(place["score"], view["goal"], has_track),
        )
    return table


def _colour_name(colour: str, words: Words, names: str) -> str:
    if names == SIGNS:
        return ""
    return words.say(f"colour.{colour}") if names == WHOLE else words.say(f"terminal.short.{colour}")


def _stack(colour: str, count: int) -> Text:
    if not count:
        return Text("·", style="dim")
    sign, style = SIGN_OF[colour]
    return Text(f"{sign}{count}", style=style)


def _score(score: int, goal: int, has_track: bool) -> Text:
    figures = Text(f"{score:>2}/{goal} ", style="bold")
    return figures + bar(score, goal) if has_track else figures


def gist(view: View, notebook: View, words: Words) -> Text:
    """How likely the top card is of each colour on its back."""
    top = Counter(card.partition(":")[0] for card in notebook["places"]["draw"]["top"])
    if not top:
        return Text()
    chances = [
        chip(SIGN_OF[colour], f"{words.say(f'colour.{colour}')} {count}/{top.total()}") for colour, count in top.items()
    ]
    return Text.assemble(words.say("terminal.top"), "  ", Text("  ").join(chances))


def notes(view: View, notebook: View, words: Words, width: int) -> RenderableType:
    unseen = Table(box=SIMPLE, title=words.say("terminal.unseen"), title_justify="left")
    for colour, sign in SIGN_OF.items():
        unseen.add_column(chip(sign, _colour_name(colour, words, WHOLE if width >= ROOM_FOR_NAMES else SIGNS)))
    unseen.add_row(*(str(notebook["unseen_colours"][colour]) for colour in SIGN_OF))
    parts: list[RenderableType] = [gist(view, notebook, words), unseen]
    if view["icons"]:
        icons = [f"{words.say(f'icon.{icon}')}: {count}" for icon, count in notebook["unseen_icons"].items()]
        parts.append(Text(f"{words.say('terminal.unseen-icons')} {' · '.join(icons)}"))
    return Group(*parts)


def topics(words: Words) -> Mapping[str, Topic]:
    found = {
        verb: Topic(words.say(f"terminal.topic.{verb}"), words.say(HOWTO[verb]), rule)
        for verb, rule in ACTION_RULES.items()
    }
    for icon, rule in ICON_RULES.items():
        found[icon] = Topic(words.say(f"icon.{icon}"), words.say(f"effect.{icon}"), rule)
    for card, facts in words.game.parts["cards"].items():
        front, _, others = card.partition(":")
        back = ", ".join(words.say(f"colour.{colour}") for colour in (front, *others.split("+")))
        icon = facts["icon"]
        found[card] = Topic(
            f"{words.say(f'card.{card}')} ({back})",
            words.say(f"effect.{icon or 'plain'}"),
            ICON_RULES[icon] if icon else "MA-02",
        )
    return found


def topic_of(verb: str, params: Mapping[str, Any]) -> str:
    return verb
