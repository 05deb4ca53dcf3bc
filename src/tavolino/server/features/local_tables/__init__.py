"""Play without a server: serves the pack with which a browser runs a table itself (decision 119)."""

from tavolino.server.features.local_tables.routes import ROUTES as ROUTES
from tavolino.server.features.local_tables.serving import LocalTables

FEATURE = LocalTables
PAGES = {"hot-seat": (1,), "offline": (1,)}
