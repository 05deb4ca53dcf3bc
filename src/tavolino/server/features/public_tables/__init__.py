"""Public tables: the host may have a table listed, and everybody may join or watch what is listed."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from tavolino.server import protocol as p
from tavolino.server.access import answer, identify, registry_of
from tavolino.server.http.route import Route
from tavolino.server.kernel.feature import Feature, NoSlice
from tavolino.server.tables.listings import Listings


class PublicTables(Feature[NoSlice]):
    name = "public_tables"
    settings = ("public",)
    not_for = ("class",)


async def list_tables(request: Request) -> Response:
    """Public tables that wait for players or are being played."""
    person = await identify(request)
    return answer(await Listings(registry_of(request)).public(person))


FEATURE = PublicTables
ROUTES = (Route("GET", "/api/tables", list_tables, list[p.TableCard]),)
