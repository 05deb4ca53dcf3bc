"""Checks of a game file in the browser: the page loads the offline pack, which has their code (`server.verify`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tavolino.engine.game import Game
from tavolino.server.kernel.feature import Feature, NoSlice


class Verify(Feature[NoSlice]):
    name = "verify"
    depends = ("local_tables",)


def without_server(games: Sequence[Game]) -> dict[str, Callable[[], object]]:
    """Nothing: the pack has the code."""
    return {}


FEATURE = Verify
WITHOUT_SERVER = without_server
PAGES = {"verify": (1, 2)}
