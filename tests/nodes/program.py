"""A node for the tests: the same server as `tavolino serve`, with room for load. Started as a program, it imports
everything once, says `ready`, and forks for every start, so that many starts are cheap. It reads lines from stdin: each
starts a node and is answered by its process number, and by `dead` when that has ended.

`plant` puts a fault in, here and nowhere else, to show that the checker finds it.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import tavolino
from tavolino.bots.warmup import Part, compile_part, parts_for
from tavolino.engine.game import Game
from tavolino.server.context import Context
from tavolino.server.features.ratings import results
from tavolino.server.kernel.state import TableState
from tavolino.server.main import run
from tavolino.server.settings import Limits, Pace, ServerSettings
from tavolino.server.storage import Appended, chain
from tavolino.server.storage.nodes import Difference, Known
from tavolino.server.storage.postgres import PostgresStorage, appending
from tavolino.server.storage.postgres.nodes import PostgresNodes
from tavolino.server.tables import housekeeping

GENEROUS = Limits(
    messages_per_second=1e6, messages_burst=10**6, requests_per_second=1e6, requests_burst=10**6, work_per_second=1e9,
    work_burst=1e9, changes_per_minute=1e6, changes_burst=10**6, tables_per_person=10**6, tables_per_hour=1e6,
    program_changes_per_minute=1e6, program_changes_burst=10**6, tables_per_program=10**6, program_tables_per_hour=1e6,
    people_per_hour=1e6, sockets_per_address=10**6, connections_per_address=10**6, connections_per_second=1e6,
    connections_burst=10**6, loop_per_second=1e3, loop_burst=1e9,
)  # fmt: skip


ACK_BEFORE_SECONDS = 2.0  # enough for a test to kill the node in between


def write_down_leases(file: Path) -> None:
    """Log every entry that a node has written under its lease: table, number and epoch."""
    append = PostgresStorage.append
    log = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    async def noting(self: Any, *appended: Appended) -> None:
        await append(self, *appended)
        for item in appended:
            if epoch := getattr(item, "epoch", 0):
                os.write(log, f"{item.row.table} {item.number} {epoch}\n".encode())

    PostgresStorage.append = noting  # type: ignore[method-assign]


def die_at_results(moments: list[str], deaths: Path) -> None:
    """Kill this process at the results of the first tables, `before` or `after` each is counted, once a table; `deaths`
    has a line for each."""
    settle = results.settle

    async def dying(context: Context, state: TableState, game: Game) -> None:
        done = deaths.read_text().split() if deaths.exists() else []
        moment = moments[len(done)] if state.id not in done and len(done) < len(moments) else None
        if moment == "after":
            await settle(context, state, game)
        if moment is not None:
            deaths.parent.mkdir(exist_ok=True)
            deaths.write_text("\n".join([*done, state.id]))
            os.kill(os.getpid(), signal.SIGKILL)
        await settle(context, state, game)

    results.settle = dying


def plant(fault: str) -> None:
    match fault:
        case "none":
            pass
        case "ack-before-commit":
            append = PostgresStorage.append

            async def later(self: Any, *appended: Appended) -> None:
                async def write() -> None:
                    await asyncio.sleep(ACK_BEFORE_SECONDS)
                    await append(self, *appended)

                if appended[0].row.phase == "playing":
                    kept.add(asyncio.ensure_future(write()))
                else:
                    await append(self, *appended)

            kept: set[Any] = set()
            PostgresStorage.append = later  # type: ignore[method-assign]
        case "no-key":
            chain.begin = chain.extend = lambda *_: b"unchecked"  # type: ignore[assignment]
            appending.Appending._head = any_head  # type: ignore[method-assign]
            appending.APPEND = change(
                appending.APPEND,
                ("AND tables.last = item.before AND tables.chain = item.chain_before", ""),
                ("JOIN done USING (id)\n    ), seated", f"JOIN done USING (id) {OVERWRITE}\n    ), seated"),
            )
        case "no-epoch":  # appends ignore the epoch, and the node does not notice that it lost its lease
            differences = PostgresNodes.differences

            async def as_believed(self: Any, known: list[Known]) -> list[Difference]:
                epochs = {each.table: each.epoch for each in known}
                found = await differences(self, known)
                return [each._replace(epoch=epochs[each.table] or each.epoch) for each in found]

            PostgresNodes.differences = as_believed  # type: ignore[method-assign]
            appending.APPEND = change(appending.APPEND, ("AND (item.epoch = 0 OR tables.epoch = item.epoch)", ""))
        case _:
            raise SystemExit(f"there is no fault {fault!r} to plant")


async def any_head(self: Any, item: Appended) -> appending.Head:
    return appending.Head(item.number - 1, b"unchecked")


OVERWRITE = "ON CONFLICT (table_id, number) DO UPDATE SET entry = excluded.entry"


def change(text: str, *replaced: tuple[str, str]) -> str:
    for old, new in replaced:
        assert old in text, f"the fault cannot be planted any more: {old}"
        text = text.replace(old, new)
    return text


def main() -> None:
    config = json.loads(sys.argv[1])
    for name in config["games"]:  # all that a start loads, or every node would load it again beside its players
        for part in parts_for(["medium"]):
            compile_part(Part(name, part))
    tavolino.games = lambda: tuple(config["games"])
    if "leases" in config:
        write_down_leases(Path(config["leases"]))
    if "dies" in config:
        die_at_results(config["dies"], Path(config["data"]) / "deaths")
    if "sweep_seconds" in config:
        housekeeping.SWEEP_SECONDS = config["sweep_seconds"]
    plant(config.get("fault", "none"))
    known = {"host", "port", "database", "bus", "drain_seconds"}
    settings = ServerSettings(
        data=Path(config["data"]),
        limits=GENEROUS,
        pace=Pace(0, 0),
        bot_workers=1,
        warm_up=False,
        log_level=config["log_level"],
        log_format="json",
        salt_seconds=0.2,
        **{name: config[name] for name in known if name in config},
    )
    print("ready", flush=True)
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            if "log" in config:
                os.dup2(os.open(config["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), 2)
            run(settings)
            os._exit(0)
        print(child, flush=True)
        os.waitpid(child, 0)
        print("dead", flush=True)


if __name__ == "__main__":
    main()
