"""Routes about calls: which browsers to call, and when not."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from tavolino.engine.languages import SOURCE_LANGUAGE, languages
from tavolino.server import protocol as p
from tavolino.server.access import answer, registry_of, require_person
from tavolino.server.calls.addresses import Forbidden
from tavolino.server.calls.web_push import is_key_pair
from tavolino.server.calls.wishes import Browser, QuietHours
from tavolino.server.errors import Refused
from tavolino.server.http.requests import body


async def get_calls(request: Request) -> Response:
    """Whether you are called, and what a browser needs to subscribe."""
    person = await require_person(request)
    return await _told(request, person.id)


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
    browser = Browser(wish.endpoint, wish.p256dh, wish.auth, language, context.clock.wall())
    await context.calls.book.add(person.id, browser)
    return await _told(request, person.id)


async def set_quiet_hours(request: Request) -> Response:
    """When you do not want to be called."""
    person = await require_person(request)
    wish: p.QuietHours = await body(request, p.QuietHours)
    context = registry_of(request).context
    context.limits.changes.take(person.id)
    hours = QuietHours(wish.quiet_from, wish.quiet_to, wish.utc_offset)
    await context.calls.book.set_quiet_hours(person.id, hours)
    return await _told(request, person.id)


async def stop_calls(request: Request) -> Response:
    """No more calls, to any of your browsers."""
    person = await require_person(request)
    await registry_of(request).context.calls.book.forget(person.id)
    return Response(status_code=204)


async def _told(request: Request, person: str) -> Response:
    calls = registry_of(request).context.calls
    wishes, vapid = await calls.book.read(person), await calls.vapid()
    return answer(p.Calls(vapid.public_key, len(wishes.browsers), wishes.quiet.begin, wishes.quiet.end))
