"""The list of devices where a person is signed in, and muting people."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from tests.browser.player import Player


def introduce(page: Page, name: str) -> None:
    page.goto("/you")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Save").click()
    page.get_by_role("status").filter(has_text="Saved").wait_for()


def test_a_device_is_listed_and_signed_out(visitor: Callable[..., Player]) -> None:
    desk, phone = visitor().page, visitor(phone=True).page
    introduce(desk, "Ada")
    assert desk.get_by_role("heading", name="Your devices").count() == 0, "there is one alone"
    desk.get_by_role("button", name="Make a link").click()
    phone.goto(desk.locator("#return-link").input_value())
    phone.wait_for_url("/")
    phone.goto("/you")
    phone.get_by_role("heading", name="Your devices").wait_for()
    assert phone.get_by_label("Your name").input_value() == "Ada"

    desk.reload()
    desk.get_by_text("Another device", exact=True).wait_for()
    assert desk.get_by_text("This device", exact=True).count() == 1
    desk.get_by_role("button", name="Sign out", exact=True).click()
    desk.get_by_role("status").filter(has_text="Signed out.").wait_for()
    desk.get_by_role("heading", name="Your devices").wait_for(state="detached")
    assert desk.get_by_label("Your name").input_value() == "Ada"

    phone.reload()
    phone.get_by_role("heading", level=1).wait_for()
    phone.wait_for_function("fetch('/api/me').then((answer) => answer.status === 401)")
    assert phone.get_by_label("Your name").input_value() == ""


def test_threat_65_whoever_watches_can_be_muted(visitor: Callable[..., Player]) -> None:
    ada, watcher = visitor(), visitor().page
    introduce(watcher, "Bruno")
    ada.play_now("mantis")
    watcher.goto(ada.page.url)
    watcher.get_by_text("You are watching").wait_for()

    def mute(muted: bool) -> None:
        ada.page.get_by_role("button", name="Settings").click()
        ada.page.get_by_label("Mute everyone who is watching").set_checked(muted)
        ada.page.get_by_role("button", name="Settings").click()

    def say(text: str) -> None:
        watcher.get_by_role("tab", name="Chat").click()
        watcher.get_by_label("Write a message").fill(text)
        watcher.get_by_role("button", name="Send").click()
        watcher.get_by_text(text).first.wait_for()

    mute(True)
    ada.page.get_by_role("button", name="Settings").click()
    ada.page.get_by_role("button", name="Resign").click()
    ada.page.get_by_role("button", name="Yes, resign").click()
    ada.page.get_by_test_id("fairness").wait_for()
    say("Bad luck")
    mute(False)
    say("Well done")
    ada.page.get_by_role("tab", name="Chat").click()
    ada.page.get_by_text("Well done").first.wait_for()
    assert ada.page.get_by_text("Bad luck").count() == 0
