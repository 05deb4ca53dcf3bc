"""Reads and writes the entries of tables. What `append` has returned for is durable."""

from __future__ import annotations

import contextlib
import time
from typing import NamedTuple

from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.server.context import Context
from tavolino.server.storage import (
    Appended,
    OutcomeUnknown,
    StorageBroken,
    StorageError,
    StorageFull,
    TableDamaged,
)
from tavolino.server.table import deal, snapshots
from tavolino.server.table import entries as e
from tavolino.server.table.rows import row_of
from tavolino.server.table.state import TableState


class Step(NamedTuple):
    """Entries to write after those of `state`, and the match after them."""

    state: TableState
    entries: list[e.Entry]
    match: Match | None = None


def refusal_code(error: StorageError) -> str:
    """What somebody is told whose command could not be stored."""
    match error:
        case StorageFull():
            return "storage-full"
        case OutcomeUnknown():
            return "storage-unknown"
        case StorageBroken():
            return "storage-broken"
    return "storage-failed"


def follow(
    state: TableState, match: Match | None, game: Game, entries: list[e.Entry]
) -> tuple[TableState, Match | None]:
    """State and match after some more entries."""
    state, match = state.copy(), match.clone() if match is not None else None
    for entry in entries:
        state.apply(entry)
        try:
            if isinstance(entry, e.Dealt):
                match = deal.deal(state, game)
            elif isinstance(entry, e.Moved) and match is not None:
                match.advance(entry.action)
        except Exception as error:
            raise TableDamaged(state.id, f"its moves cannot be replayed ({type(error).__name__}: {error})") from None
    return state, match


class Journal:
    def __init__(self, context: Context) -> None:
        self._context = context

    async def load(self, table: str) -> TableState | None:
        """The state of a table now; None if there is no such table."""
        return await snapshots.load_state(self._context.storage, table)

    async def news(self, state: TableState) -> list[e.Entry]:
        """The entries that were written after those of `state`: by another server."""
        entries = await self._context.storage.entries(state.id, after=state.number)
        return [snapshots.decode_entry(state.id, entry) for entry in entries]

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
