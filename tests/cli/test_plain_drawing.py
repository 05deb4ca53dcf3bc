"""The drawing of a game that has none of its own takes any view."""

import io
import random

from rich.console import Console

import tavolino
from tavolino.cli.drawings import PlainDrawing
from tavolino.cli.words import Words


def test_every_game_can_be_printed_without_its_drawing(game: tavolino.Game) -> None:
    chance, match = random.Random(1), game.start(game.players[0], "plain")
    for _ in range(30):
        if not match.over:
            match.play(chance.choice(match.legal()))
    console = Console(width=80, file=io.StringIO())
    words = Words(game, "en", (0,), 0)
    console.print(PlainDrawing().draw(match.view(0), words, 80))
    console.print(PlainDrawing().notes(match.view(0), match.notebook(0), words, 80))
