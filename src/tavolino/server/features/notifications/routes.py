"""Routes about notifications: to which browsers, and when not."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from tavolino.engine.languages import SOURCE_LANGUAGE, languages
from tavolino.server.access import answer, registry_of, require_person
from tavolino.server.errors import Refused
from tavolino.server.features.notifications import protocol as m
from tavolino.server.features.notifications.addresses import Forbidden
from tavolino.server.features.notifications.feature import Notifications
from tavolino.server.features.notifications.notifier import Notifier
from tavolino.server.features.notifications.preferences import Browser, QuietHours
from tavolino.server.features.notifications.web_push import is_key_pair
from tavolino.server.http.requests import body
from tavolino.server.http.route import Route


async def get_notifications(request: Request) -> Response:
    """Whether you are notified, and what a browser needs to subscribe."""
    person = await require_person(request)
    return await _told(request, person.id)


async def add_browser(request: Request) -> Response:
    """Notify this browser, too."""
    person = await require_person(request)
    wanted: m.AddBrowser = await body(request, m.AddBrowser)
    context = registry_of(request).context
    context.limits.changes.take(person.id)
    try:
        _notifier(request).allowed.check(wanted.endpoint)
    except Forbidden:
        raise Refused("bad-subscription") from None
    if not is_key_pair(wanted.p256dh, wanted.auth):
        raise Refused("bad-subscription")
    language = wanted.language if wanted.language in languages() else SOURCE_LANGUAGE
    browser = Browser(wanted.endpoint, wanted.p256dh, wanted.auth, language, context.clock.wall())
    await _notifier(request).preferences.add(person.id, browser)
    return await _told(request, person.id)


async def set_quiet_hours(request: Request) -> Response:
    """When you do not want to be notified."""
    person = await require_person(request)
    wanted: m.QuietHours = await body(request, m.QuietHours)
    context = registry_of(request).context
    context.limits.changes.take(person.id)
    hours = QuietHours(wanted.quiet_from, wanted.quiet_to, wanted.utc_offset)
    await _notifier(request).preferences.set_quiet_hours(person.id, hours)
    return await _told(request, person.id)


async def stop_notifications(request: Request) -> Response:
    """No more notifications, to any of your browsers."""
    person = await require_person(request)
    await _notifier(request).preferences.forget(person.id)
    return Response(status_code=204)


def _notifier(request: Request) -> Notifier:
    return Notifications.at(registry_of(request).features).notifier


async def _told(request: Request, person: str) -> Response:
    notifier = _notifier(request)
    wanted, vapid = await notifier.preferences.read(person), await notifier.vapid()
    return answer(m.Notifications(vapid.public_key, len(wanted.browsers), wanted.quiet.begin, wanted.quiet.end))


HERE = "/api/me/notifications"
MINE = ("no-identity",)
ROUTES = (
    Route("GET", HERE, get_notifications, m.Notifications, refusals=MINE),
    Route("POST", HERE, add_browser, m.Notifications, m.AddBrowser, refusals=(*MINE, "bad-subscription")),
    Route("POST", f"{HERE}/quiet", set_quiet_hours, m.Notifications, m.QuietHours, refusals=MINE),
    Route("DELETE", HERE, stop_notifications, None, refusals=MINE),
)
