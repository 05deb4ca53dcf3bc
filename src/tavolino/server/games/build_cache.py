"""A cache for what is built for finished games: encoded bytes, up to a total size.

One thread builds, one thing after another, and never twice at once. It shares the interpreter's lock with the event
loop, so builders pause between their steps (`let_loop_run`): others' moves go on in between.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

MOST_BYTES = 64 * 2**20
PAUSE_SECONDS = 0.001


class Built(NamedTuple):
    content: bytes
    seconds: float  # of CPU time; 0 if it was cached


def let_loop_run() -> None:
    """Let the event loop run, between two steps of a few milliseconds."""
    time.sleep(PAUSE_SECONDS)


class BuildCache:
    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="builder")
        self._contents: OrderedDict[Hashable, bytes] = OrderedDict()
        self._building: dict[Hashable, asyncio.Task[Built]] = {}
        self.bytes = 0

    async def get(self, key: Hashable, build: Callable[[], bytes]) -> Built:
        """The cached value of this key, or what `build` makes of it in a thread, charged to the first request."""
        if (content := self._contents.get(key)) is not None:
            self._contents.move_to_end(key)
            return Built(content, 0.0)
        if (task := self._building.get(key)) is not None:
            return Built((await asyncio.shield(task)).content, 0.0)
        task = self._building[key] = asyncio.create_task(self._build(key, build))
        return await asyncio.shield(task)  # the client may disconnect; the result is kept anyway

    def get_now(self, key: Hashable, build: Callable[[], bytes]) -> bytes:
        """The same for what takes a millisecond and must be built on the event loop."""
        if (content := self._contents.get(key)) is None:
            content = build()
            self._keep(key, content)
        else:
            self._contents.move_to_end(key)
        return content

    def has(self, key: Hashable) -> bool:
        return key in self._contents or key in self._building

    async def _build(self, key: Hashable, build: Callable[[], bytes]) -> Built:
        def work() -> Built:
            begun = time.thread_time()
            return Built(build(), time.thread_time() - begun)

        try:
            built = await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            del self._building[key]
        self._keep(key, built.content)
        return built

    def _keep(self, key: Hashable, content: bytes) -> None:
        if len(content) > self._most_bytes:
            return
        self._contents[key] = content
        self.bytes += len(content)
        while self.bytes > self._most_bytes:
            _, dropped = self._contents.popitem(last=False)
            self.bytes -= len(dropped)

    def stop(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
