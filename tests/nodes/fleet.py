"""Nodes, PostgreSQL with a standby, Redis, and the links between them; each can be broken and repaired."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg

from tests.nodes import cpu
from tests.nodes.links import HERE, Balancer, Link
from tests.nodes.networks import Network
from tests.ports import lasting_port
from tests.postgresql import Postgres
from tests.redis import PASSWORD, Redis

MEMORY = "/dev/shm"
MOST_STOP_SECONDS = 120.0  # of a node, on a busy machine
FAKETIME = sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))


class Node:
    """A node that can be started, killed, paused and stopped, always on the same port."""

    def __init__(self, number: int, folder: Path, fleet: Fleet, network: Network | None = None) -> None:
        """`network`: it lives there, and reaches everything else by a cable."""
        self.port, self.network = lasting_port(), network
        self.host, reached_at = (network.there, network.here) if network else (HERE, HERE)
        self.log = folder / f"node-{number}.log"
        self.is_up = self.is_paused = False
        self.to_database = Link(lambda: (HERE, fleet.primary.port), reached_at)
        self.to_bus = Link(lambda: (HERE, fleet.redis.port), reached_at)
        self._reached_at = reached_at
        self._number, self._folder, self._fleet = number, folder, fleet
        self.process = 0
        self._parent: asyncio.subprocess.Process | None = None
        self._clock = folder / f"clock-{number}"

    async def open(self) -> None:
        if self.network is not None:
            await asyncio.to_thread(self.network.open)
        await self.to_database.open()
        await self.to_bus.open()
        config = {
            "host": self.host, "port": self.port, "database": self._fleet.primary.url().replace(
                f"{HERE}:{self._fleet.primary.port}/", f"{self._reached_at}:{self.to_database.port}/"
            ),
            "data": str(self._folder / f"data-{self._number}"), "games": self._fleet.games, "log": str(self.log),
            "fault": self._fleet.fault, "leases": str(self._fleet.leases), "log_level": "warning",
        }  # fmt: skip
        if self._fleet.count > 1:
            config |= {"bus": f"redis://:{PASSWORD}@{self._reached_at}:{self.to_bus.port}/0", "drain_seconds": 1.0}
        environment = os.environ.copy()
        if self._number == 0 and FAKETIME:
            self._clock.write_text("+0")
            environment |= {
                "LD_PRELOAD": str(FAKETIME[-1]), "FAKETIME_TIMESTAMP_FILE": str(self._clock),
                "FAKETIME_CACHE_DURATION": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1",
            }  # fmt: skip
        within = ("ip", "netns", "exec", self.network.name) if self.network else ()
        self._parent = await asyncio.create_subprocess_exec(
            *within, sys.executable, "-m", "tests.nodes.program", json.dumps(config),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment,
        )  # fmt: skip
        assert self._parent.stdout is not None
        assert await self._parent.stdout.readline() == b"ready\n"

    async def start(self, patience: float = 300.0) -> None:
        """Returns when it answers. If it gives up, because a store is broken just now, it is started again, as a
        service manager would do."""
        end = time.monotonic() + patience
        while not (self.is_up and await self.answers()):
            assert time.monotonic() < end, f"node {self._number} does not answer: {self.tail()}"
            if self.is_up and not self._is_alive():
                await self._wait_for_end()
            if not self.is_up:
                await self._begin()
            await asyncio.sleep(0.05)

    async def _begin(self) -> None:
        assert self._parent is not None
        assert self._parent.stdin is not None
        assert self._parent.stdout is not None
        self._parent.stdin.write(b"start\n")
        line = await self._parent.stdout.readline()
        assert line, f"node {self._number} cannot be started: {self.tail()}"
        self.process, self.is_up = int(line), True

    def _is_alive(self) -> bool:
        try:
            os.kill(self.process, 0)
        except ProcessLookupError:
            return False
        return True

    async def _wait_for_end(self) -> None:
        assert self._parent is not None
        assert self._parent.stdout is not None
        assert await self._parent.stdout.readline() == b"dead\n"
        self.is_up = self.is_paused = False

    async def answers(self) -> bool:
        try:
            async with asyncio.timeout(5):
                reader, writer = await asyncio.open_connection(self.host, self.port)
                with contextlib.closing(writer):  # also without an answer
                    writer.write(b"GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                    answer = await reader.read()
        except OSError:
            return False
        return answer.startswith(b"HTTP/1.1 200 ")

    def tail(self) -> str:
        return self.log.read_text()[-2000:] if self.log.exists() else "it has said nothing"

    def send(self, number: signal.Signals) -> None:
        os.kill(self.process, number)

    def pause(self) -> None:
        self.is_paused = True
        self.send(signal.SIGSTOP)

    def go_on(self) -> None:
        self.is_paused = False
        self.send(signal.SIGCONT)

    async def end(self, number: signal.Signals) -> bool:
        """Send a signal and wait until the process is gone. Whether it went in time; if not, it is killed."""
        if not self.is_up:
            return True
        with contextlib.suppress(ProcessLookupError):  # it has ended by itself
            self.send(number)
        loop = asyncio.get_running_loop()
        killing = loop.call_later(MOST_STOP_SECONDS, os.kill, self.process, signal.SIGKILL)
        await self._wait_for_end()
        killing.cancel()
        return loop.time() < killing.when()

    def cpu_seconds(self) -> float:
        """Of all processes of this node, without what it took to import and compile everything once."""
        if self._parent is None:
            return 0.0
        alive = sum(cpu.process(self.process)[1:]) if self.is_up and self._is_alive() else 0.0
        return cpu.process(self._parent.pid).ended + alive

    def set_clock(self, seconds: int) -> None:
        """Set the wall clock of the node. The monotonic clock is not changed, as on a real system."""
        self._clock.write_text(f"{seconds:+d}")

    async def close(self) -> None:
        await self.end(signal.SIGKILL)
        if self._parent is not None and self._parent.stdin is not None:
            self._parent.stdin.close()
            await self._parent.wait()
        self.to_database.close()
        self.to_bus.close()
        if self.network is not None:
            self.network.close()


class Fleet:
    def __init__(
        self, folder: Path, count: int, seed: int, games: list[str], fault: str = "none", has_cable: bool = False
    ) -> None:
        self.count, self.games, self.fault, self.folder = count, games, fault, folder
        self.has_standby = count > 1
        self.leases = folder / "leases"
        self._lock = asyncio.Lock()
        self._asking: asyncpg.Connection | None = None
        self._asked: Postgres | None = None  # the database that the connection goes to
        self.redis = Redis()
        self.primary = self._new_postgres()
        self.standby: Postgres | None = None
        networks = [*[None] * (count - 1), Network() if has_cable else None]
        self.nodes = [Node(number, folder, self, network) for number, network in enumerate(networks)]
        self.balancer = Balancer(lambda: [(node.host, node.port) for node in self.nodes if node.is_up], seed)

    def _new_postgres(self, copy_of: Postgres | None = None) -> Postgres:
        # Not within the folder: that is closed to the user that PostgreSQL runs as. In memory where there is such a
        # folder: programs are killed here, never the machine, and what was written outlives them there as on a disk.
        memory = MEMORY if os.access(MEMORY, os.W_OK) else None
        return Postgres(Path(tempfile.mkdtemp(prefix="tavolino-postgresql-", dir=memory)), copy_of)

    async def open(self) -> None:
        await asyncio.to_thread(self.primary.start)
        if self.count > 1:
            await asyncio.to_thread(self.redis.start)
            if self.has_standby:
                await self.add_standby()
        await self.balancer.open()
        first, *others = self.nodes
        await first.open()  # compiles what is not in the cache yet; the others load it
        await asyncio.gather(*(node.open() for node in others))
        for node in self.nodes:
            await node.start()

    async def close(self) -> None:
        for node in self.nodes:
            await node.close()
        if self._asking is not None:
            self._asking.terminate()
        self.balancer.close()
        self.redis.stop()
        for each in (self.primary, self.standby):
            if each is not None:
                await asyncio.to_thread(each.stop, signal.SIGQUIT)
                shutil.rmtree(each.log.parent, ignore_errors=True)

    # -- the database

    async def add_standby(self) -> None:
        """A standby with all the data; from then on a commit waits for it."""
        standby = await asyncio.to_thread(self._new_postgres, self.primary)
        await asyncio.to_thread(standby.start)
        self.standby = standby
        await self.ask("ALTER SYSTEM SET synchronous_standby_names = '*'")
        await self.ask("SELECT pg_reload_conf()")
        end = time.monotonic() + 60
        while not await self.ask("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"):
            assert time.monotonic() < end, standby.log.read_text()[-500:]
            await asyncio.sleep(0.1)

    async def fail_over(self) -> None:
        """The primary dies at once, the standby takes over, and gets a standby of its own later (`add_standby`)."""
        assert self.standby is not None
        dead, promoted = self.primary, self.standby
        await asyncio.to_thread(dead.stop, signal.SIGQUIT)
        await asyncio.to_thread(promoted.promote)
        self.primary, self.standby = promoted, None
        await self.ask("ALTER SYSTEM RESET synchronous_standby_names")
        await self.ask("SELECT pg_reload_conf()")
        for node in self.nodes:
            node.to_database.reset()
        shutil.rmtree(dead.log.parent, ignore_errors=True)

    async def ask(self, query: str, *values: Any) -> list[Any]:
        """Query PostgreSQL directly, past all broken links, over one connection as long as it lasts."""
        async with self._lock:
            for is_last in (False, True):
                if self._asking is None or self._asking.is_closed() or self._asked != self.primary:
                    settings = {"search_path": "tavolino"}
                    self._asked = self.primary
                    self._asking = await asyncpg.connect(self.primary.url(), server_settings=settings)
                try:
                    found: list[Any] = await self._asking.fetch(query, *values)
                    return found
                except (
                    OSError,
                    asyncpg.InterfaceError,
                    asyncpg.PostgresConnectionError,
                    asyncpg.OperatorInterventionError,
                ):
                    self._asking.terminate()
                    self._asking = None
                    if is_last:
                        raise
        raise AssertionError


@asynccontextmanager
async def running(
    folder: Path,
    count: int,
    seed: int,
    games: list[str],
    fault: str = "none",
    has_standby: bool | None = None,
    has_cable: bool = False,
) -> AsyncIterator[Fleet]:
    """`has_standby`: by default several nodes have one. `has_cable`: the last node lives in a network of its own."""
    fleet = Fleet(folder, count, seed, games, fault, has_cable)
    if has_standby is not None:
        fleet.has_standby = has_standby
    try:
        await fleet.open()
        yield fleet
    finally:
        await fleet.close()
