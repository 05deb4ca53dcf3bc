"""Play without a server: serves the pack with which a browser runs a table itself (decision 119)."""

from collections.abc import Callable, Sequence

from tavolino.engine.game import Game
from tavolino.server.features.local_tables.routes import ROUTES as ROUTES
from tavolino.server.features.local_tables.serving import LocalTables, kept


def without_server(games: Sequence[Game]) -> dict[str, Callable[[], object]]:
    """Nothing: where the pack is, knows who puts it beside the page."""
    return {}


FEATURE = LocalTables
FOR_LATER = kept
WITHOUT_SERVER = without_server
PAGES = {"hot-seat": (1,), "offline": (1,)}
