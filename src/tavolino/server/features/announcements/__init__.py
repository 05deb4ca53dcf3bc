"""Announcements of the operator to everybody who is connected (`tavolino announce`)."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tavolino.server import protocol as p
from tavolino.server.access import answer, registry_of
from tavolino.server.context import Context
from tavolino.server.http.route import Route
from tavolino.server.kernel.feature import Feature, NoSlice
from tavolino.server.kernel.tables import Tables
from tavolino.server.tables.order_kinds import Announce


class Announcement(p.News, tag="announcement"):
    """The announcement of the operator; an empty text removes it."""

    number: int  # of a later announcement it is higher
    text: str


class Announcements(Feature[NoSlice]):
    name = "announcements"
    messages = (Announcement,)

    def __init__(self, server: Context) -> None:
        self._encode = server.encode
        self.newest = Announcement(0, "")

    def ordered(self, tables: Tables, number: int, order: Any) -> None:
        """Show it to everybody who is connected; others request it."""
        if isinstance(order, Announce) and number > self.newest.number:
            self.newest = Announcement(number, order.text)
            encoded = self._encode(self.newest)
            for viewer in [viewer for table in tables.tables.values() for viewer in table.viewers]:
                viewer.send(encoded)


async def get_announcement(request: Request) -> Response:
    """The current announcement of the operator."""
    return answer(Announcements.at(registry_of(request).features).newest)


FEATURE = Announcements
ROUTES = (Route("GET", "/api/announcement", get_announcement, Announcement),)
