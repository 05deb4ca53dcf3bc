"""A bus over Redis or Valkey: publish and subscribe, nothing stored.

Every move goes this way where two nodes have its table, so this uses the connections of redis-py directly: its clients
and pipelines take several times the CPU a message.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import secrets
from collections import deque
from typing import Any

from redis.asyncio import ConnectionPool
from redis.exceptions import RedisError

from tavolino.server.cluster.bus import ALL, Receive
from tavolino.server.stopping import stop

PREFIX = "tavolino:"
MOST_WAITING = 10_000  # messages; the oldest are dropped, the journal has them
AT_ONCE = 256
ANSWER_SECONDS = 2.0
ECHO_SECONDS = 1.0  # how often this node sends itself a message
SILENT_SECONDS = 4.0  # without an echo for this long the connection is dropped
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0
LOST = (RedisError, OSError, TimeoutError, ValueError)


def batched(channels: list[str]) -> list[list[str]]:
    return [channels[first : first + AT_ONCE] for first in range(0, len(channels), AT_ONCE)]


class RedisBus:
    def __init__(self, url: str) -> None:
        self._url = url
        self._echo = f"echo:{secrets.token_hex(8)}"
        self._channels: set[str] = set()
        self._greetings: dict[str, bytes] = {}  # by channel, until the subscription is confirmed
        self._changed: deque[tuple[bool, str]] = deque()  # channels to subscribe to or not any more
        self._has_changed = asyncio.Event()
        self._waiting: deque[tuple[str, bytes]] = deque(maxlen=MOST_WAITING)
        self._has_work = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._receive: Receive = lambda content: None
        self._echoed = 0.0  # when the last message of this node to itself came back
        self.is_connected = False
        self.connections = 0

    async def open(self, receive: Receive) -> None:
        self._receive = receive
        self._task = asyncio.create_task(self._stay_connected())

    async def close(self) -> None:
        if self._task is not None:
            await stop(self._task)
        self.is_connected = False

    def subscribe(self, channel: str, greeting: bytes) -> None:
        if channel in self._channels and channel not in self._greetings:
            self.publish(channel, greeting)
            return
        self._greetings[channel] = greeting
        if channel not in self._channels:
            self._channels.add(channel)
            self._changed.append((True, channel))
            self._has_changed.set()

    def unsubscribe(self, channel: str) -> None:
        if channel in self._channels:
            self._channels.discard(channel)
            self._greetings.pop(channel, None)
            self._changed.append((False, channel))
            self._has_changed.set()

    def publish(self, channel: str, content: bytes) -> None:
        self._waiting.append((channel, content))
        self._has_work.set()

    async def _stay_connected(self) -> None:
        """Reconnect after a lost connection. Queued messages are out of date by then, and dropped."""
        pause, now = FIRST_PAUSE, asyncio.get_running_loop().time
        while True:
            started = now()
            try:
                await self._work()
            except* LOST:
                pass
            finally:
                self.is_connected = False
            if now() - started > LONGEST_PAUSE:
                pause = FIRST_PAUSE
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _work(self) -> None:
        """Two connections, because a subscribed one may not publish."""
        pool = ConnectionPool.from_url(
            self._url,
            socket_connect_timeout=ANSWER_SECONDS,
            socket_timeout=None,  # a dead connection is found by the echo
            client_name="tavolino",
            protocol=2,  # enough for this, and works with old servers
            retry=None,
        )
        sending, receiving = pool.make_connection(), pool.make_connection()
        try:
            async with asyncio.timeout(2 * ANSWER_SECONDS):
                await sending.connect()
                await receiving.connect()
            self._waiting.clear()
            self._changed.clear()
            self._echoed = asyncio.get_running_loop().time()
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._publish_all(sending))
                tasks.create_task(self._read_answers(sending))
                tasks.create_task(self._subscribe_all(receiving))
                tasks.create_task(self._receive_all(receiving))
                tasks.create_task(self._watch_echo())
        finally:
            for connection in (sending, receiving):
                with contextlib.suppress(*LOST):
                    await connection.disconnect(nowait=True)

    async def _publish_all(self, connection: Any) -> None:
        while True:
            await self._has_work.wait()
            self._has_work.clear()
            while self._waiting:
                batch = [self._waiting.popleft() for _ in range(min(AT_ONCE, len(self._waiting)))]
                commands = [("PUBLISH", PREFIX + channel, content) for channel, content in batch]
                await connection.send_packed_command(connection.pack_commands(commands), check_health=False)

    async def _read_answers(self, connection: Any) -> None:
        """Read the answers to published messages: only errors matter."""
        while True:
            await connection.read_response(timeout=math.inf)

    async def _receive_all(self, connection: Any) -> None:
        while True:
            kind, channel, content = await connection.read_response(disable_decoding=True, timeout=math.inf)
            if kind == b"message" and content:
                self._receive(content)
            elif kind == b"message":
                self._echoed = asyncio.get_running_loop().time()
                self.connections += not self.is_connected
                self.is_connected = True
            elif kind == b"subscribe":
                name = channel.decode().removeprefix(PREFIX)
                if (greeting := self._greetings.pop(name, None)) is not None:
                    self.publish(name, greeting)

    async def _watch_echo(self) -> None:
        """Messages of this node to itself must come back: a connection can be dead without being closed."""
        while asyncio.get_running_loop().time() - self._echoed <= SILENT_SECONDS:
            self.publish(self._echo, b"")
            await asyncio.sleep(ECHO_SECONDS)
        raise TimeoutError

    async def _subscribe_all(self, connection: Any) -> None:
        """Subscribe to all channels first, then apply changes."""
        for channels in batched([self._echo, ALL, *self._channels]):
            await self._send(connection, "SUBSCRIBE", channels)
        while True:
            await self._has_changed.wait()
            self._has_changed.clear()
            while self._changed:
                is_new = self._changed[0][0]
                channels = []
                while self._changed and self._changed[0][0] is is_new and len(channels) < AT_ONCE:
                    channels.append(self._changed.popleft()[1])
                await self._send(connection, "SUBSCRIBE" if is_new else "UNSUBSCRIBE", channels)

    async def _send(self, connection: Any, command: str, channels: list[str]) -> None:
        words = (command, *(PREFIX + channel for channel in channels))
        await connection.send_packed_command(connection.pack_commands([words]), check_health=False)
