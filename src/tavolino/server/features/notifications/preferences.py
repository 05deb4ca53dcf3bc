"""Who wants to be notified, where, and when not, and the addresses of webhooks: items of a person in the storage, which
go with the identity.

Each browser is an item of its own, so that two that subscribe at two servers at the same time are both kept.
"""

from __future__ import annotations

import hashlib

import msgspec
from msgspec import Struct, field

from tavolino.server.storage import Storage
from tavolino.server.storage.old_webhooks import item_name

MOST_BROWSERS = 5
DAY_MINUTES = 24 * 60
PREFIX = "calls/"  # as stored
BROWSER, QUIET = PREFIX + "browser/", PREFIX + "quiet"


class Browser(Struct, frozen=True):
    """A browser's push subscription, with the language of its page."""

    endpoint: str
    p256dh: str
    auth: str
    language: str
    made: float = 0.0  # when, by the wall clock


class QuietHours(Struct, frozen=True):
    """When a person does not want to be notified."""

    begin: int | None = None  # minutes after midnight
    end: int | None = None
    utc_offset: int = 0  # minutes to add to UTC for the person's own time

    def include(self, now: float) -> bool:
        if self.begin is None or self.end is None:
            return False
        minute = (int(now // 60) + self.utc_offset) % DAY_MINUTES
        if self.begin <= self.end:
            return self.begin <= minute < self.end
        return minute >= self.begin or minute < self.end


class Preferences(Struct):
    browsers: list[Browser] = field(default_factory=list)  # the newest last
    quiet: QuietHours = field(default_factory=QuietHours)


class PreferenceStore:
    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def read(self, person: str) -> Preferences:
        items = await self._storage.items(person, PREFIX)
        browsers = [msgspec.json.decode(item, type=Browser) for name, item in items.items() if name.startswith(BROWSER)]
        quiet = msgspec.json.decode(items[QUIET], type=QuietHours) if QUIET in items else QuietHours()
        return Preferences(sorted(browsers, key=lambda browser: browser.made), quiet)

    async def add(self, person: str, browser: Browser) -> None:
        """The oldest goes when there are too many."""
        await self._storage.keep_item(person, _name(browser.endpoint), msgspec.json.encode(browser))
        for old in (await self.read(person)).browsers[:-MOST_BROWSERS]:
            await self.remove(person, old.endpoint)

    async def remove(self, person: str, endpoint: str) -> None:
        await self._storage.remove_items(person, _name(endpoint))

    async def set_quiet_hours(self, person: str, hours: QuietHours) -> None:
        await self._storage.keep_item(person, QUIET, msgspec.json.encode(hours))

    async def forget(self, person: str) -> None:
        await self._storage.remove_items(person, PREFIX)

    # The address of a table's webhook is a secret of the person who gave it: whoever knows it can write there.

    async def keep_webhook(self, person: str, table: str, url: str) -> None:
        await self._storage.keep_item(person, item_name(table), url.encode())

    async def webhook(self, person: str, table: str) -> str | None:
        found = (await self._storage.items(person, item_name(table))).get(item_name(table))
        return None if found is None else found.decode()

    async def remove_webhook(self, person: str, table: str) -> None:
        await self._storage.remove_items(person, item_name(table))

    async def tables_with_webhook(self, person: str) -> list[str]:
        """Those that have one from this person."""
        return [name.removeprefix(item_name("")) for name in await self._storage.items(person, item_name(""))]


def _name(endpoint: str) -> str:
    return BROWSER + hashlib.sha256(endpoint.encode()).hexdigest()[:32]
