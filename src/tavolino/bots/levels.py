"""The levels of bots, the same names for every game."""

import hashlib
from importlib import import_module
from time import perf_counter
from types import ModuleType
from typing import Any, Protocol

import numpy as np

from tavolino.bots.choice import decide
from tavolino.bots.door import SeatDoor
from tavolino.bots.search import grow, settle
from tavolino.bots.settings import SETTINGS, Settings
from tavolino.bots.tree import new_tree
from tavolino.engine.game import Game
from tavolino.engine.reading import read
from tavolino.games import games

LEVELS = ("random", "easy", "medium", "hard")
PATIENCE = 0.8  # seconds: `hard` answers by then, with whatever it has found
CHUNK = 500  # iterations between two looks at the clock


class Bot(Protocol):
    """Chooses an action for a seat."""

    def choose(self, door: SeatDoor) -> str: ...


def manners_of(game: str) -> ModuleType:
    """The module that says how a game is played by habit; loading it tells the compiled code about it."""
    if game not in games():
        raise ValueError(f"There are no bots for {game!r}; there are for: {', '.join(games())}.")
    return import_module(f"tavolino.bots.{game.replace('-', '_')}")


class _Chooser:
    """A bot's own chance: every choice has a seed of its own, made of the bot's seed and the choice's number."""

    def __init__(self, seed: int):
        self._seed = seed
        self._choices = 0

    def _next_seed(self) -> int:
        self._choices += 1
        digest = hashlib.sha256(f"{self._seed}:{self._choices}".encode()).digest()
        return int.from_bytes(digest[:8], "big")


class RandomBot(_Chooser):
    """Every legal action with the same chance."""

    def choose(self, door: SeatDoor) -> str:
        legal = door.legal()
        return legal[self._next_seed() % len(legal)]


class HabitBot(_Chooser):
    """Plays by the hand-written rules of thumb of its game: `easy` and `medium`."""

    def __init__(self, habits: np.ndarray[Any, Any], seed: int):
        super().__init__(seed)
        self._habits = habits

    def choose(self, door: SeatDoor) -> str:
        world = door.resample(self._next_seed())
        scores = np.empty(door.game.action_count)
        number = decide(world._states, 0, self._habits, world._out, world._n_legal, scores)
        return door.game.action_text(read(world._states), number)


class SearchBot(_Chooser):
    """Searches: `hard`. Limited by iterations, and then the same seed makes the same choices, or by time."""

    def __init__(self, game: str, seed: int, iterations: int | None, seconds: float | None):
        super().__init__(seed)
        self._habits = manners_of(game).HABITS["medium"]
        self._settings = SETTINGS[game]
        self._iterations, self._seconds = iterations, seconds

    def choose(self, door: SeatDoor) -> str:
        return self.consider(door)[0]

    def consider(self, door: SeatDoor) -> tuple[str, float]:
        """The choice, and the chance to win with it, as the search sees it."""
        seed = self._next_seed()
        world = door.resample(seed)
        search = Search(door.game, world._states, door.seat, seed & 0xFFFFFFFF, self._settings, self._habits)
        search.run(self._iterations, self._seconds)
        number, win = search.choice()
        return door.game.action_text(read(world._states), number), win


class Search:
    """One search from one world; the memory belongs to it alone, so searches may run in threads side by side."""

    def __init__(
        self,
        game: Game,
        root: np.ndarray[Any, Any],
        seat: int,
        seed: int,
        settings: Settings,
        habits: np.ndarray[Any, Any],
    ):
        self._root = root  # one world that the seat takes for possible
        self._seat, self._seed = seat, seed
        self._settings, self._numbers, self._habits = settings, settings.numbers(), habits
        self._tree = new_tree(settings.room)
        self._worlds = game.new_states()
        self._scratch = new_scratch(game)
        self.iterations = 0

    def run(self, iterations: int | None = None, seconds: float | None = None) -> None:
        """So many iterations, so many seconds, or both limits; with neither, as at a table."""
        if iterations is None and seconds is None:
            iterations, seconds = self._settings.iterations, PATIENCE
        end = None if seconds is None else perf_counter() + seconds
        left = iterations
        while (left is None or left > 0) and (end is None or perf_counter() < end):
            chunk = CHUNK if left is None else min(CHUNK, left)
            if self._grow(chunk) < chunk:
                break  # only one action is left
            left = None if left is None else left - chunk
        if self.iterations == 0:
            self._grow(1)

    def _grow(self, iterations: int) -> int:
        grown = grow(
            self._root,
            0,
            self._worlds,
            self._seat,
            self._seed,
            self.iterations,
            iterations,
            self._numbers,
            self._habits,
            *self._tree,
            *self._scratch,
        )
        self.iterations += grown
        return int(grown)

    def choice(self) -> tuple[int, float]:
        """The action that the search decides for, and the share of wins behind it."""
        nodes, edges, used = self._tree
        edge = edges[settle(nodes, edges, used, self._settings.doubt)]
        return int(edge["action"]), float(edge["value"] / edge["visits"])


def new_scratch(game: Game) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Actions, their scores, and their places: room that a search writes in."""
    n = game.action_count
    return np.zeros(n, np.int32), np.zeros(n), np.zeros(n, np.int32)


def make_bot(level: str, game: str, seed: int, iterations: int | None = None, seconds: float | None = None) -> Bot:
    """A bot of a level for a game; with the same seed it makes the same choices, unless time limits it."""
    if level not in LEVELS:
        raise ValueError(f"There is no level {level!r}; there are: {', '.join(LEVELS)}.")
    if level == "random":
        return RandomBot(seed)
    if level == "hard":
        return SearchBot(game, seed, iterations, seconds)
    return HabitBot(manners_of(game).HABITS[level], seed)


def hint(door: SeatDoor, seed: int, iterations: int | None = None, seconds: float | None = None) -> dict[str, Any]:
    """What `hard` would do in this seat and its chance to win, from what the seat knows alone."""
    action, win = SearchBot(door.game.name, seed, iterations, seconds).consider(door)
    return {"action": action, "win": win}
