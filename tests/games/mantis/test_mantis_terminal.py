"""The table of Mantis in terminals of any width: it takes less room, but nothing of it is cut."""

import random

import pytest
from rich.console import Console

import tavolino
from tavolino.cli.drawings import drawing_of
from tavolino.cli.words import Words


@pytest.mark.parametrize("language", ["en", "it", "pl"])
@pytest.mark.parametrize("players", [2, pytest.param(4, marks=pytest.mark.long), 6])
@pytest.mark.parametrize("guest", [pytest.param(None, marks=pytest.mark.long), "Massimiliano Ferdinando"])
def test_no_name_and_no_count_is_cut(language: str, players: int, guest: str | None) -> None:
    match = tavolino.load("mantis").start(players, "narrow")
    chance = random.Random(1)
    for _ in range(25):
        if not match.over:
            match.play(chance.choice(match.legal()))
    view = match.view(0)
    for width in range(40, 121, 4):
        for people in ((0,), tuple(range(players))):
            words = Words(match.game, language, people, 0, guest)
            console = Console(width=width)
            with console.capture() as shown:
                console.print(drawing_of("mantis").draw(view, words, width))
            assert "…" not in shown.get(), width
            assert all(f"{place['score']}/{view['goal']}" in shown.get() for place in view["seats"])
