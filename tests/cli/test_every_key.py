"""Whole games in the terminal in which every key is pressed: each game in each language."""

import io
import random
import re
from collections.abc import Iterator
from functools import partial
from itertools import cycle

import pytest
from rich.console import Console

import tavolino
from tavolino.cli import session
from tavolino.cli.drawings import drawing_of
from tavolino.cli.saved import SeatPlan
from tavolino.cli.screen import Screen
from tavolino.cli.session import Session
from tavolino.cli.words import Words
from tavolino.coach.judge import advise
from tests.sampling import each_language_and_each

SEAT = 1  # at Infinity Gauntlet a hero: Thanos knows his own cards, so his notebook has no sentences
SEED = "every key"  # with it, the hero at Infinity Gauntlet gets sentences in the notebook
OTHER_KEYS = ("h", "l", "?", "? 1", "? topic", "", "x", "9999", "not an action", "u")
NOT_A_TEXT = re.compile(r"\b(prompt|event|action|outcome|note|reason|refusal|terminal)\.[a-z]")


class Keyboard(Screen):
    """A screen that is written into memory, and a person who types."""

    def __init__(self, game: tavolino.Game, language: str, people: tuple[int, ...], players: int):
        self.written = io.StringIO()
        super().__init__(Console(file=self.written, width=80, height=24, highlight=False))
        bots = {seat: "random" for seat in range(players) if seat not in people}
        plan = SeatPlan(people, bots)
        self.session = Session(game.start(players, SEED), plan, language, self, pace=0, taken_back=[])
        self.pressed: set[str] = set()
        self.has_had_notes = False
        self._chance = random.Random(SEED)
        self._topics = cycle(drawing_of(game.name).topics(Words(game, language, people, people[0])))
        self._turns = cycle(OTHER_KEYS)
        self._steps: set[str] = set()  # those at which every key has been pressed
        self._keys: Iterator[str] = iter(())

    def ask(self, question: str) -> str:
        if question != "❯":  # it waits for Enter
            return ""
        typed = next(self._keys, None)
        if typed is None:
            self._keys = self._keys_of_a_decision()
            typed = next(self._keys)
        self.pressed.add(typed)
        return f"? {next(self._topics)}" if typed == "? topic" else typed

    def _keys_of_a_decision(self) -> Iterator[str]:
        """Every key where a step of a turn comes for the first time; then the notebook and one other key in turn."""
        match = self.session.match
        seat, step = match.to_act, match.view(None)["step"]
        self.has_had_notes |= bool(match.notebook(seat).get("together"))
        yield "k"
        yield from OTHER_KEYS if step not in self._steps else (next(self._turns),)
        self._steps.add(step)
        yield str(self._chance.randint(1, len(self.session.match.legal())))


@pytest.fixture(autouse=True)
def quick_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "advise", partial(advise, iterations=20))


def play_with_every_key(name: str, language: str, people: tuple[int, ...] = (SEAT,), players: int = 3) -> Keyboard:
    screen = Keyboard(tavolino.load(name), language, people, players)
    screen.session.play()
    assert screen.session.match.over
    assert {"k", *OTHER_KEYS} <= screen.pressed
    assert (key := NOT_A_TEXT.search(screen.written.getvalue())) is None, f"a key is no text: {key}"
    return screen


@each_language_and_each(tavolino.games(), others=pytest.mark.slow)
def test_a_person_alone_can_press_every_key(game: str, language: str) -> None:
    screen = play_with_every_key(game, language)
    assert screen.has_had_notes == (game == "infinity-gauntlet"), "the seed deals no game with such a notebook"


@pytest.mark.slow
@pytest.mark.parametrize("game", tavolino.games())
def test_people_who_share_the_screen_can_press_every_key(game: str) -> None:
    play_with_every_key(game, "en", people=(0, 1), players=2)
