"""Where the offline pack is, and its files."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from tavolino.server.access import answer, registry_of
from tavolino.server.errors import Refused
from tavolino.server.features.local_tables.serving import LocalTables, OfflinePack
from tavolino.server.http.route import Route


async def get_pack(request: Request) -> Response:
    """The pack with which a browser plays without a server, if this server has one."""
    return answer(LocalTables.at(registry_of(request).features).pack)


async def get_file(request: Request) -> Response:
    """A file of the pack."""
    accepted = request.headers.get("accept-encoding", "")
    version, name = request.path_params["version"], request.path_params["name"]
    found = LocalTables.at(registry_of(request).features).answer(version, name, accepted)
    if found is None:
        raise Refused("not-found")
    return found


ROUTES = (
    Route("GET", "/api/offline", get_pack, OfflinePack),
    Route("GET", "/offline/{version}/{name}", get_file, None),
)
