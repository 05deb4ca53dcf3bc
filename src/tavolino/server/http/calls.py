"""Routes about calls: which browsers to call, and when not."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from tavolino.engine.languages import SOURCE_LANGUAGE, languages
from tavolino.server import protocol as p
from tavolino.server.access import answer, registry_of, require_person
from tavolino.server.calls.addresses import Forbidden
from tavolino.server.calls.web_push import is_key_pair
from tavolino.server.calls.wishes import Browser, Wishes
from tavolino.server.errors import Refused
from tavolino.server.http.requests import body


async def get_calls(request: Request) -> Response:
    """Whether you are called, and what a browser needs to subscribe."""
    person = await require_person(request)
    calls = registry_of(request).context.calls
    return await _told(request, await asyncio.to_thread(calls.book.read, person.id))


async def add_browser(request: Request) -> Response:
    """Call this browser, too."""
    person = await require_person(request)
    wish: p.AddBrowser = await body(request, p.AddBrowser)
    context = registry_of(request).context
    context.limits.changes.take(person.id)
    try:
        context.calls.allowed.check(wish.endpoint)
    except Forbidden:
        raise Refused("bad-subscription") from None
    if not is_key_pair(wish.p256dh, wish.auth):
        raise Refused("bad-subscription")
    language = wish.language if wish.language in languages() else SOURCE_LANGUAGE
    wishes = await asyncio.to_thread(context.calls.book.read, person.id)
    wishes.add(Browser(wish.endpoint, wish.p256dh, wish.auth, language))
    await asyncio.to_thread(context.calls.book.write, person.id, wishes)
    return await _told(request, wishes)


async def set_quiet_hours(request: Request) -> Response:
    """When you do not want to be called."""
    person = await require_person(request)
    wish: p.QuietHours = await body(request, p.QuietHours)
    context = registry_of(request).context
    context.limits.changes.take(person.id)
    wishes = await asyncio.to_thread(context.calls.book.read, person.id)
    wishes.quiet_from, wishes.quiet_to, wishes.utc_offset = wish.quiet_from, wish.quiet_to, wish.utc_offset
    await asyncio.to_thread(context.calls.book.write, person.id, wishes)
    return await _told(request, wishes)


async def stop_calls(request: Request) -> Response:
    """No more calls, to any of your browsers."""
    person = await require_person(request)
    await asyncio.to_thread(registry_of(request).context.calls.book.forget, person.id)
    return Response(status_code=204)


async def _told(request: Request, wishes: Wishes) -> Response:
    vapid = await asyncio.to_thread(lambda: registry_of(request).context.calls.vapid)
    return answer(p.Calls(vapid.public_key, len(wishes.browsers), wishes.quiet_from, wishes.quiet_to))
