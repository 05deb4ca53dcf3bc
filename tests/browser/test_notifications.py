"""Notifications in a real browser: its service worker shows what the server sent, and the page turns them on and off.

Only the subscription is replaced: a browser gets one from its vendor's push service.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import Browsers, ServerProcess, open_browsers

# A key pair of a browser that nobody sends to.
SUBSCRIPTION = """
  const bytes = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0)).buffer
  const keys = { p256dh: 'BArs/XJFjlV6cdxHgsoDWLQ8tI/YGtdjJa4RobcgZY/pqswi4hUyASz5u1VGptlQVyLcR80RooJTbaHeGUmspX4=',
                 auth: 'BTBZMqHH6r4Tts7J/aSIgg==' }
  let current = null
  PushManager.prototype.getSubscription = async () => current
  PushManager.prototype.subscribe = async (options) => {
    window.keyOfServer = options.applicationServerKey
    return (current = { endpoint: 'https://fcm.googleapis.com/fcm/send/test', getKey: (name) => bytes(keys[name]),
                        unsubscribe: async () => { current = null; return true } })
  }
"""


def wait_until(page: Page, is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline
        page.wait_for_timeout(20)


@pytest.fixture
def notified(
    chromium_with_notifications: Browser, server: ServerProcess, request: pytest.FixtureRequest
) -> Iterator[Browsers]:
    with open_browsers(chromium_with_notifications, server, request.node.nodeid) as opened:
        yield opened


def test_the_service_worker_shows_a_notification_and_one_tap_turns_them_off(notified: Browsers) -> None:
    page = notified.visitor().page
    page.context.grant_permissions(["notifications"], origin=notified.base)
    page.context.add_init_script(SUBSCRIPTION)
    page.goto("/you")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Save").click()
    switch = page.get_by_test_id("push")
    switch.click()
    stored = "() => fetch('/api/me/notifications').then((answer) => answer.json())"
    wait_until(page, lambda: page.evaluate(stored)["browsers"] == 1)
    assert switch.is_checked()
    assert page.evaluate("() => window.keyOfServer") == page.evaluate(stored)["key"]

    devtools = page.context.new_cdp_session(page)
    registrations: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(one["registrationId"] for one in event["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    wait_until(page, lambda: bool(registrations))
    message = {"title": "Your turn", "body": "Your game of Mantis is waiting for you.", "url": "/table/abc"}
    devtools.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": notified.base, "registrationId": registrations[0], "data": json.dumps(message)},
    )
    notifications = "() => navigator.serviceWorker.ready.then((one) => one.getNotifications())"
    wait_until(page, lambda: page.evaluate(f"{notifications}.then((all) => all.length)") == 1)
    shown = page.evaluate(
        """() => navigator.serviceWorker.ready.then((one) => one.getNotifications())
           .then(([one]) => ({ title: one.title, body: one.body, url: one.data.url, tag: one.tag }))"""
    )
    assert shown == {**message, "tag": "/table/abc"}

    switch.click()
    wait_until(page, lambda: page.evaluate(stored)["browsers"] == 0)
    assert not switch.is_checked()
