"""The route of the stream."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from tavolino.server import access
from tavolino.server.errors import Refused
from tavolino.server.features.events.feature import Events
from tavolino.server.features.events.protocol import Event
from tavolino.server.http.route import Route

LONGEST_ID = 12


async def get_events(request: Request) -> Response:
    """Turns, invitations, starts and ends at all your tables, as server-sent events."""
    person, registry = await access.require_person(request), access.registry_of(request)
    since = _last_id(request)
    if registry.is_stopping:
        raise Refused("stopping")
    events = Events.at(registry.features)
    events.check_room(person.id)

    async def may_listen() -> bool:
        try:
            found = await access.identify(request)
        except Refused:  # banned
            return False
        return found is not None and found.id == person.id

    sent = events.sent(person.id, since, may_listen, lambda: registry.is_stopping)
    # A proxy that collects answers would deliver nothing.
    return StreamingResponse(sent, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


def _last_id(request: Request) -> int | None:
    text = request.headers.get("last-event-id", "")
    if not text:
        return None
    if not text.isascii() or not text.isdecimal() or len(text) > LONGEST_ID:
        raise Refused("bad-message")
    return int(text)


ROUTES = (
    Route(
        "GET",
        "/api/me/events",
        get_events,
        Event,
        refusals=("no-identity", "too-many-streams", "stopping"),
        media="text/event-stream",
    ),
)
