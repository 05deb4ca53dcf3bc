"""Reads and writes the entries of tables. What `append` has returned for is durable."""

from __future__ import annotations

import contextlib
import time

from tavolino.engine.match import Match
from tavolino.server.context import Context
from tavolino.server.storage import StorageError
from tavolino.server.table import entries as e
from tavolino.server.table import snapshots
from tavolino.server.table.rows import row_of
from tavolino.server.table.state import TableState


class Journal:
    def __init__(self, context: Context) -> None:
        self._context = context

    async def load(self, table: str) -> TableState | None:
        """The state of a table now; None if there is no such table."""
        return await snapshots.load_state(self._context.storage, table)

    async def append(self, state: TableState, entries: list[e.Entry], match: Match | None) -> TableState:
        """Write entries after those of `state`, and return the state with them. `match` is the match after them."""
        after = state.copy()
        for entry in entries:
            after.apply(entry)
        row = row_of(after, match, self._context.now())
        started = time.perf_counter()
        await self._context.storage.append(row, state.number + 1, [e.encode(entry) for entry in entries])
        self._context.metrics.commit_seconds.observe(time.perf_counter() - started)
        return after

    async def keep_snapshot(self, before: int, state: TableState) -> None:
        """Store a snapshot if one is due since entry number `before`."""
        if snapshots.is_due(before, state.number):
            with contextlib.suppress(StorageError):  # only a short cut
                content = snapshots.encode(state)
                await self._context.storage.keep_snapshot(state.id, state.number, content)
