"""The table of Infinity Gauntlet: two sides with their life, six stones, and a row for each seat."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from typing import Any

from rich.box import SIMPLE
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from tavolino.engine.drawing import Sign, Topic, View, Words, seat_name

QUIET_KINDS: frozenset[str] = frozenset({"turn-ended"})
ROOM_FOR_TABLE = 72
TOKEN = "✚"
# The shapes that the web page uses, as similar as characters allow.
STONES: dict[str, Sign] = {
    "mind-stone": ("◉", "bold yellow"),
    "soul-stone": ("♠", "bold orange3"),
    "space-stone": ("■", "bold dodger_blue1"),
    "power-stone": ("↯", "bold medium_purple1"),
    "reality-stone": ("◈", "bold red"),
    "time-stone": ("⧗", "bold green"),
}

# The rules of each card: heroes by their number, Thanos' cards by name.
HERO_RULES = {
    1: ("IG-51", "IG-52"),
    2: ("IG-53", "IG-54"),
    3: ("IG-55",),
    4: ("IG-56",),
    5: ("IG-57", "IG-58"),
    6: ("IG-59",),
}
THANOS_RULES = {
    "outrider": ("IG-61",),
    "mind-stone": ("IG-62", "IG-21"),
    "corvus-glaive": ("IG-63",),
    "soul-stone": ("IG-64", "IG-21"),
    "black-dwarf": ("IG-65",),
    "space-stone": ("IG-66", "IG-67", "IG-68", "IG-21"),
    "proxima-midnight": ("IG-69",),
    "power-stone": ("IG-69", "IG-21"),
    "ebony-maw": ("IG-70", "IG-84"),
    "reality-stone": ("IG-71", "IG-84", "IG-21"),
    "time-stone": ("IG-72", "IG-84", "IG-21"),
    "thanos": ("IG-14", "IG-21"),
}


def draw(view: View, words: Words, width: int) -> RenderableType:
    return Group(_life(view, words), _stones(view, words), _seats(view, words, width))


def _life(view: View, words: Words) -> Text:
    """The life and the size of the deck of each side."""
    line = Text()
    for side, deck, style in (
        ("heroes", "hero", "bold dodger_blue1"),
        ("thanos", "thanos", "bold medium_purple1"),
    ):
        life = view["life"][side]
        line.append(f"{words.say(f'terminal.{side}')} ", style)
        line.append("♥" * life or "–", "bold red")
        line.append(f" {life}", "bold")
        line.append(f" · {words.say(f'deck.{deck}')} {view['decks'][deck]}    ", "dim")
    line.rstrip()
    return line


def _stones(view: View, words: Words) -> Text:
    """The six stones; those that are face up are highlighted."""
    line = Text(f"{words.say('terminal.stones', count=len(view['stones']))} ")
    for stone, (sign, style) in STONES.items():
        is_out = stone in view["stones"]
        name = words.say(f"card.{stone}")
        line.append(f" {sign} {name}" if is_out else f" {sign}", style if is_out else "dim")
    return line


def _seats(view: View, words: Words, width: int) -> RenderableType:
    if width < ROOM_FOR_TABLE:
        return Group(*(_narrow_seat(view, seat, words) for seat in range(view["players"])))
    table = Table(box=SIMPLE, pad_edge=False, expand=True, show_lines=False)
    table.add_column("", no_wrap=True)
    table.add_column(words.say("terminal.hand"), no_wrap=True)
    table.add_column(TOKEN, justify="center")
    table.add_column(words.say("terminal.face-up"), ratio=1)
    for seat, place in enumerate(view["seats"]):
        table.add_row(
            _name_and_role(view, seat, words),
            _hand(place, words, "\n"),
            Text(f"{TOKEN}{place['tokens']}", style="bold yellow") if place["tokens"] else Text("·", style="dim"),
            _cards(place["face_up"], words) if place["face_up"] else Text("·", style="dim"),
        )
    return table


def _narrow_seat(view: View, seat: int, words: Words) -> RenderableType:
    place = view["seats"][seat]
    line = _name_and_role(view, seat, words) + Text("  ") + _hand(place, words)
    if place["tokens"]:
        line.append(f"  {TOKEN}{place['tokens']}", style="bold yellow")
    if not place["face_up"]:
        return line
    return Group(line, Padding(_cards(place["face_up"], words), (0, 0, 0, 4)))


def _name_and_role(view: View, seat: int, words: Words) -> Text:
    role = view["seats"][seat]["role"]
    sign, style = ("♛", "medium_purple1") if role == "thanos" else ("☆", "dodger_blue1")
    return seat_name(view, seat, words).append(f" {sign} {words.say(f'role.{role}')}", style=style)


def _hand(place: Mapping[str, Any], words: Words, between: str = ", ") -> Text:
    """The cards if the viewer may see them; else their backs."""
    if place["hand"] is None:
        return Text("▮ " * place["hand_size"], style="dim") if place["hand_size"] else Text("·", style="dim")
    return _cards(place["hand"], words, "bold", between)


def _cards(cards: Sequence[str], words: Words, style: str = "", between: str = ", ") -> Text:
    return Text(between).join(card_text(card, words, style) for card in cards)


def card_text(card: str, words: Words, style: str = "") -> Text:
    """A card as its number and name; stones with their sign."""
    number = words.game.parts["cards"][card]["number"]
    text = Text.assemble((f"{number}·", "bold"), (words.say(f"card.{card}"), style))
    if card in STONES:
        sign, colour = STONES[card]
        text.append(f" {sign}", style=colour)
    return text


# -- the notebook


def gist(view: View, notebook: View, words: Words) -> Text:
    """Cards that the viewer knows in the hands of others."""
    known = [
        Text.assemble(_cards(cards, words, "bold"), f" ({words.name(seat)})")
        for seat, cards in enumerate(notebook["known"]["hands"])
        if cards and seat != view["seat"] and view["seats"][seat]["hand"] is None
    ]
    if not known:
        return Text()
    return Text.assemble(f"{words.say('terminal.known')} ", Text("; ").join(known))


def notes(view: View, notebook: View, words: Words, width: int) -> RenderableType:
    lines: list[RenderableType] = []
    for seat, hand in enumerate(notebook["places"]["hands"]):
        if seat != view["seat"] and hand:
            lines += [Text(words.say("terminal.holds", seat=seat), style="bold"), *_places(hand, words)]
    for told in notebook["together"]:
        numbers = ", ".join(str(number) for number in told["numbers"])
        lines.append(Text(words.say(f"note.{told['key']}", {**told, "numbers": numbers})))
    for side, deck in notebook["known"]["decks"].items():
        for place, card in deck.items():
            lines.append(
                Text.assemble(words.say("terminal.deck-place", deck=side, place=place), " ", card_text(card, words))
            )
    for side in ("hero", "thanos"):
        unseen = {
            card: count for card, count in notebook["unseen"].items() if words.game.parts["cards"][card]["deck"] == side
        }
        lines += [Text(words.say(f"terminal.unseen.{side}"), style="bold"), _by_number(unseen, words)]
    return Group(*lines)


def _places(hand: Sequence[Sequence[str]], words: Words) -> list[Text]:
    """What each hidden card of a hand can be: one card, or a count for each number."""
    lines = []
    for place in hand:
        if len(place) == 1:
            lines.append(Text("  ") + card_text(place[0], words, "bold"))
        else:
            numbers = {words.game.parts["cards"][card]["number"] for card in place}
            lines.append(Text(f"  {words.say('terminal.one-of', numbers=_ranges(numbers), count=len(place))}"))
    return lines


def _ranges(numbers: Collection[int]) -> str:
    """Numbers in order, three or more in a row as a range: 1–4, 6."""
    parts: list[str] = []
    for _, pairs in groupby(enumerate(sorted(numbers)), lambda pair: pair[1] - pair[0]):
        run = [number for _, number in pairs]
        parts += [f"{run[0]}–{run[-1]}"] if len(run) > 2 else [str(number) for number in run]
    return ", ".join(parts)


def _by_number(unseen: Mapping[str, int], words: Words) -> Text:
    total: Counter[int] = Counter()
    for card, count in unseen.items():
        total[words.game.parts["cards"][card]["number"]] += count
    return Text("  " + "   ".join(f"{number} ×{total[number]}" for number in sorted(total)) if total else "  –")


# -- what `?` explains


def topics(words: Words) -> Mapping[str, Topic]:
    found = {}
    for card, facts in words.game.parts["cards"].items():
        rule, *more = HERO_RULES[facts["number"]] if facts["deck"] == "hero" else THANOS_RULES[card]
        title = f"{words.say(f'card.{card}')} ({facts['number']})"
        found[card] = Topic(title, words.say(f"effect.{card}"), rule, tuple(more))
    found["power"] = Topic(words.say("token.power"), words.say("terminal.explain.power"), "IG-45")
    return found


def topic_of(verb: str, params: Mapping[str, Any]) -> str:
    return str(params.get("card", verb))
