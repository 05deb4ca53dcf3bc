"""A real server for the tests: uvicorn in a thread, real sockets, a clock that tests can stop."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import io
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import pytest

import tavolino
from tavolino.bots.warmup import warm_all
from tavolino.server import clock
from tavolino.server.app import make_app
from tavolino.server.context import Context
from tavolino.server.kernel.feature import Feature
from tavolino.server.load import Load
from tavolino.server.main import make_server
from tavolino.server.observability import set_up_logging
from tavolino.server.settings import Limits, Pace, ServerSettings
from tavolino.server.storage import Storage
from tavolino.server.tables.housekeeping import Housekeeping
from tavolino.server.tables.registry import Registry
from tests.chance import repeatable
from tests.postgresql import Postgres, postgres
from tests.redis import Redis, redis
from tests.server.clients import Guest, close_all

watch_load = Load.watch
Switched = TypeVar("Switched", bound=Feature[Any])


async def _watch_nothing(load: Load) -> None:
    """Disable overload detection, except in tests of it: the server shares its process with the clients and the machine
    with other tests."""
    await asyncio.sleep(1e9)


Load.watch = _watch_nothing  # type: ignore[method-assign, assignment]
GAMES = [name for name in tavolino.games() if find_spec(f"tavolino.games.{name.replace('-', '_')}")]
GENEROUS = Limits(
    messages_per_second=2_000,
    messages_burst=4_000,
    requests_per_second=5_000,
    requests_burst=10_000,
    files_per_second=5_000,
    files_burst=10_000,
    work_per_second=1_000_000,
    work_burst=1_000_000,
    loop_per_second=1_000,
    loop_burst=1_000_000,
    changes_per_minute=60_000,
    changes_burst=10_000,
    talk_per_minute=60_000,
    talk_burst=1_000,
    tables_per_person=500,
    tables_per_hour=100_000,
    program_changes_per_minute=60_000,
    program_changes_burst=10_000,
    tables_per_program=500,
    program_tables_per_hour=100_000,
    people_per_hour=100_000,
    links_per_hour=100_000,
    connections_per_second=5_000,
    connections_burst=10_000,
)


WITHOUT = tuple(filter(None, os.environ.get("TAVOLINO_TEST_WITHOUT", "").split(",")))  # of every server of the suite
ON_POSTGRESQL = bool(os.environ.get("TAVOLINO_TEST_ON_POSTGRESQL"))  # scripts/test-long: every server of the suite
# What is about the SQLite file itself, or about a second process that opens it.
OF_SQLITE = ("data_folder", "data_of_0_1", "kill", "operators", "other_writer", "storage_faults", "storage_sqlite")
LOOK_INTO_SQLITE = (
    "test_threat_12_tokens_are_long_random_and_only_their_hash_is_kept",
    "test_threat_21_a_table_of_unknown_rules_is_closed_with_a_word_and_its_record_kept",
    "test_a_table_that_another_node_has_in_memory_is_not_compacted",
    "test_an_older_program_refuses_data_with_compacted_tables_in_a_sentence",
    "test_compacted_tables_are_backed_up_moved_and_checked",
    "test_deletion_backup_and_move_cover_what_features_that_are_off_have_stored",
    "test_every_journal_is_read_the_same_whatever_is_off",
    "test_old_tables_are_the_same_whatever_is_off",
)


@cache
def _everybodys_postgres() -> Postgres:
    stack = contextlib.ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(postgres())


@cache
def database_of(folder: Path) -> str:
    """A database for this folder: a server that starts there again finds its data."""
    return _everybodys_postgres().new_database()


class Clock(clock.Clock):
    """The server's clock, controlled by the test."""

    def __init__(self) -> None:
        self._held: float | None = None
        self._wall_ahead = self._monotonic_ahead = 0.0
        super().__init__(self._wall_clock, self._monotonic_clock)

    def _wall_clock(self) -> float:
        return (time.time() if self._held is None else self._held) + self._wall_ahead

    def _monotonic_clock(self) -> float:
        return (time.monotonic() if self._held is None else 0.0) + self._monotonic_ahead

    def follow(self, moment: clock.Moment) -> None:
        """On PostgreSQL the database counts the time of all nodes; a clock that a test has stopped stays stopped."""
        if self._held is None:
            super().follow(moment)

    def hold(self, moment: float = 1_800_000_000.0) -> None:
        self._held = moment

    def advance(self, seconds: float) -> None:
        """Let time pass while the server runs."""
        self.up()
        self._wall_ahead += seconds
        self._monotonic_ahead += seconds
        self._seen += seconds
        self._up += seconds

    def pause(self, seconds: float) -> None:
        """Let time pass while the process is stopped, or while no server runs."""
        self._wall_ahead += seconds
        self._monotonic_ahead += seconds

    def set_wall(self, seconds: float) -> None:
        """Set only the wall clock, forward or back."""
        self._wall_ahead += seconds


@cache
def compile_games() -> None:
    """Compile what the first server needs, in processes of their own."""
    warm_all(lambda progress: None, GAMES, ["rules", "medium"])


class Server:
    """A server in this process."""

    def __init__(
        self, folder: Path, clock: Clock | None = None, storage: Storage | None = None, **settings: Any
    ) -> None:
        compile_games()
        self.clock = clock or Clock()
        self.log = io.StringIO()
        settings = {"limits": GENEROUS, "pace": Pace(0, 0), "salt_seconds": 1.0, "warm_up": False, **settings}
        settings.setdefault("without", WITHOUT)
        if ON_POSTGRESQL and storage is None:
            settings = {"database": database_of(folder), **settings}
        self.settings = ServerSettings(data=folder, log_level="debug", log_format="json", **settings)
        log = set_up_logging("debug", "json", self.log)
        for ours in ("httpx", "httpcore"):  # the tests' own clients run in this process too
            logging.getLogger(ours).setLevel(logging.WARNING)
        self.app = make_app(self.settings, log, storage, self.clock)
        self._server = make_server(self.app, self.settings.host, 0)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        end = time.monotonic() + 60
        while not self._server.started:
            assert self._thread.is_alive(), self.log.getvalue()
            assert time.monotonic() < end
            time.sleep(0.01)
        port = self._server.servers[0].sockets[0].getsockname()[1]
        self.address = f"http://{self.settings.host}:{port}"

    @property
    def registry(self) -> Registry:
        registry: Registry = self.app.state.registry
        return registry

    @property
    def housekeeping(self) -> Housekeeping:
        housekeeping: Housekeeping = self.app.state.housekeeping
        return housekeeping

    @property
    def context(self) -> Context:
        return self.registry.context

    def feature(self, kind: type[Switched]) -> Switched:
        """A feature that is switched on."""
        return kind.at(self.registry.features)

    def ready(self, game: str) -> Server:
        end = time.monotonic() + 240
        while not self.context.library.is_ready(game):
            assert game not in self.context.library.failed, self.log.getvalue()[-300:]
            assert time.monotonic() < end, self.log.getvalue()[-300:]
            time.sleep(0.02)
        return self

    def run(self, work: Callable[[], Any]) -> Any:
        """Run a coroutine on the server's loop."""
        loop = self._loop()

        async def call() -> Any:
            result = work()
            return await result if asyncio.iscoroutine(result) else result

        return asyncio.run_coroutine_threadsafe(call(), loop).result(30)

    def _loop(self) -> asyncio.AbstractEventLoop:
        return self._server.servers[0].get_loop()

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(20)
        assert not self._thread.is_alive()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that need PostgreSQL if scripts/test has found none; it reports that at the end."""
    if os.environ.get("TAVOLINO_TEST_WITHOUT_POSTGRESQL"):
        needing = [item for item in items if item.path.stem.endswith("postgresql")]
        config.hook.pytest_deselected(items=needing)
        items[:] = [item for item in items if item not in needing]
    if ON_POSTGRESQL:
        others = [
            item
            for item in items
            if item.path.stem.removeprefix("test_") in OF_SQLITE or item.name.partition("[")[0] in LOOK_INTO_SQLITE
        ]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if item not in others]


@pytest.fixture(autouse=True)
def _random_numbers_are_repeatable(request: pytest.FixtureRequest) -> Iterator[None]:
    with repeatable(lambda: request.node.nodeid):
        yield


@pytest.fixture(autouse=True)
def _all_clients_are_closed() -> Iterator[None]:
    yield
    close_all()


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    running: list[Server] = []

    def start(folder: Path | None = None, **settings: Any) -> Server:
        server = Server(folder or tmp_path / "data", **settings)
        running.append(server)
        return server

    yield start
    for server in running:
        if server._thread.is_alive():
            server.stop()


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that do not affect each other."""
    server = Server(tmp_path_factory.mktemp("shared"))
    yield server
    server.stop()


@pytest.fixture
def server(shared: Server) -> Server:
    return shared.ready("mantis")


@pytest.fixture
def guests(server: Server) -> Callable[..., list[Guest]]:

    def make(count: int) -> list[Guest]:
        names = ("Ada", "Bruno", "Celina", "Dario", "Ewa", "Fosca")
        return [Guest(server.address, name) for name in names[:count]]

    return make


@pytest.fixture(scope="module")
def database() -> Iterator[Postgres]:
    with postgres() as running:
        yield running


@pytest.fixture(scope="module")
def bus() -> Iterator[Redis]:
    with redis() as running:
        yield running
