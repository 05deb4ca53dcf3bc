"""In a terminal of 80 columns and 24 rows everything that must be read fits."""

import io
import re

import pytest
from rich.console import Console

import tavolino
from tavolino.cli.screen import Screen, choices, log_lines
from tavolino.cli.words import Words
from tests.cli.conftest import Sit

ROWS = 24


def screen(rows: int = ROWS) -> Screen:
    return Screen(Console(file=io.StringIO(), width=80, height=rows, highlight=False, markup=False))


@pytest.mark.parametrize("language", ["en", "it", "pl"])
def test_thirty_choices_fit_though_some_are_long(language: str) -> None:
    match = tavolino.load("splendor-marvel").start(4, "low")
    words = Words(match.game, language, (0,), 0)
    lines = screen().rows(choices(match.legal(), words, 80))
    texts = ["".join(segment.text for segment in line) for line in lines]
    assert len(match.legal()) == 30
    assert len(texts) <= ROWS - 4
    numbers = [int(number) for text in texts for number in re.findall(r"(?:^|  ) ?(\d+) [^\d]", text)]
    assert sorted(numbers) == list(range(1, 31))
    assert all(len(text) <= 80 for text in texts)


def test_a_long_page_comes_in_parts_that_fit(sit: Sit) -> None:
    terminal = sit("play", "splendor-marvel", "--players", "2", "--seed", "low", "--bots", "random", rows=ROWS)
    terminal.ask()
    terminal.type("?")
    first = terminal.expect("Press Enter to continue.")
    assert "1/2" in first
    assert first.count("\n") < ROWS
    terminal.type("")
    second = terminal.expect("Press Enter to continue.")
    assert "2/2" in second
    assert "q quits and saves the game." in second
    terminal.type("")
    terminal.ask()
    terminal.type("k")  # beside so many choices the notebook has a page of its own
    assert "Your notebook" in terminal.expect("Press Enter to continue.")
    terminal.type("")
    assert terminal.ask() is not None
    terminal.type("q")
    assert terminal.end() == 0


def test_every_line_of_a_page_is_shown_once(monkeypatch: pytest.MonkeyPatch) -> None:
    match = tavolino.load("mantis").start(6, "log")
    while match.to_act is not None:
        match.play(match.legal()[-1])
    words = Words(match.game, "en", (0,), 0)
    low = screen()
    waits: list[str] = []
    monkeypatch.setattr(low, "wait", waits.append)
    log = log_lines(match.view(0)["log"], words)
    low.show_page("Log", log, words)
    rows = len(low.rows(log))
    assert len(waits) == -(-rows // (ROWS - 4)) > 2
    assert isinstance(low.console.file, io.StringIO)
    assert low.console.file.getvalue().count("·") >= len(match.view(0)["log"])
