"""The PostgreSQL storage: the contract, and one server at a time, durability, lost connections, restarts."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from tavolino.server.features import entry_kinds
from tavolino.server.features.notifications.feature import Notifications
from tavolino.server.features.ready_marks import MarkedReady
from tavolino.server.kernel import entries as e
from tavolino.server.kernel import snapshots
from tavolino.server.operators.transfer import SqliteSide, move_data
from tavolino.server.operators.transfer_postgres import PostgresSide
from tavolino.server.storage import (
    Appended,
    CannotOpen,
    JournalReplaced,
    NumberTaken,
    OutcomeUnknown,
    Storage,
    StorageError,
    StorageInUse,
    TableDamaged,
)
from tavolino.server.storage.postgres import PostgresStorage, connections
from tavolino.server.storage.postgres.connections import place_of
from tavolino.server.storage.postgres.schema import MIGRATIONS, Migration, migrate
from tavolino.server.storage.sqlite import SqliteStorage
from tests.postgresql import PASSWORD, Postgres, postgres
from tests.server.storage_contract import StorageContract, old_entries_with_webhook, row


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    with postgres() as running:
        yield running


@pytest.fixture
def url(server: Postgres) -> str:
    """The address of a database without anything in it. One for all tests: making one takes a second and 8 MB."""

    async def empty() -> None:
        connection = await asyncpg.connect(server.url())
        await connection.execute("DROP SCHEMA IF EXISTS tavolino CASCADE")
        await connection.close()

    asyncio.run(empty())
    return server.url()


class TestPostgres(StorageContract):
    @pytest.fixture(autouse=True)
    def _on(self, url: str) -> None:
        self._url = url

    def make(self, folder: Path) -> Storage:
        return PostgresStorage(self._url)


def use(url: str, work: Callable[[PostgresStorage], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        storage = PostgresStorage(url)
        await storage.open()
        try:
            return await work(storage)
        finally:
            await storage.close()

    return asyncio.run(run())


# -- opening


def test_nodes_share_a_database_and_a_command_that_needs_it_alone_waits_for_all(url: str) -> None:
    async def work(first: PostgresStorage) -> None:
        second = PostgresStorage(url)
        await second.open()
        with pytest.raises(StorageInUse, match="another server is using the data"):
            await PostgresStorage(url, "alone").open()
        beside = PostgresStorage(url, "beside")
        await beside.open()
        assert await beside.is_served()
        await first.close()
        assert await beside.is_served()
        await second.close()
        assert not await beside.is_served()
        alone = PostgresStorage(url, "alone")
        await alone.open()
        with pytest.raises(StorageInUse, match="wait until it ends"):
            await PostgresStorage(url).open()
        await alone.close()
        await beside.close()

    use(url, work)


def test_several_hosts_are_named_without_user_and_password() -> None:
    url = f"postgresql://tavolino:{PASSWORD}@a:5432,b:5433/table?target_session_attrs=read-write"
    assert connections.place_of(url) == "postgresql://a:5432,b:5433/table"


def test_what_cannot_be_opened_says_why_and_never_the_password(server: Postgres, url: str) -> None:
    nobody_there = f"postgresql://tavolino:{PASSWORD}@127.0.0.1:1/x"
    for address, expected in (
        (server.url("postgres", "wrong" + PASSWORD), "refuses this user and password"),
        (server.url("nothing-of-that-name"), "there is no such database"),
        (nobody_there, "nothing listens there"),
    ):
        with pytest.raises(CannotOpen, match=expected) as caught:
            use(address, lambda storage: storage.last_moment())
        assert PASSWORD not in str(caught.value)
        assert "tavolino:" not in str(caught.value)
    assert place_of(url) == f"postgresql://127.0.0.1:{server.port}/{url.rsplit('/', 1)[1]}"


@pytest.mark.parametrize("setting", ["fsync", "full_page_writes"])
def test_a_server_that_would_lose_moves_in_a_power_cut_is_refused(setting: str) -> None:
    with postgres(**{setting: "off"}) as careless, pytest.raises(CannotOpen, match=f"{setting}=off"):
        use(careless.url(), lambda storage: storage.last_moment())


def test_commits_are_synchronous_whatever_the_database_says(server: Postgres, url: str) -> None:
    async def loosen(setting: str) -> None:
        connection = await asyncpg.connect(url)
        await connection.execute(f"ALTER DATABASE postgres {setting}")
        await connection.close()

    asyncio.run(loosen("SET synchronous_commit = off"))
    assert use(url, lambda storage: storage.database.value("SHOW synchronous_commit")) == "on"
    asyncio.run(loosen("RESET synchronous_commit"))


def test_servers_that_start_together_migrate_once(url: str) -> None:
    async def work() -> list[BaseException | None]:
        async def one() -> None:
            connection = await asyncpg.connect(url, server_settings={"search_path": "tavolino"})
            try:
                await migrate(connection)
            finally:
                await connection.close()

        return await asyncio.gather(*(one() for _ in range(6)), return_exceptions=True)

    assert asyncio.run(work()) == [None] * 6


def test_an_older_server_works_with_a_newer_schema_only_if_that_says_so(url: str) -> None:
    async def work() -> None:
        connection = await asyncpg.connect(url, server_settings={"search_path": "tavolino"})
        try:
            wider = Migration(1, "ALTER TABLE tables ADD COLUMN colour text")
            await migrate(connection, (*MIGRATIONS, wider))
            await migrate(connection)  # the older one: nothing is missing for it
            await migrate(
                connection, (*MIGRATIONS, wider, Migration(len(MIGRATIONS) + 2, "ALTER TABLE tables DROP COLUMN game"))
            )
            with pytest.raises(CannotOpen, match="newer Tavolino"):
                await migrate(connection)
        finally:
            await connection.close()

    asyncio.run(work())


def test_an_index_is_built_while_older_servers_write(server: Postgres, url: str) -> None:
    """It waits for a transaction that is open, and a move does not wait for it."""

    async def work() -> None:
        storage = PostgresStorage(url)
        await storage.open()
        await storage.append(Appended(row("t"), 1, [b"one"]))
        reader, builder, observer = [
            await asyncpg.connect(url, server_settings={"search_path": "tavolino"}) for _ in range(3)
        ]  # fmt: skip
        transaction = reader.transaction(isolation="repeatable_read")
        await transaction.start()
        await reader.execute("UPDATE moment SET wall = wall")
        await reader.fetch("SELECT FROM entries")
        wider = Migration(1, "SELECT 1", ("entries_by_size ON entries (length(entry))",))
        building = asyncio.create_task(migrate(builder, (*MIGRATIONS, wider)))
        query = (
            "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONCURRENTLY%' AND state = 'active'"
        )
        while not await observer.fetchval(query):
            assert not building.done(), building.exception()
            await asyncio.sleep(0.02)
        for number in range(2, 5):
            await storage.append(Appended(row("t"), number, [b"more"]))
        assert not building.done()
        await transaction.rollback()
        await building
        # One that was interrupted is left invalid, and is built again.
        await builder.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'entries_by_size'::regclass")
        await migrate(builder, (*MIGRATIONS, wider))
        valid = "SELECT indisvalid FROM pg_index WHERE indexrelid = 'entries_by_size'::regclass"
        assert await builder.fetchval(valid) is True
        for connection in (reader, builder, observer):
            await connection.close()
        await storage.close()

    asyncio.run(work())


@pytest.mark.slow
def test_a_change_of_a_table_does_not_stop_writing_behind_a_reader(url: str) -> None:
    async def work() -> None:
        storage = PostgresStorage(url)
        await storage.open()
        await storage.append(Appended(row("t"), 1, [b"one"]))
        reader, changer = [
            await asyncpg.connect(url, server_settings={"search_path": "tavolino"}) for _ in range(2)
        ]  # fmt: skip
        transaction = reader.transaction()
        await transaction.start()
        await reader.fetch("SELECT FROM tables")  # as during a backup
        wider = Migration(1, "ALTER TABLE tables ADD COLUMN size integer NOT NULL DEFAULT 0")
        changing = asyncio.create_task(migrate(changer, (*MIGRATIONS, wider)))
        for number in range(2, 6):
            await asyncio.sleep(0.5)
            await asyncio.wait_for(storage.append(Appended(row("t"), number, [b"more"])), 30)
        assert not changing.done()
        await transaction.rollback()
        await changing
        await storage.append(Appended(row("t"), 6, [b"more"]))
        await reader.close()
        await changer.close()
        await storage.close()

    asyncio.run(work())


# -- writing


def test_a_move_is_one_round_trip(server: Postgres, url: str) -> None:
    """Counted on the way: a proxy of the test sees every message of the client."""

    async def work() -> None:
        counted = [0]

        async def count(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            there, back = await asyncio.open_connection("127.0.0.1", server.port)

            async def answers() -> None:
                while data := await there.read(65_536):
                    writer.write(data)
                writer.close()

            task = asyncio.create_task(answers())
            while data := await reader.read(65_536):
                counted[0] += 1
                back.write(data)
            back.close()
            await task

        proxy = await asyncio.start_server(count, "127.0.0.1", 0)
        port = proxy.sockets[0].getsockname()[1]
        storage = PostgresStorage(url.replace(f":{server.port}/", f":{port}/"))
        await storage.open()
        await storage.append(Appended(row("t"), 1, [b"one"]))
        await storage.append(Appended(row("t", "playing"), 2, [b"two"]))  # so that the statement is prepared
        before = counted[0]
        for number in range(3, 23):
            await storage.append(Appended(row("t", "playing"), number, [b"move"]))
        spent = counted[0] - before
        await storage.close()
        proxy.close()
        # The guard of the lock asks once a second, too.
        assert 20 <= spent <= 25

    asyncio.run(work())


def test_another_writers_entry_is_found_by_its_number_and_hash(url: str) -> None:
    async def work(first: PostgresStorage) -> None:
        second = PostgresStorage(url, "beside")
        await second.open()
        await first.append(Appended(row("t"), 1, [b"one"]))
        await second.append(Appended(row("t"), 2, [b"two"]))
        with pytest.raises(NumberTaken):
            await first.append(Appended(row("t"), 2, [b"another two"]))
        await first.append(Appended(row("t"), 3, [b"three"]))
        assert await second.entries("t") == [b"one", b"two", b"three"]
        await second.close()

    use(url, work)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE tavolino.entries SET entry = 'else' WHERE number = 1",
        "DELETE FROM tavolino.entries WHERE number = 2",
        "UPDATE tavolino.entries SET number = 7 WHERE number = 2",
        "INSERT INTO tavolino.entries VALUES ('t', 3, 'three')",
    ],
)
def test_entries_that_are_not_as_they_were_written_are_found(url: str, damage: str) -> None:
    async def work(storage: PostgresStorage) -> None:
        await storage.append(Appended(row("t"), 1, [b"one", b"two"]))
        await storage.append(Appended(row("u"), 1, [b"one"]))
        await storage.database.rows(
            damage.replace("'t'", "'t'") + ("" if "INSERT" in damage else " AND table_id = 't'")
        )
        with pytest.raises(TableDamaged):
            await storage.entries("t")
        assert await storage.entries("u") == [b"one"]
        _, found = await storage.check_tables("", 10)
        assert [each.table for each in found] == ["t"]

    use(url, work)


async def everything_in(storage: PostgresStorage) -> str:
    """All rows of all tables."""
    names = await storage.database.rows(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'tavolino'"
    )
    found = []
    for (name,) in names:
        found += [str(each) for (each,) in await storage.database.rows(f"SELECT {name}::text FROM {name}")]
    return "".join(found)


def test_webhooks_in_entries_of_older_nodes_become_items_of_who_gave_them(url: str, tmp_path: Path) -> None:
    """Such a node may run beside this one: it reads the table again, and finds nothing missing."""
    secret = "https://discord.com/api/webhooks/1/Secret"
    entries = old_entries_with_webhook(secret)

    async def work() -> None:
        older, newer = PostgresStorage(url), PostgresStorage(url)
        await older.open()
        await newer.open()
        await older.add_person("bo", "Bo", b"hash", 1)
        await older.append(Appended(row("t"), 1, entries))
        await older.keep_snapshot("t", 5, f'{{"webhook":"{secret}"}}'.encode())
        assert await newer.check_tables("", 10) == (None, [])
        assert await newer.items("bo", "") == {"webhook/t": secret.encode()}
        state = await snapshots.load_state(newer, entry_kinds(), "t")
        assert state is not None
        assert Notifications.of(state).webhook == "bo"
        with pytest.raises(NumberTaken):
            await older.append(Appended(row("t"), 6, [b"{}"]))
        with pytest.raises(JournalReplaced):
            await older.entries("t", after=5)
        await older.append(Appended(row("t"), 6, [e.encode(MarkedReady(0, True))]))
        await older.keep_snapshot("t", 6, f'{{"webhook":"{secret}"}}'.encode())  # it had the address in memory
        await newer.check_tables("", 10)
        assert secret.encode().hex() in await everything_in(newer)
        await newer.remove_items("bo", "webhook/t")
        assert secret.encode().hex() not in await everything_in(newer)
        # Whatever is moved away is clean, too, if no newer node has looked at it.
        await older.append(Appended(row("u"), 1, entries))
        await older.close()
        await newer.close()
        await move_data(PostgresSide(url), SqliteSide(tmp_path))
        moved = SqliteStorage(tmp_path)
        await moved.open()
        assert [entry for entry in await moved.entries("u") if b"Secret" in entry] == []
        assert await moved.items("bo", "") == {"webhook/u": secret.encode()}
        await moved.close()

    asyncio.run(work())


def test_an_older_snapshot_does_not_replace_a_newer_one(url: str) -> None:
    async def work(storage: PostgresStorage) -> None:
        await storage.keep_snapshot("t", 128, b"newer")
        await storage.keep_snapshot("t", 64, b"older")
        assert await storage.snapshot("t") == (128, b"newer")

    use(url, work)


# -- losing the connection


class Cutter:
    """A connection to PostgreSQL that breaks when the test says: before a statement arrives, or before its answer."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.cut: str | None = None
        self.cuts = 0

    async def start(self) -> int:
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    def stop(self) -> None:
        self._server.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self._port)
        is_cut = False

        async def answers() -> None:
            while data := await there.read(65_536):
                if not is_cut:
                    writer.write(data)
            writer.close()

        task = asyncio.create_task(answers())
        while data := await reader.read(65_536):
            if self.cut is not None and b"the move" in data:
                is_cut, self.cuts = True, self.cuts + 1
                if self.cut == "answer":
                    back.write(data)
                    await asyncio.sleep(0.3)  # it is committed by now
                self.cut = None if self.cuts >= 1 else self.cut
                break
            back.write(data)
        writer.transport.abort()
        back.close()
        await asyncio.gather(task, return_exceptions=True)


@pytest.mark.parametrize("what", ["statement", "answer"])
def test_a_commit_whose_answer_was_lost_counts_once(server: Postgres, url: str, what: str) -> None:
    async def work() -> None:
        cutter = Cutter(server.port)
        storage = PostgresStorage(url.replace(f":{server.port}/", f":{await cutter.start()}/"))
        await storage.open()
        await storage.append(Appended(row("t"), 1, [b"one"]))
        cutter.cut = what
        await storage.append(Appended(row("t"), 2, [b"the move"]))
        assert cutter.cuts == 1
        assert await storage.entries("t") == [b"one", b"the move"]
        await storage.append(Appended(row("t"), 3, [b"three"]))
        cutter.cuts, cutter.cut = 0, what  # two tables at once: all or nothing, and once
        await storage.append(Appended(row("t"), 4, [b"the move"]), Appended(row("u"), 1, [b"one"]))
        assert cutter.cuts == 1
        assert len(await storage.entries("t")) == 4
        assert await storage.entries("u") == [b"one"]
        await storage.close()
        cutter.stop()

    asyncio.run(work())


def test_a_number_that_another_took_meanwhile_is_refused_after_a_loss(server: Postgres, url: str) -> None:
    async def work() -> None:
        cutter = Cutter(server.port)
        storage = PostgresStorage(url.replace(f":{server.port}/", f":{await cutter.start()}/"))
        other = PostgresStorage(url, "beside")
        await storage.open()
        await other.open()
        await storage.append(Appended(row("t"), 1, [b"one"]))
        await other.append(Appended(row("t"), 2, [b"theirs"]))
        cutter.cut = "statement"
        with pytest.raises(NumberTaken):
            await storage.append(Appended(row("t"), 2, [b"the move"]))
        assert await storage.entries("t") == [b"one", b"theirs"]
        await other.close()
        await storage.close()
        cutter.stop()

    asyncio.run(work())


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGQUIT, signal.SIGINT])
def test_play_goes_on_by_itself_after_a_restart(how: signal.Signals) -> None:
    with postgres() as mortal:

        async def work(storage: PostgresStorage) -> None:
            acknowledged = 0
            stop = asyncio.Event()

            async def play() -> None:
                nonlocal acknowledged
                while not stop.is_set():
                    await storage.append(Appended(row("t"), acknowledged + 1, [b"move %d" % acknowledged]))
                    acknowledged += 1

            player = asyncio.create_task(play())
            while acknowledged < 20:
                await asyncio.sleep(0.01)
            await asyncio.to_thread(mortal.stop, how)
            before = acknowledged
            await asyncio.to_thread(mortal.start)
            while acknowledged < before + 20:
                assert not player.done(), player
                await asyncio.sleep(0.01)
            stop.set()
            await player
            assert await storage.entries("t") == [b"move %d" % n for n in range(acknowledged)]
            assert storage.problems() == []
            while not await storage.is_served():  # the lock, too, is ours again
                await asyncio.sleep(0.1)

        use(mortal.url(), work)


@contextlib.contextmanager
def impatient() -> Iterator[None]:
    """Short timeouts, only in tests that wait for them: on a busy machine anything may take longer than a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connections, "PATIENCE_SECONDS", 1.0)
        yield


@pytest.mark.slow
def test_what_waits_too_long_is_refused_and_never_called_unchanged() -> None:
    with postgres() as mortal:

        async def work(storage: PostgresStorage) -> None:
            await storage.append(Appended(row("t"), 1, [b"one"]))
            await asyncio.to_thread(mortal.stop)
            with impatient(), pytest.raises(StorageError):
                await storage.append(Appended(row("t"), 2, [b"two"]))
            assert any("PostgreSQL does not answer" in problem for problem in storage.problems())
            await asyncio.to_thread(mortal.start)
            assert await storage.entries("t") == [b"one"]
            # Somebody holds the row: the statement is there, and nobody knows what will come of it.
            blocker = await asyncpg.connect(mortal.url())
            transaction = blocker.transaction()
            await transaction.start()
            await blocker.execute("SELECT FROM tavolino.tables FOR UPDATE")
            with impatient(), pytest.raises(OutcomeUnknown):
                await storage.append(Appended(row("t"), 2, [b"two"]))
            await transaction.rollback()
            await blocker.close()

        use(mortal.url(), work)
