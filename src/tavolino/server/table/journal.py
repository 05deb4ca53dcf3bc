"""Reads and writes the entries of tables. What `append` has returned for is durable."""

from __future__ import annotations

import contextlib
import time
from typing import NamedTuple

from tavolino.engine.match import Match
from tavolino.server.context import Context
from tavolino.server.storage import Appended, StorageError
from tavolino.server.table import entries as e
from tavolino.server.table import snapshots
from tavolino.server.table.rows import row_of
from tavolino.server.table.state import TableState


class Step(NamedTuple):
    """Entries to write after those of `state`, and the match after them."""

    state: TableState
    entries: list[e.Entry]
    match: Match | None = None


class Journal:
    def __init__(self, context: Context) -> None:
        self._context = context

    async def load(self, table: str) -> TableState | None:
        """The state of a table now; None if there is no such table."""
        return await snapshots.load_state(self._context.storage, table)

    async def append(self, *steps: Step) -> list[TableState]:
        """Write the entries of some tables, all or nothing, and return the states with them."""
        now, states, appended = self._context.clock.now(), [], []
        for state, entries, match in steps:
            after = state.copy()
            for entry in entries:
                after.apply(entry)
            states.append(after)
            content = [e.encode(entry) for entry in entries]
            appended.append(Appended(row_of(after, match, now), state.number + 1, content))
        started = time.perf_counter()
        await self._context.storage.append(*appended)
        self._context.metrics.commit_seconds.observe(time.perf_counter() - started)
        return states

    async def keep_snapshot(self, before: int, state: TableState) -> None:
        """Store a snapshot if one is due since entry number `before`."""
        if snapshots.is_due(before, state.number):
            with contextlib.suppress(StorageError):  # only a short cut
                content = snapshots.encode(state)
                await self._context.storage.keep_snapshot(state.id, state.number, content)
