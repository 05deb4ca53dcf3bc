"""Faults of disk, memory and descriptors at each call of the storage: what it reported about a write is true."""

from __future__ import annotations

import asyncio
import itertools
import shutil
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import apsw
import httpx
import pytest

from tavolino.server.storage import Appended, CannotOpen, StorageBroken, StorageError
from tavolino.server.storage.opening import FILE
from tavolino.server.storage.sqlite import SqliteStorage
from tests.sampling import few_or_many
from tests.server.clients import Guest, dealt_table
from tests.server.conftest import Server
from tests.server.failing_disk import ERRORS, FailingDisk
from tests.server.storage_contract import row

numbers = itertools.count()


@pytest.fixture(autouse=True)
def _unraisable(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk's exception cannot be raised everywhere in SQLite, for instance while a connection is closed."""
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: None)


def new_disk() -> FailingDisk:
    return FailingDisk(f"faults-{next(numbers)}")


def stored_moves(folder: Path) -> list[str]:
    """What a new start would find."""
    connection = apsw.Connection(str(folder / FILE))
    entries = [bytes(entry) for (entry,) in connection.execute("SELECT entry FROM entries ORDER BY number")]
    connection.close()
    return [str(entry) for entry in entries if b'"moved"' in entry]


def killed(folder: Path) -> Path:
    """The data as a kill at this moment would leave it."""
    copy = folder.parent / f"killed-{next(numbers)}"
    shutil.copytree(folder, copy)
    return copy


@pytest.mark.parametrize("how_often", ["once", "from now on"])
def test_threat_41_a_move_whose_fsync_fails_is_refused_and_gone_or_its_outcome_is_not_claimed(
    start_server: Callable[..., Server], tmp_path: Path, how_often: str
) -> None:
    disk = new_disk()
    server = start_server(tmp_path / "data", storage=SqliteStorage(tmp_path / "data", disk.name)).ready("mantis")
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = dealt_table(people, "mantis", first_seat=0)
    server.run(lambda: disk.fail_at("fsync", 1, lasts=how_often != "once"))
    answer = people[0].command(table, "move", turn=0, action="score")
    at_this_moment = killed(tmp_path / "data")
    if how_often == "once":
        assert answer.json()["code"] == "storage-failed"
        assert stored_moves(at_this_moment) == [], "nothing has changed, it said"
        assert people[0].command(table, "move", turn=0, action="score").status_code == 200
        assert len(stored_moves(killed(tmp_path / "data"))) == 1
    else:
        assert answer.status_code == 503
        assert answer.json()["code"] == "storage-broken"
        assert answer.headers["retry-after"]
        server._thread.join(20)
        assert not server._thread.is_alive(), "it stops by itself, so that it is started again"
        assert "the data can no longer be written reliably" in server.log.getvalue()
        assert "Traceback" not in server.log.getvalue()


def test_a_broken_storage_refuses_everything_and_health_says_so(
    start_server: Callable[..., Server], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = new_disk()
    server = start_server(tmp_path / "data", storage=SqliteStorage(tmp_path / "data", disk.name)).ready("mantis")
    monkeypatch.setattr(server.app.state, "stop", lambda: None)  # so that the server stays up
    ada = Guest(server.address)
    disk.cannot_sync = True
    assert ada.http.post("/api/tables", json={"game": "mantis", "seats": 2}).json()["code"] == "storage-broken"
    disk.cannot_sync = False
    assert ada.http.post("/api/tables", json={"game": "mantis", "seats": 2}).json()["code"] == "storage-broken"
    health = httpx.get(f"{server.address}/healthz")
    assert health.status_code == 503
    assert "must start again" in health.json()["problems"][0]


# -- every call in turn

Say = Callable[[str, str], None]


async def _use(storage: SqliteStorage, say: Say) -> None:
    """Write something of every kind. `say` is called for every entry with whether it was acknowledged or refused."""
    for number in range(1, 4):
        writes: dict[str, Callable[[], Awaitable[None]]] = {
            f"one-{number}": partial(storage.append, Appended(row("one", "playing"), number, [b"one-%d" % number])),
            f"two-{number}": partial(storage.append, Appended(row("two"), number, [b"two-%d" % number])),
            f"name-{number}": partial(storage.add_person, f"p{number}", f"name-{number}", b"hash-%d" % number, 1),
        }
        if number == 3:
            both = [Appended(row(table), 1, [table.encode()]) for table in ("game", "rematch")]
            writes |= {
                "gone-1": partial(storage.forget, "p1"),
                "item-2": partial(storage.keep_item, "p2", "kept", b"item-2"),
                "renamed-2": partial(storage.rename, "p2", "renamed-2"),
                "game": partial(storage.append, *both),
            }
        # All in one transaction; in the second round each in its own, which is written and undone in other ways.
        for together in [list(writes)] if number != 2 else [[what] for what in writes]:
            answers = await asyncio.gather(*(writes[what]() for what in together), return_exceptions=True)
            for what, answer in zip(together, answers, strict=True):
                if isinstance(answer, BaseException) and not isinstance(answer, StorageError):
                    raise answer
                broken = isinstance(answer, StorageBroken)
                say(what, "acknowledged" if answer is None else "unknown" if broken else "refused")
            if any(isinstance(answer, Exception) for answer in answers):
                return  # no number follows a refused entry, and a later write could hide an error


def _found(folder: Path) -> set[str]:
    """What a new start on this folder finds, read by SQLite itself and checked by the storage."""

    async def look() -> set[str]:
        storage = SqliteStorage(folder)
        await storage.open()
        try:
            assert await storage.check_tables("", 10) == (None, [])
            entries = [*await storage.entries("one"), *await storage.entries("two")]
            together = [*await storage.entries("game"), *await storage.entries("rematch")]
            assert len(together) in (0, 2), "both tables or none"
            names, items = await storage.names(["p1", "p2", "p3"]), await storage.items("p2", "kept")
            found = {entry.decode() for entry in [*entries, *together, *items.values()]} | set(names.values())
            # A name that was changed was there before, and so was one that is gone while later ones are there.
            found |= {"name-2"} if "renamed-2" in found else set()
            return found | ({"gone-1", "name-1"} if "p1" not in names and "p2" in names else set())
        finally:
            await storage.close()

    return asyncio.run(look())


def _try_fault(folder: Path, kind: str, nth: int, lasts: bool) -> int:
    """Use the storage with one fault; returns how often it came."""
    disk, said = new_disk(), dict[str, str]()
    copies: list[Path] = []

    async def work() -> None:
        storage = SqliteStorage(folder, disk.name)
        disk.fail_at(kind, nth, lasts)
        try:
            await storage.open()
        except CannotOpen:
            return
        try:
            await _use(storage, said.__setitem__)
            copies.append(killed(folder))
            if disk.safe:
                copies.append(folder.parent / f"cut-{next(numbers)}")
                disk.cut_power(copies[-1])
            if not storage.problems():  # then it works as before
                disk.heal()
                for table in ("one", "three"):
                    number = len(await storage.entries(table)) + 1
                    await storage.append(Appended(row(table, "playing"), number, [b"goes on"]))
                assert await storage.check_tables("", 10) == (None, [])
        finally:
            await storage.close()

    asyncio.run(work())
    disk.unregister()
    acknowledged = {what for what, how in said.items() if how == "acknowledged"}
    refused = {what for what, how in said.items() if how == "refused"}
    for copy in copies:
        found = _found(copy)
        assert acknowledged <= found, (kind, nth, lasts, copy.name, "lost", acknowledged - found)
        assert not refused & found, (kind, nth, lasts, copy.name, "refused, yet there", refused & found)
    for copy in copies:
        shutil.rmtree(copy)
    return disk.failed


def _try_all(folder: Path, kind: str, lasts: bool, step: int = 1, first: int = 1) -> int:
    for tried, nth in enumerate(itertools.count(first, step)):
        place = folder / f"{kind}-{lasts}-{nth}"
        place.mkdir()
        failed = _try_fault(place / "data", kind, nth, lasts)
        shutil.rmtree(place)
        if not failed:
            return tried
    raise AssertionError


@pytest.mark.parametrize("kind", ERRORS)
def test_threat_42_a_fault_at_some_calls_loses_nothing_and_keeps_nothing_refused(tmp_path: Path, kind: str) -> None:
    step = 2 if kind.startswith("fsync") else 7  # there are few of them, and each can part a commit from its answer
    assert _try_all(tmp_path, kind, lasts=False, step=step) > 0


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("lasts", [False, True])
@pytest.mark.parametrize("kind", ERRORS)
def test_threat_42_a_fault_at_every_call_in_turn(tmp_path: Path, kind: str, lasts: bool) -> None:
    """In the long runs each call fails once and then for good; else one call once, the next for good, and so on."""
    step = few_or_many(2, 1) if kind in ("write", "full", "memory") else 1  # of the others there are few calls
    tried = _try_all(tmp_path, kind, lasts, step, first=step if lasts else 1)
    print(f"\n{tried} faults tried: {kind}, {'from then on' if lasts else 'once'}")
    assert tried > 0
