"""Failures of PostgreSQL: acknowledged writes are stored, refused ones are not, and writing continues by itself."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from tavolino.server.storage import Appended, OutcomeUnknown, StorageError
from tavolino.server.storage.postgres import PostgresStorage, connections
from tests.nodes.links import HERE, Link
from tests.nodes.networks import Network, are_permitted
from tests.postgresql import Postgres, postgres
from tests.server.storage_contract import row

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


class Writer:
    """Writes one entry after the other to a table, as a game does, and notes what it was told of each."""

    def __init__(self, storage: PostgresStorage, size: int = 20) -> None:
        self.acknowledged: dict[int, bytes] = {}
        self.refused: list[bytes] = []
        self.told: list[str] = []
        self._storage, self._size, self._count = storage, size, 0

    async def write(self) -> bool:
        """One entry, after those that are there."""
        number = len(self.acknowledged) + 1
        self._count += 1
        entry = b"%d " % self._count + os.urandom(self._size)
        try:
            await self._storage.append(Appended(row("t"), number, [entry]))
        except OutcomeUnknown:
            self.told.append("unknown")
            await self._read_back(number, entry)
        except StorageError as error:
            self.told.append(type(error).__name__)
            self.refused.append(entry)
        else:
            self.acknowledged[number] = entry
            return True
        return False

    async def read(self) -> list[bytes]:
        return await self._storage.entries("t")

    async def _read_back(self, number: int, entry: bytes) -> None:
        """Read what is stored before the next write, as a table does."""
        while True:
            with contextlib.suppress(StorageError):
                stored = await self._storage.entries("t")
                break
        if len(stored) >= number:
            assert stored[number - 1] == entry
            self.acknowledged[number] = entry

    async def until_written(self, more: int) -> None:
        """Until so many more are acknowledged, whatever is refused in between."""
        goal = len(self.acknowledged) + more
        while len(self.acknowledged) < goal:
            if not await self.write():
                await asyncio.sleep(0.1)

    async def check(self, url: str) -> None:
        """Compare with the database itself, past the storage."""
        connection = await asyncpg.connect(url)
        found = await connection.fetch("SELECT number, entry FROM tavolino.entries ORDER BY number")
        await connection.close()
        stored = [each["entry"] for each in found]
        assert [each["number"] for each in found] == list(range(1, len(found) + 1))
        assert stored == [self.acknowledged[number] for number in sorted(self.acknowledged)]
        assert not set(stored) & set(self.refused)


@contextlib.asynccontextmanager
async def writing(server: Callable[[], Postgres], size: int = 20) -> AsyncIterator[tuple[Writer, Link]]:
    """A storage that reaches PostgreSQL over a link that the test can break."""
    link = Link(lambda: (HERE, server().port))
    await link.open()
    storage = PostgresStorage(server().url().replace(f":{server().port}/", f":{link.port}/"))
    await storage.open()
    try:
        yield Writer(storage, size), link
    finally:
        await storage.close()
        link.close()


@pytest.fixture
def short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "PATIENCE_SECONDS", 1.0)


async def do(server: Postgres, *statements: str) -> None:
    connection = await asyncpg.connect(server.url())
    for statement in statements:
        await connection.execute(statement)
    await connection.close()


@pytest.mark.usefixtures("short_patience")
def test_a_database_that_is_read_only_for_a_while() -> None:
    async def work(server: Postgres) -> None:
        async with writing(lambda: server) as (writer, _):
            await writer.until_written(5)
            await do(server, "ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()")
            while not writer.told:
                await writer.write()
            assert not await writer.write()
            await do(
                server, "SET default_transaction_read_only = off", "ALTER SYSTEM RESET default_transaction_read_only",
                "SELECT pg_reload_conf()",
            )  # fmt: skip
            await writer.until_written(5)
            await writer.check(server.url())

    with postgres() as server:
        asyncio.run(work(server))


@pytest.mark.usefixtures("short_patience")
def test_a_database_that_is_unreachable_for_longer_than_a_move_waits() -> None:
    async def work(server: Postgres) -> None:
        async with writing(lambda: server) as (writer, link):
            await writer.until_written(5)
            link.stall()
            waiting = asyncio.create_task(writer.write())
            await asyncio.sleep(2.5)
            assert writer.told == ["unknown"]
            link.heal()  # what was under way arrives now
            assert not await waiting
            await writer.until_written(5)
            await writer.check(server.url())

    with postgres() as server:
        asyncio.run(work(server))


def test_a_standby_that_takes_over_has_all_that_was_acknowledged() -> None:
    async def work(primary: Postgres, standby: Postgres) -> None:
        now = primary
        await do(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
        async with writing(lambda: now) as (writer, link):
            await writer.until_written(20)
            writes = asyncio.create_task(writer.until_written(200))
            await asyncio.sleep(0.2)
            await asyncio.to_thread(primary.stop, signal.SIGQUIT)
            await asyncio.to_thread(standby.promote)
            await do(standby, "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()")
            now = standby
            link.reset()
            await writes
            await writer.check(standby.url())

    with postgres() as primary, _standby_of(primary) as standby:
        asyncio.run(work(primary, standby))


def test_a_commit_that_the_standby_lacks_is_not_acknowledged(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a crash the primary has the move that waited for the standby, and everybody can read it there."""
    monkeypatch.setattr(connections, "PATIENCE_SECONDS", 60.0)
    waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"

    async def work(primary: Postgres, standby: Postgres) -> None:
        now = primary
        await do(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
        async with writing(lambda: now) as (writer, link):
            await writer.until_written(5)
            await asyncio.to_thread(standby.stop, signal.SIGQUIT)
            write = asyncio.create_task(writer.write())
            await until_found(primary, f"SELECT 1 {waiting}")
            await asyncio.to_thread(primary.stop, signal.SIGQUIT)
            await asyncio.to_thread(primary.start)
            await until_found(primary, "SELECT 1 FROM tavolino.entries WHERE number = 6")
            read = asyncio.create_task(writer.read())
            await until_found(primary, f"SELECT count(*) = 2 {waiting}", write, read)
            await asyncio.to_thread(primary.stop, signal.SIGQUIT)
            await asyncio.to_thread(standby.start)
            await asyncio.to_thread(standby.promote)
            await do(standby, "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()")
            now = standby
            link.reset()
            assert await write
            assert len(await read) in (5, 6)
            await writer.until_written(5)
            await writer.check(standby.url())

    with postgres() as primary, _standby_of(primary) as standby:
        asyncio.run(work(primary, standby))


async def until_found(server: Postgres, query: str, *unanswered: asyncio.Task[Any]) -> None:
    connection = await asyncpg.connect(server.url())
    try:
        while not await connection.fetchval(query):
            assert not any(task.done() for task in unanswered)
            await asyncio.sleep(0.05)
    finally:
        await connection.close()


@contextlib.contextmanager
def _standby_of(primary: Postgres) -> Iterator[Postgres]:
    folder = Path(tempfile.mkdtemp(prefix="tavolino-postgresql-"))
    standby = Postgres(folder, primary)
    try:
        standby.start()
        yield standby
    finally:
        standby.stop(signal.SIGQUIT)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
def test_a_full_disk_and_room_again() -> None:
    async def work(server: Postgres, disk: Path) -> None:
        async with writing(lambda: server, size=1_500) as (writer, _):
            await writer.until_written(5)
            await do(
                server, f"CREATE TABLESPACE small LOCATION '{disk}'",
                "ALTER TABLE tavolino.entries SET TABLESPACE small",
                "ALTER TABLE tavolino.entries ALTER entry SET STORAGE PLAIN",
            )  # fmt: skip
            while "StorageFull" not in writer.told:
                await writer.write()
            assert not await writer.write()
            await writer.check(server.url())
            subprocess.run(["mount", "-o", "remount,size=20m", str(disk.parent)], check=True)
            await writer.until_written(50)
            await writer.check(server.url())

    with _small_disk() as disk, postgres() as server:
        asyncio.run(work(server, disk))


@contextlib.contextmanager
def _small_disk() -> Iterator[Path]:
    disk = Path(tempfile.mkdtemp(prefix="tavolino-disk-"))
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], check=True)
    try:
        folder = disk / "space"
        folder.mkdir()
        for each in (disk, folder):
            os.chown(each, pwd.getpwnam("nobody").pw_uid, -1)
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)
        disk.rmdir()


@pytest.mark.skipif(not are_permitted(), reason="this machine does not permit networks of our own")
@pytest.mark.usefixtures("short_patience")
def test_a_network_link_that_is_set_down_and_up_again() -> None:
    """A node in a network of its own, whose cable to PostgreSQL is pulled: nothing is told to either end."""

    async def work(server: Postgres, network: Network) -> Writer:
        storage = PostgresStorage(server.url().replace(HERE, network.here))
        await storage.open()
        writer = Writer(storage)
        await writer.until_written(5)
        for _ in range(3):
            writing = asyncio.create_task(writer.until_written(20))
            while len(writer.acknowledged) % 20 == 5:  # in the middle of it
                await asyncio.sleep(0)
            network.pull()
            told = len(writer.told)
            while len(writer.told) == told:
                await asyncio.sleep(0.05)
            network.plug_in()
            await writing
        await storage.close()
        return writer

    network = Network()
    try:
        network.open()
        with tempfile.TemporaryDirectory() as folder:
            rules = Path(folder) / "pg_hba.conf"
            rules.write_text("host all all 127.0.0.1/32 scram-sha-256\nhost all all 10.213.0.0/16 scram-sha-256\n")
            Path(folder).chmod(0o755)
            with postgres(listen_addresses=f"127.0.0.1,{network.here}", hba_file=str(rules)) as server:
                with ThreadPoolExecutor(1, initializer=_enter, initargs=(network.name,)) as within:
                    writer = within.submit(lambda: asyncio.run(work(server, network))).result()
                asyncio.run(writer.check(server.url()))
    finally:
        network.close()


def _enter(namespace: str) -> None:
    """This thread, and the threads and programs that it starts, use the network of a namespace from now on."""
    with Path(f"/run/netns/{namespace}").open() as file:
        libc = ctypes.CDLL(None, use_errno=True)
        assert libc.setns(file.fileno(), 0x4000_0000) == 0, os.strerror(ctypes.get_errno())
