"""Notifies people whose turn it is, once, and again only after they have come to the table.

Every server that has the table in memory waits for the person; the one that claims the turn in the storage sends the
notification. It names the game and the table, never a card: it is built from these two alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from tavolino.engine.messages import fill
from tavolino.engine.texts import read_texts
from tavolino.server.clock import Clock
from tavolino.server.features.notifications.addresses import AllowedAddresses, Forbidden
from tavolino.server.features.notifications.post import post
from tavolino.server.features.notifications.preferences import Browser, Preferences, PreferenceStore
from tavolino.server.features.notifications.shares import LastAddresses, Shares
from tavolino.server.features.notifications.stored import StoredNotifications
from tavolino.server.features.notifications.web_push import Vapid, encrypt, new_key
from tavolino.server.games.content import server_texts
from tavolino.server.games.library import Library
from tavolino.server.settings import ServerSettings
from tavolino.server.stopping import stop
from tavolino.server.storage import Storage, StorageError

FOLDERS = (Path(__file__).parent,)  # with the texts of notifications
TTL_SECONDS = 24 * 3600  # for how long a push service keeps a notification for a browser that is off
GONE = (404, 410)  # the subscription has ended
# Turns to notify of, people whose quiet hours are waited for, requests at once: in all, and for one address.
MOST_WAITING, MOST_WAITING_OF_ONE = 2_000, 100
MOST_QUIET, MOST_QUIET_OF_ONE = 2_000, 100
AT_ONCE, AT_ONCE_FOR_ONE = 8, 2
MOST_NOTIFIED = 20_000
LOOK_SECONDS = 60.0  # how often quiet hours are checked


class Turn(NamedTuple):
    """Whose turn it is, and where."""

    table: str
    game: str
    person: str
    name: str  # for webhooks, which a whole room reads
    webhook: str | None  # who has given the table's webhook
    number: int  # of the turn


class Notifier:
    def __init__(self, settings: ServerSettings, storage: Storage, library: Library, clock: Clock, log: Any) -> None:
        self._settings, self._library, self._clock, self._log = settings, library, clock, log
        self._stored = StoredNotifications(storage)
        self.allowed = AllowedAddresses(settings.call_hosts)
        self.preferences = PreferenceStore(storage)
        self.addresses = LastAddresses()
        self._vapid: Vapid | None = None
        self._notified: OrderedDict[tuple[str, str], None] = OrderedDict()  # table and person
        self._missed: dict[str, Turn] = {}  # by table: turns that were not announced because of quiet hours
        self._quiet: set[str] = set()  # people whose quiet hours are waited for
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiting, self._resting = Shares(MOST_WAITING, MOST_WAITING_OF_ONE), Shares(MOST_QUIET, MOST_QUIET_OF_ONE)
        self._room = asyncio.Semaphore(AT_ONCE)
        self._rooms: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()  # by address, while in use

    async def vapid(self) -> Vapid:
        """Made when it is first needed."""
        if self._vapid is None:
            pem = await self._stored.server_key("vapid", await asyncio.to_thread(new_key))
            self._vapid = Vapid.load(pem, self._settings.public_url or "mailto:nobody@invalid.invalid")
        return self._vapid

    def person_came(self, table: str, person: str) -> None:
        """The person is at the table, and may be notified again for a later turn."""
        self._notified.pop((table, person), None)
        if table in self._missed and self._missed[table].person == person:
            self.stop_waiting_at(table)

    def stop_waiting_at(self, table: str) -> None:
        """The table no longer waits for this person."""
        self._missed.pop(table, None)

    def table_ended(self, table: str, webhook: str | None) -> None:
        """The table has ended, so the address of its webhook is not needed any more. `webhook`: who has given it."""
        if webhook is not None:
            self._begin(self.preferences.remove_webhook(webhook, table))

    def turn_began(self, turn: Turn, is_due: Callable[[], bool]) -> None:
        """Notify this person after a delay, unless they have come by then (`is_due`)."""
        key, whose = (turn.table, turn.person), self.addresses.of(turn.person)
        if key in self._notified or not self._waiting.take(whose):
            return
        self._notified[key] = None
        if len(self._notified) > MOST_NOTIFIED:  # dropped people may be notified once more
            self._notified.popitem(last=False)
        self._begin(self._notify_later(turn, is_due, whose), lambda: self._waiting.give_back(whose))

    def _begin(self, work: Coroutine[Any, Any, None], done: Callable[[], None] = lambda: None) -> None:
        task = asyncio.create_task(self._safely(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: done())

    async def _safely(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except StorageError as error:  # rather no notification than two
            self._log.warning("a notification could not be sent", error=str(error))

    @contextlib.asynccontextmanager
    async def _place_to_send(self, whose: str) -> AsyncIterator[None]:
        """Wait for a place of this address, and then for one of all places."""
        own = self._rooms.setdefault(whose, asyncio.Semaphore(AT_ONCE_FOR_ONE))
        async with own, self._room:
            yield

    async def _notify_later(self, turn: Turn, is_due: Callable[[], bool], whose: str) -> None:
        await asyncio.sleep(self._settings.notify_seconds)
        if not is_due():
            self.person_came(turn.table, turn.person)
            return
        async with self._place_to_send(whose):
            wanted = await self.preferences.read(turn.person)
            if not wanted.quiet.include(self._clock.wall()):
                await self._push_all(wanted, [turn])
            elif wanted.browsers and (turn.person in self._quiet or self._resting.take(whose)):
                self._missed[turn.table] = turn
                if turn.person not in self._quiet:
                    self._quiet.add(turn.person)
                    self._begin(self._sum_up_later(turn.person, whose), lambda: self._resting.give_back(whose))
            url = None if turn.webhook is None else await self.preferences.webhook(turn.webhook, turn.table)
            if url is not None and await self._claim("webhook", [turn]):
                await self._post_webhook(turn, url)

    async def _sum_up_later(self, person: str, whose: str) -> None:
        """One notification at the end of the quiet hours, for all tables that still wait."""
        while True:
            with contextlib.suppress(StorageError):  # it may be back in a minute
                wanted = await self.preferences.read(person)
                if not wanted.quiet.include(self._clock.wall()):
                    break
            await asyncio.sleep(LOOK_SECONDS)
        self._quiet.discard(person)
        turns = [turn for turn in self._missed.values() if turn.person == person]
        for turn in turns:
            self.stop_waiting_at(turn.table)
        if turns:
            async with self._place_to_send(whose):
                await self._push_all(wanted, turns)

    async def _claim(self, kind: str, turns: Sequence[Turn]) -> list[Turn]:
        """Claim turns of one person: this server notifies, and no other does."""
        claimed = await self._stored.claim(turns[0].person, kind, {turn.table: turn.number for turn in turns})
        return [turn for turn in turns if turn.table in claimed]

    async def _push_all(self, wanted: Preferences, turns: Sequence[Turn]) -> None:
        if not wanted.browsers or not (turns := await self._claim("push", turns)):
            return
        for browser in wanted.browsers:
            await self._push(turns[0].person, browser, await self._message(turns, browser.language))

    async def _message(self, turns: Sequence[Turn], language: str) -> dict[str, str]:
        texts, (first, *others) = server_texts(language, FOLDERS), turns
        params = {"game": await self._name(first.game, language), "n": len(turns)}
        return {
            "title": texts["notification.title"],
            "body": fill(texts["notification.summary" if others else "notification.text"], params, language, _no_words),
            "url": "/" if others else f"/table/{first.table}",
        }

    async def _push(self, person: str, browser: Browser, message: dict[str, str]) -> None:
        try:
            target = self.allowed.check(browser.endpoint)
            headers = {
                "Authorization": (await self.vapid()).authorization(target.origin, self._clock.wall()),
                "Content-Encoding": "aes128gcm",
                "Content-Type": "application/octet-stream",
                "TTL": str(TTL_SECONDS),
                "Urgency": "normal",
            }
            body = encrypt(json.dumps(message).encode(), browser.p256dh, browser.auth)
            status = await post(target, headers, body)
        except (Forbidden, OSError, TimeoutError) as problem:
            self._log.info("a notification failed", reason=str(problem) or type(problem).__name__)
            return
        if status in GONE:
            await self.preferences.remove(person, browser.endpoint)

    async def _post_webhook(self, turn: Turn, url: str) -> None:
        name = await self._name(turn.game, "en")
        text = fill(
            server_texts("en", FOLDERS)["notification.room"], {"name": turn.name, "game": name}, "en", _no_words
        )
        link = f"{self._settings.public_url.rstrip('/')}/table/{turn.table}" if self._settings.public_url else None
        try:
            target = self.allowed.check(url)
            body = json.dumps(webhook_message(target.host, text, link, turn)).encode()
            await post(target, {"Content-Type": "application/json", "User-Agent": "Tavolino"}, body)
        except (Forbidden, OSError, TimeoutError) as problem:
            self._log.info("a webhook failed", reason=str(problem) or type(problem).__name__)

    async def _name(self, game: str, language: str) -> str:
        return read_texts((await self._library.game(game)).folder, language)["name"]

    async def stop(self) -> None:
        await stop(*self._tasks)


def webhook_message(host: str, text: str, link: str | None, turn: Turn) -> dict[str, Any]:
    """The body in the chat's own format; other programs get JSON fields."""
    whole = f"{text} {link}" if link else text
    if host == "discord.com":
        return {"content": whole, "allowed_mentions": {"parse": []}}  # a name may not ping everybody
    if host == "hooks.slack.com":
        plain = whole.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return {"text": plain}
    return {"text": whole, "game": turn.game, "table": turn.table, "name": turn.name}


def _no_words(key: str) -> None:
    """These sentences have no words of a catalogue in them."""
