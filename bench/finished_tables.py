"""Finished tables in the storage: bytes a game before and after compaction, and a server with many of them.

    python -m bench.finished_tables --folder FOLDER --tables 100000

plays some games of each kind, copies their journals to as many tables, and measures the file, the start, lists and
reading, before and after all of them are compacted. Times are CPU times of this process.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import secrets
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import apsw

import tavolino
from tavolino.engine.match import Match
from tavolino.server.clock import Moment
from tavolino.server.features import entry_kinds
from tavolino.server.games import fairness
from tavolino.server.kernel import entries as e
from tavolino.server.kernel import snapshots
from tavolino.server.kernel.deal import deal
from tavolino.server.kernel.rows import row_of
from tavolino.server.kernel.state import TableState
from tavolino.server.kernel.tables import new_id
from tavolino.server.storage import Appended, Storage
from tavolino.server.storage.choosing import make_storage
from tavolino.server.storage.opening import FILE
from tavolino.server.tables.compaction import compact

GAMES = 20  # of each kind
AT_ONCE = 50
PEOPLE = 1_000


def played(name: str, seed: int) -> list[e.Entry]:
    """The journal of a game between two people who play at random; the names of the people are 0 and 1."""
    game, chance = tavolino.load(name), random.Random(seed)
    now = 1_763_000_000 + chance.random()
    opened = e.Opened(game.name, game.rules, "0", fairness.new_secret(), now, up=now - 1_760_000_000, seats=2)
    entries: list[e.Entry] = [opened, e.Joined(0, "0"), e.Joined(1, "1")]
    entries += [e.Salted(seat, secrets.token_hex(16)) for seat in (0, 1)]
    entries += [e.Sealing(now, now), e.Sealed(), e.Dealt(now, now)]
    kinds, state = entry_kinds(), TableState(new_id())
    for entry in entries:
        kinds.apply(state, entry)
    match: Match = deal(state, game)
    while (seat := match.to_act) is not None:
        now += chance.expovariate(1 / 8)
        action = chance.choice(match.legal())
        entries.append(e.Moved(seat, action, round(now, 3), up=round(now - 1_760_000_000, 6)))
        match.advance(action)
    return [*entries, e.Ended("played", (0,), None, now)]


async def fill(storage: Storage, tables: int, journals: list[list[e.Entry]]) -> None:
    people = [new_id() for _ in range(PEOPLE)]
    for number, person in enumerate(people):
        await storage.add_person(person, f"Person {number}", secrets.token_bytes(32), 0)
    kinds = entry_kinds()

    async def add(number: int) -> None:
        pair = random.Random(number).sample(people, 2)
        entries = [e.encode(entry) for entry in journals[number % len(journals)]]
        for name, person in enumerate(pair):
            entries = [_named(entry, str(name), person) for entry in entries]
        state = kinds.replay(TableState(new_id()), entries)
        row = row_of(state, None, Moment(number, number, number), kinds)
        await storage.append(Appended(row, 1, entries))

    for first in range(0, tables, AT_ONCE):
        await asyncio.gather(*map(add, range(first, min(first + AT_ONCE, tables))))


def _named(entry: bytes, name: str, person: str) -> bytes:
    for field in (b"person", b"host"):
        entry = entry.replace(b'"%s":"%s"' % (field, name.encode()), b'"%s":"%s"' % (field, person.encode()))
    return entry


async def look(storage: Storage, tables: int) -> None:
    """What a start and a visit cost."""
    kinds = entry_kinds()
    rows = await storage.database.rows("SELECT id FROM tables ORDER BY id LIMIT 200")
    person = await storage.database.value("SELECT person FROM members LIMIT 1")

    async def read() -> None:
        for (table,) in rows:
            await snapshots.load_state(storage, kinds, table)

    async def check() -> None:
        after: str | None = ""
        while after is not None:
            after, damaged = await storage.check_tables(after, 200)
            assert not damaged

    print(f"  reading a table      {await timed(read) / len(rows) * 1e3:9.3f} ms")
    print(f"  checking all tables  {await timed(check):9.2f} s")
    print(f"  a person's list      {await timed(lambda: storage.rows_of(person, 500)) * 1e3:9.3f} ms")
    print(f"  public tables        {await timed(lambda: storage.public_rows(100)) * 1e3:9.3f} ms")


async def timed(work: Callable[[], Awaitable[object]]) -> float:
    began = time.process_time()
    await work()
    return time.process_time() - began


def vacuum(folder: Path) -> None:
    """Without free pages, which the server would use again."""
    connection = apsw.Connection(str(folder / FILE))
    connection.execute("VACUUM")
    connection.close()


async def opened(folder: Path) -> Storage:
    storage = make_storage(folder, None)
    print(f"  opening the file     {await timed(storage.open) * 1e3:9.3f} ms")
    return storage


async def measure(folder: Path, tables: int, names: list[str]) -> None:
    storage = await opened(folder)
    await fill(storage, tables, [played(name, seed) for seed in range(GAMES) for name in names])
    await storage.close()
    vacuum(folder)
    storage = await opened(folder)
    print(f"{tables} tables, {' and '.join(names)}: {_size(folder, tables)}")
    await look(storage, tables)
    kinds, after, done = entry_kinds(), (-1, ""), 0
    began = time.process_time()
    while found := await storage.tables_to_compact(2**62, after, 100):
        for _, table in found:
            done += await compact(storage, kinds, table)
        after = found[-1]
    print(f"compacted {done}: {(time.process_time() - began) / done * 1e3:.3f} ms a table")
    free = int(await storage.database.value("SELECT freelist_count FROM pragma_freelist_count"))
    print(f"  free pages in the file: {free * 4096 / 1e6:.0f} MB")
    content = await storage.database.value("SELECT sum(length(content)) FROM compact_entries")
    print(f"  the row of a game    {content / done:9.0f} bytes")
    await storage.close()
    vacuum(folder)
    storage = await opened(folder)
    print(f"after: {_size(folder, tables)}")
    await look(storage, tables)
    await storage.close()


def _size(folder: Path, tables: int) -> str:
    size = sum(path.stat().st_size for path in folder.glob(f"{FILE}*"))
    return f"{size / 1e6:.1f} MB, {size / tables:,.0f} bytes a game"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--tables", type=int, default=1_000)
    parser.add_argument("--game", action="append", choices=list(tavolino.games()))
    args = parser.parse_args()
    asyncio.run(measure(args.folder, args.tables, args.game or ["mantis"]))


if __name__ == "__main__":
    main()
