"""Nodes come and go under load: a rolling restart loses nothing, and a table goes on soon after its node has died."""

from __future__ import annotations

import asyncio
import signal
import statistics
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import uvloop

from tests.nodes.campaign import WISHES, Checker
from tests.nodes.fleet import Fleet, running
from tests.nodes.players import House

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
FAILOVER_SECONDS = 5.0


async def under_load(folder: Path, work: Callable[[Fleet, House], Awaitable[None]], think: float = 0.0) -> House:
    """Do something to three nodes while people play, then let them finish, and check every table."""
    is_over = False
    async with running(folder, 3, 13, ["mantis"]) as fleet:
        house = House(fleet.balancer.port, 13, lambda: is_over, think)
        checker = Checker(fleet, house, 1)
        players = [asyncio.create_task(house.play_at([w for w in WISHES if w["game"] == "mantis"])) for _ in range(8)]
        while house.tally.moves < 50:
            await asyncio.sleep(0.05)
        await work(fleet, house)
        is_over = True
        _, unfinished = await asyncio.wait(players, timeout=120)
        for player in players:
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)
        await house.close()
        await checker.finish(list(house.tables) if unfinished else [])
        assert checker.violations == []
    return house


def test_a_rolling_restart_of_three_nodes_under_load(tmp_path: Path) -> None:
    async def restart_all(fleet: Fleet, house: House) -> None:
        for node in fleet.nodes:
            before = house.tally.moves
            await node.end(signal.SIGTERM)
            await node.start()
            while house.tally.moves < before + 30:
                await asyncio.sleep(0.05)

    house = uvloop.run(under_load(tmp_path, restart_all))
    print(f"{house.tally.moves} moves, longest pause of a table {max(house.tally.pauses):.2f} s")
    assert house.tally.moves > 140


def test_a_table_goes_on_within_seconds_of_its_nodes_death(tmp_path: Path) -> None:
    """From a node's death to the next move of every table, compared with how long that takes while nothing breaks: a
    machine without time for anything makes both longer."""

    async def all_have_moved(house: House) -> float:
        began = time.monotonic()
        waiting = set(house.tables)
        turns = {table: table.turn for table in waiting}
        while any(table.turn == turns[table] and not table.is_over for table in waiting):
            await asyncio.sleep(0.02)
            assert time.monotonic() < began + 120
        return time.monotonic() - began

    async def fail_over(fleet: Fleet, house: House) -> None:
        usual, pauses = [], []
        for node in fleet.nodes:
            usual.append(await all_have_moved(house))
            node.pause()  # what it drives stands still from here on; then it is dead
            killed = time.monotonic()
            await node.end(signal.SIGKILL)
            dying = time.monotonic() - killed
            pauses.append(dying + await all_have_moved(house))
            await node.start()
        print(
            f"all tables moved again after {', '.join(f'{pause:.2f}' for pause in pauses)} s, "
            f"usually within {', '.join(f'{each:.2f}' for each in usual)} s"
        )
        assert statistics.median(pauses) < FAILOVER_SECONDS + 2 * max(usual), (pauses, usual)

    uvloop.run(under_load(tmp_path, fail_over, think=0.3))
