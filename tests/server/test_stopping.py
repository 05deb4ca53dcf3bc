"""The server stops, whatever its tasks are doing at that moment."""

from __future__ import annotations

import asyncio
from typing import Any

from tavolino.server.stopping import stop
from tavolino.server.storage.postgres import connections

MANY = 12  # steps of the event loop, more than a statement takes here


def test_a_task_that_loses_a_cancellation_is_cancelled_again() -> None:
    async def scenario() -> int:
        lost = 0

        async def stubborn() -> None:
            nonlocal lost
            while True:
                try:
                    await asyncio.sleep(60)
                except asyncio.CancelledError:
                    lost += 1
                    if lost == 3:
                        raise

        async def failed() -> None:
            raise ValueError

        tasks = [asyncio.create_task(work()) for work in (stubborn, failed)]
        await asyncio.sleep(0)
        await stop(*tasks, again_seconds=0.01)
        assert all(task.done() for task in tasks)
        return lost

    assert asyncio.run(scenario()) == 3


def test_no_statement_loses_a_cancellation_that_comes_with_its_answer() -> None:
    class Connection:
        def terminate(self) -> None:
            pass

    async def scenario(steps: int) -> bool:
        async def statement(connection: Any) -> None:
            await asyncio.sleep(0)

        async def ask_forever() -> None:
            while True:
                await connections._try(statement, Connection(), 60.0)

        task = asyncio.create_task(ask_forever())
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        for _ in range(MANY):
            await asyncio.sleep(0)
        has_ended = task.done()
        await stop(task, again_seconds=0.01)
        return has_ended

    assert [asyncio.run(scenario(steps)) for steps in range(MANY)] == [True] * MANY
