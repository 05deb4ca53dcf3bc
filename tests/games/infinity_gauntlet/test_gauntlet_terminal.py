"""What the terminal says of hidden cards: what is certain is said so, numbers in a row are a range."""

from io import StringIO
from typing import Any

import pytest
from rich.console import Console

import tavolino
from tavolino.cli.screen import log_lines
from tavolino.cli.words import Words
from tavolino.engine.drawing import View
from tavolino.games.infinity_gauntlet import terminal

GAME = tavolino.load("infinity-gauntlet")
HEROES = [card for card, facts in GAME.parts["cards"].items() if facts["deck"] == "hero"]
VIEW: View = {"seat": 0, "seats": [{"hand": ["thanos"]}, {"hand": None}, {"hand": None}]}


def notebook(*hands: list[list[str]]) -> dict[str, Any]:
    known = [[place[0] for place in hand if len(place) == 1] for hand in hands]
    return {
        "places": {"hands": hands},
        "known": {"hands": known, "decks": {}},
        "together": [],
        "unseen": {},
    }


def printed(drawing: Any) -> str:
    out = StringIO()
    Console(file=out, width=120).print(drawing)
    return out.getvalue()


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", ["Olive is holding:", "  6·Iron Man", "Saffron is holding:", "  one of 16 cards (1–6)"]),
        ("it", ["Oliva ha in mano:", "  6·Iron Man", "Zafferano ha in mano:", "  una di 16 carte (1–6)"]),
        ("pl", ["Oliwka ma na ręce:", "  6·Iron Man", "Szafran ma na ręce:", "  jedną z 16 kart (wartość 1–6)"]),
    ],
)
def test_a_card_that_is_certain_is_not_only_possible(language: str, lines: list[str]) -> None:
    words = Words(GAME, language, [0], 0)
    drawn = printed(terminal.notes(VIEW, notebook([], [["iron-man"]], [HEROES]), words, 120))
    assert drawn.splitlines()[: len(lines)] == lines


def test_numbers_with_a_gap_are_several_ranges() -> None:
    words = Words(GAME, "en", [0], 0)
    some = [card for card in HEROES if GAME.parts["cards"][card]["number"] in (1, 2, 3, 6)]
    assert "one of 11 cards (1–3, 6)" in printed(terminal.notes(VIEW, notebook([], [some]), words, 120))


def test_a_known_card_is_followed_by_its_holder() -> None:
    words = Words(GAME, "en", [0], 0)
    known = terminal.gist(VIEW, notebook([], [["iron-man"]], [["vision"]]), words)
    assert known.plain == "You know: 6·Iron Man (Olive); 5·Vision (Saffron)"


def test_the_log_says_who_did_not_see_it() -> None:
    """A card that the viewer draws is hidden from the others; what two players see together, not from everybody."""
    drawn = {"kind": "drawn", "seat": 0, "card": "hulk", "secret": True}
    looked = {"kind": "looked", "seat": 0, "target": 1, "card": "thanos", "secret": True}
    lines = printed(log_lines([drawn, looked], Words(GAME, "en", [0], 0))).splitlines()
    assert [line.strip() for line in lines] == [
        "◆ You draw Hulk. (hidden from the others)",
        "◆ You see the Thanos card in Thanos’s hand. (not everybody saw this)",
    ]
