"""Signs before colours: each colour has a shape of its own, so that nobody needs to tell colours apart."""

from rich.text import Text

# sign and style; the shapes are those of the printed page, as near as letters come
MANTIS = {
    "red": ("●", "bold red"),
    "orange": ("▲", "bold orange3"),
    "yellow": ("✶", "bold yellow"),
    "green": ("♣", "bold green"),
    "blue": ("≈", "bold dodger_blue1"),
    "purple": ("◆", "bold medium_purple1"),
    "pink": ("♥", "bold hot_pink"),
}
SPLENDOR = {
    "yellow": ("◉", "bold yellow"),
    "blue": ("■", "bold dodger_blue1"),
    "red": ("◈", "bold red"),
    "orange": ("♠", "bold orange3"),
    "purple": ("↯", "bold medium_purple1"),
    "grey": ("◇", "bold grey70"),
    "green": ("⧗", "bold green"),
}
STONES = {
    "mind-stone": SPLENDOR["yellow"],
    "soul-stone": SPLENDOR["orange"],
    "space-stone": SPLENDOR["blue"],
    "power-stone": SPLENDOR["purple"],
    "reality-stone": SPLENDOR["red"],
    "time-stone": SPLENDOR["green"],
}
TO_ACT = "▸"


def chip(sign: tuple[str, str], text: str = "") -> Text:
    """A sign with a word or a number beside it, both in its colour."""
    return Text(f"{sign[0]} {text}".rstrip() if text else sign[0], style=sign[1])


def bar(value: int, whole: int, style: str = "bold green") -> Text:
    """A track of so many spaces, some of them reached."""
    reached = max(0, min(value, whole))
    return Text.assemble(("▰" * reached, style), ("▱" * (whole - reached), "dim"))
