"""Links that hold all that they lead to, in the part of an address that no server gets (`tavolino.local.links`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tavolino.engine.game import Game
from tavolino.server.kernel.feature import Feature, NoSlice


class Links(Feature[NoSlice]):
    name = "links"
    depends = ("local_tables", "practice")


def without_server(games: Sequence[Game]) -> dict[str, Callable[[], object]]:
    """Nothing: the tables of the device read links and write them."""
    return {}


FEATURE = Links
WITHOUT_SERVER = without_server
PAGES = {"link": (1,)}
