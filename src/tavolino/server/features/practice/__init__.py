"""Practice: puzzles, and one's own mistakes, which come back after days."""

from collections.abc import Callable, Sequence

from tavolino.engine.game import Game
from tavolino.server.features.practice.feature import PracticeFeature
from tavolino.server.features.practice.routes import ROUTES as ROUTES


def without_server(games: Sequence[Game]) -> dict[str, Callable[[], object]]:
    """Nothing: the tables of the device have the puzzles (`tavolino.local.puzzles`)."""
    return {}


FEATURE = PracticeFeature
WITHOUT_SERVER = without_server
PAGES = {"mistakes": (2,), "puzzles": (1, 2, 3)}
