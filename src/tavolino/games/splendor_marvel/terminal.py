"""The table of Splendor: Marvel: three rows of characters, tokens, locations, and a row for each seat."""

from collections.abc import Mapping
from typing import Any
from unicodedata import combining, normalize

from rich.box import ROUNDED, SIMPLE
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from tavolino.engine.drawing import Sign, Topic, View, Words, chip, seat_name

QUIET_KINDS: frozenset[str] = frozenset({"row", "locations", "refilled"})
COLOURS = ("yellow", "blue", "red", "orange", "purple")
ROOM_FOR_ROWS = 72  # wide enough for four cards side by side
CARD_WIDTH = 17
TILE_RULES = {"avengers": "SM-21", "gauntlet": "SM-30"}
ACTION_RULES = {
    "take": "SM-10",
    "take-two": "SM-11",
    "reserve-blind": "SM-13",
    "pay": "SM-17",
    "grey": "SM-17",
    "return": "SM-23",
    "pass": "SM-19",
}
# The shapes that the web page uses, as similar as characters allow.
SIGN_OF: dict[str, Sign] = {
    "yellow": ("◉", "bold yellow"),
    "blue": ("■", "bold dodger_blue1"),
    "red": ("◈", "bold red"),
    "orange": ("♠", "bold orange3"),
    "purple": ("↯", "bold medium_purple1"),
    "grey": ("◇", "bold grey70"),
    "green": ("⧗", "bold green"),
}
AVENGERS = "A"  # repeated for each Avengers symbol of a card


def draw(view: View, words: Words, width: int) -> RenderableType:
    rows = _rows_side_by_side(view, words, width) if width >= ROOM_FOR_ROWS else _rows_as_lines(view, words)
    return Group(rows, _bank(view, words), _locations(view, words), _seats(view, words, width), *_reserved(view, words))


def price_text(price: Mapping[str, int]) -> Text:
    """A cost: the number of each colour that it needs."""
    parts = [_counted(colour, price[colour]) for colour in COLOURS if price.get(colour)]
    return Text(" ").join(parts) if parts else Text("0", style="dim")


def _counted(colour: str, count: int) -> Text:
    sign, style = SIGN_OF[colour]
    return Text(f"{sign}{count}", style=style)


def _card_lines(card: str, view: View, words: Words) -> tuple[Text, Text, Text]:
    """Name; bonus, points and Avengers symbols; cost. What the viewer can pay has a tick."""
    facts = words.game.parts["cards"][card]
    name = Text(words.say(f"card.{card}"), style="bold", no_wrap=True, overflow="ellipsis")
    worth = chip(SIGN_OF[facts["bonus"]])
    if facts["points"]:
        worth.append(f"  {facts['points']}★", style="bold white")
    if facts["avengers"]:
        worth.append(f"  {AVENGERS * facts['avengers']}", style="bold cyan")
    if card in view["affordable"]:
        worth.append("  ✓", style="bold green")
    return name, worth, price_text(facts["cost"])


def _rows_side_by_side(view: View, words: Words, width: int) -> RenderableType:
    grid = Table.grid(padding=(0, 0), pad_edge=False)
    card_width = min(CARD_WIDTH + 4, (width - 4) // 4)
    for _ in range(5):
        grid.add_column(vertical="middle")
    for level in ("3", "2", "1"):
        deck = Text(f"{level}\n▤\n{view['decks'][level]}", style="dim", justify="center")
        cells: list[RenderableType] = [deck]
        for card in view["rows"][level]:
            content = Text("\n").join(_card_lines(card, view, words)) if card else Text("\n–\n", style="dim")
            content.no_wrap = True
            content.overflow = "ellipsis"
            style = "green" if card in view["affordable"] else "dim"
            cells.append(Panel(content, box=ROUNDED, width=card_width, border_style=style, padding=(0, 1)))
        grid.add_row(*cells)
    return grid


def _rows_as_lines(view: View, words: Words) -> RenderableType:
    table = Table.grid(padding=(0, 1))
    for level in ("3", "2", "1"):
        table.add_row(Text(words.say("terminal.level", level=level, left=view["decks"][level]), style="dim"))
        for card in view["rows"][level]:
            if card:
                table.add_row(*_card_lines(card, view, words))
    return table


def _bank(view: View, words: Words) -> Text:
    """How many tokens lie in the middle; the names make it a legend for the signs."""
    tokens = [
        chip(SIGN_OF[colour], f"{words.say(f'terminal.short.{colour}')} {count}")
        for colour, count in view["bank"].items()
    ]
    return Text.assemble(f"{words.say('terminal.bank')} ", Text("  ").join(tokens))


def _locations(view: View, words: Words) -> RenderableType:
    lines = [
        Text.assemble(
            (words.say(f"location.{location}"), "bold"),
            " ",
            price_text(words.game.parts["locations"][location]["cost"]),
        )
        for location in view["locations"]
    ]
    if not lines:
        return Text(words.say("terminal.no-locations"), style="dim")
    return Text.assemble(f"{words.say('terminal.locations')} ", Text("  ·  ").join(lines))


def _seats(view: View, words: Words, width: int) -> RenderableType:
    """Tokens and, in brackets, bonuses of each colour; points; what is still missing for the Gauntlet."""
    table = Table(box=SIMPLE, pad_edge=False, padding=(0, 1) if width >= ROOM_FOR_ROWS else (0, 0))
    table.add_column(Text(words.say("terminal.tokens-and-bonuses"), style="dim"), max_width=16)
    for colour in (*COLOURS, "grey", "green"):
        table.add_column(chip(SIGN_OF[colour]), justify="center", no_wrap=True)
    table.add_column("★", justify="right", no_wrap=True)
    table.add_column(Text(AVENGERS), justify="center", no_wrap=True)
    table.add_column(words.say("terminal.reserved"), overflow="fold")
    for seat, place in enumerate(view["seats"]):
        table.add_row(
            seat_name(view, seat, words),
            *(_held(place, colour) for colour in (*COLOURS, "grey", "green")),
            Text(str(place["points"]), style="bold green" if place["gauntlet"]["met"] else "bold"),
            _avengers(view, seat),
            _backs(place),
        )
    return table


def _held(place: Mapping[str, Any], colour: str) -> Text:
    tokens, bonus = place["tokens"][colour], place["bonuses"].get(colour, 0)
    style = SIGN_OF[colour][1] if tokens or bonus else "dim"
    return Text(f"{tokens or '·'}" + (f"+{bonus}" if bonus else ""), style=style)


def _avengers(view: View, seat: int) -> Text:
    count = view["seats"][seat]["avengers"]
    has_tile = view["avengers_tile"] == seat
    return Text(f"{count or '·'}" + ("▣" if has_tile else ""), style="bold cyan" if has_tile else "cyan")


def _backs(place: Mapping[str, Any]) -> Text:
    """The levels of the reserved cards."""
    return Text(" ".join(f"▤{reserved['level']}" for reserved in place["reserved"]) or "·", style="dim")


def _reserved(view: View, words: Words) -> list[Text]:
    """The viewer's own reserved cards with their cost; on an open table those of everybody."""
    lines = []
    for seat, place in enumerate(view["seats"]):
        cards = [reserved["card"] for reserved in place["reserved"] if reserved["card"]]
        if cards and view["seat"] in (seat, None):
            shown = Text("  ·  ").join(_reserved_card(card, view, words) for card in cards)
            lines.append(Text.assemble(f"{words.say('terminal.hand', seat=seat)} ", shown))
    return lines


def _reserved_card(card: str, view: View, words: Words) -> Text:
    facts = words.game.parts["cards"][card]
    text = Text.assemble((words.say(f"card.{card}"), "bold"), " ", chip(SIGN_OF[facts["bonus"]]))
    if facts["points"]:
        text.append(f" {facts['points']}★")
    text.append(" ← ").append_text(price_text(facts["cost"]))
    return text.append(" ✓", style="bold green") if card in view["affordable"] else text


# -- the notebook


def gist(view: View, notebook: View, words: Words) -> Text:
    """How far the viewer is on the way to the Gauntlet."""
    if view["seat"] is None:
        return Text()
    way = view["seats"][view["seat"]]["gauntlet"]
    stone = words.say(f"terminal.stone.{'yes' if way['green'] else 'no'}")
    return Text(words.say("terminal.way", points=way["points"], colours=way["colours"], stone=stone))


def notes(view: View, notebook: View, words: Words, width: int) -> RenderableType:
    lines: list[RenderableType] = [gist(view, notebook, words)]
    for known in notebook["known"]["reserved"]:
        if known["seat"] != view["seat"]:
            params = {"seat": known["seat"], "card": words.say(f"card.{known['card']}")}
            lines.append(Text(words.say("terminal.known-reserved", **params)))
    for level, deck in notebook["places"]["decks"].items():
        lines.append(Text(words.say("terminal.unseen", level=level, left=deck["size"]), style="bold"))
        names = sorted((words.say(f"card.{card}") for card in deck["cards"]), key=_without_marks)
        lines.append(Text("  " + (", ".join(names) or "–")))
    return Group(*lines)


def _without_marks(name: str) -> str:
    """The letters without their accents and tails: ę is sorted as e."""
    return "".join(letter for letter in normalize("NFD", name.replace("ł", "l")) if not combining(letter)).lower()


# -- what `?` explains


def topics(words: Words) -> Mapping[str, Topic]:
    found = {}
    for card, facts in words.game.parts["cards"].items():
        text = words.say(
            "terminal.explain-card",
            level=facts["level"],
            colour=facts["bonus"],
            points=facts["points"],
            avengers=facts["avengers"],
            cost=price_text(facts["cost"]).plain,
            green=facts["green"],
        )
        found[card] = Topic(words.say(f"card.{card}"), text, "SM-15")
    for location, facts in words.game.parts["locations"].items():
        cost = price_text(facts["cost"]).plain
        text = words.say("terminal.explain-location", points=facts["points"], cost=cost)
        found[location] = Topic(words.say(f"location.{location}"), text, "SM-22")
    for tile, rule in TILE_RULES.items():
        found[tile] = Topic(words.say(f"tile.{tile}"), words.say(f"terminal.explain.{tile}"), rule)
    for verb, rule in ACTION_RULES.items():
        found[verb] = Topic(words.say(f"terminal.topic.{verb}"), words.say(f"explain.{verb}"), rule)
    return found


def topic_of(verb: str, params: Mapping[str, Any]) -> str:
    return str(params.get("card") or params.get("location") or verb)
