"""Restarts under load: a rolling restart loses nothing, and a table continues soon after its node has died."""

from __future__ import annotations

import asyncio
import signal
import statistics
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import uvloop

from tests.nodes.campaign import SETTINGS, Checker
from tests.nodes.fleet import Fleet, running
from tests.nodes.players import LoadGenerator

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
FAILOVER_SECONDS = 5.0


async def under_load(
    folder: Path, work: Callable[[Fleet, LoadGenerator], Awaitable[None]], think: float = 0.0
) -> LoadGenerator:
    """Do something to three nodes while people play, then let them finish, and check every table."""
    is_over = False
    async with running(folder, 3, 13, ["mantis"]) as fleet:
        load = LoadGenerator(fleet.balancer.port, 13, lambda: is_over, think)
        checker = Checker(fleet, load, 1)
        players = [asyncio.create_task(load.play_at([w for w in SETTINGS if w["game"] == "mantis"])) for _ in range(8)]
        while load.tally.moves < 50:
            await asyncio.sleep(0.05)
        await work(fleet, load)
        is_over = True
        _, unfinished = await asyncio.wait(players, timeout=120)
        for player in players:
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)
        await load.close()
        await checker.finish(list(load.tables) if unfinished else [])
        assert checker.violations == []
    return load


def test_a_rolling_restart_of_three_nodes_under_load(tmp_path: Path) -> None:
    async def restart_all(fleet: Fleet, load: LoadGenerator) -> None:
        for node in fleet.nodes:
            before = load.tally.moves
            await node.end(signal.SIGTERM)
            await node.start()
            while load.tally.moves < before + 30:
                await asyncio.sleep(0.05)

    load = uvloop.run(under_load(tmp_path, restart_all))
    print(f"{load.tally.moves} moves, longest pause of a table {max(load.tally.pauses):.2f} s")
    assert load.tally.moves > 140


def test_a_table_goes_on_within_seconds_of_its_nodes_death(tmp_path: Path) -> None:
    """From a node's death to the next move of every table, compared with how long that takes while nothing breaks: a
    machine without time for anything makes both longer."""

    async def all_have_moved(load: LoadGenerator) -> float:
        began = time.monotonic()
        waiting = set(load.tables)
        turns = {table: table.turn for table in waiting}
        while any(table.turn == turns[table] and not table.is_over for table in waiting):
            await asyncio.sleep(0.02)
            assert time.monotonic() < began + 120
        return time.monotonic() - began

    async def fail_over(fleet: Fleet, load: LoadGenerator) -> None:
        usual, pauses = [], []
        for node in fleet.nodes:
            usual.append(await all_have_moved(load))
            node.pause()  # what it drives stands still from here on; then it is dead
            killed = time.monotonic()
            await node.end(signal.SIGKILL)
            dying = time.monotonic() - killed
            pauses.append(dying + await all_have_moved(load))
            await node.start()
        print(
            f"all tables moved again after {', '.join(f'{pause:.2f}' for pause in pauses)} s, "
            f"usually within {', '.join(f'{each:.2f}' for each in usual)} s"
        )
        assert statistics.median(pauses) < FAILOVER_SECONDS + 2 * max(usual), (pauses, usual)

    uvloop.run(under_load(tmp_path, fail_over, think=0.3))
