"""A bus over Redis or Valkey: publish and subscribe, nothing stored."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import deque
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import RedisError

from tavolino.server.bus import ALL, Receive

PREFIX = "tavolino:"
MOST_WAITING = 10_000  # messages; the oldest are dropped, the journal has them
AT_ONCE = 256
ANSWER_SECONDS = 2.0
ECHO_SECONDS = 1.0  # so often this node sends itself a message
SILENT_SECONDS = 4.0  # so long it may not come back before the connection is given up
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0
LOST = (RedisError, OSError, TimeoutError, ValueError)


def batched(channels: list[str]) -> list[list[str]]:
    return [channels[first : first + AT_ONCE] for first in range(0, len(channels), AT_ONCE)]


class RedisBus:
    def __init__(self, url: str) -> None:
        self._url = url
        self._echo = f"echo:{secrets.token_hex(8)}"
        self._channels: set[str] = set()
        self._changed: deque[tuple[bool, str]] = deque()  # channels to follow or to leave
        self._has_changed = asyncio.Event()
        self._waiting: deque[tuple[str, bytes]] = deque(maxlen=MOST_WAITING)
        self._has_work = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._receive: Receive = lambda content: None
        self.is_connected = False
        self.connections = 0

    async def open(self, receive: Receive) -> None:
        self._receive = receive
        self._tasks = [asyncio.create_task(self._again_and_again(work)) for work in (self._publish, self._listen)]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.is_connected = False

    def follow(self, channel: str) -> None:
        if channel not in self._channels:
            self._channels.add(channel)
            self._changed.append((True, channel))
            self._has_changed.set()

    def leave(self, channel: str) -> None:
        if channel in self._channels:
            self._channels.discard(channel)
            self._changed.append((False, channel))
            self._has_changed.set()

    def publish(self, channel: str, content: bytes) -> None:
        self._waiting.append((channel, content))
        self._has_work.set()

    async def _again_and_again(self, work: Any) -> None:
        """Both directions begin anew after a loss. What was waiting meanwhile is old by then, and dropped."""
        pause = FIRST_PAUSE
        while True:
            client = Redis.from_url(
                self._url,
                socket_connect_timeout=ANSWER_SECONDS,
                socket_timeout=ANSWER_SECONDS,
                health_check_interval=5,
                client_name="tavolino",
                protocol=2,  # all that this needs, and no questions about what old servers do not know
                retry=None,
            )
            started = asyncio.get_running_loop().time()
            with contextlib.suppress(*LOST):
                try:
                    await work(client)
                finally:
                    with contextlib.suppress(*LOST):
                        await client.aclose()
            if asyncio.get_running_loop().time() - started > LONGEST_PAUSE:
                pause = FIRST_PAUSE
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _publish(self, client: Redis) -> None:
        self._waiting.clear()
        while True:
            await self._has_work.wait()
            self._has_work.clear()
            while self._waiting:
                batch = [self._waiting.popleft() for _ in range(min(AT_ONCE, len(self._waiting)))]
                async with client.pipeline(transaction=False) as pipe:
                    for channel, content in batch:
                        pipe.publish(PREFIX + channel, content)
                    await asyncio.wait_for(pipe.execute(), ANSWER_SECONDS)

    async def _listen(self, client: Redis) -> None:
        self._changed.clear()
        try:
            async with client.pubsub(ignore_subscribe_messages=True) as pubsub:
                for channels in batched([self._echo, ALL, *self._channels]):
                    await pubsub.subscribe(*(PREFIX + channel for channel in channels))
                changing = asyncio.create_task(self._change(pubsub))
                try:
                    await self._receive_all(pubsub, changing)
                finally:
                    changing.cancel()
        finally:
            self.is_connected = False

    async def _receive_all(self, pubsub: Any, changing: asyncio.Task[None]) -> None:
        """What this node sends itself must come back: a connection can be dead without ending."""
        now = asyncio.get_running_loop().time
        sent, heard = 0.0, now()
        while not changing.done():
            if now() - sent >= ECHO_SECONDS:
                sent = now()
                self.publish(self._echo, b"")
            message = await pubsub.get_message(timeout=ECHO_SECONDS)
            if message is not None and message["data"]:
                self._receive(message["data"])
            elif message is not None:
                heard = now()
                self.connections += not self.is_connected
                self.is_connected = True
            if now() - heard > SILENT_SECONDS:
                raise TimeoutError
        await changing

    async def _change(self, pubsub: Any) -> None:
        """Follow and leave channels while the other task reads."""
        while True:
            await self._has_changed.wait()
            self._has_changed.clear()
            while self._changed:
                is_new = self._changed[0][0]
                channels: list[str] = []
                while self._changed and self._changed[0][0] is is_new and len(channels) < AT_ONCE:
                    channels.append(PREFIX + self._changed.popleft()[1])
                await (pubsub.subscribe if is_new else pubsub.unsubscribe)(*channels)
