"""Reads and writes the entries of tables. What `append` has returned for is durable."""

from __future__ import annotations

import contextlib
import time
from typing import NamedTuple

from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.server.kernel import deal, snapshots
from tavolino.server.kernel import entries as e
from tavolino.server.kernel.entry_kinds import EntryKinds
from tavolino.server.kernel.feature import Features
from tavolino.server.kernel.rows import row_of
from tavolino.server.kernel.services import Services
from tavolino.server.kernel.state import TableState
from tavolino.server.storage.errors import OutcomeUnknown, StorageBroken, StorageError, StorageFull, TableDamaged
from tavolino.server.storage.log import Appended, Item


class Step(NamedTuple):
    """Entries to write after those of `state`, and the match after them."""

    state: TableState
    entries: list[e.Entry]
    match: Match | None = None
    epoch: int = 0  # of the lease, for what happens by itself
    item: Item | None = None  # that is stored with them


def refusal_code(error: StorageError) -> str:
    """The refusal of a command that could not be stored."""
    match error:
        case StorageFull():
            return "storage-full"
        case OutcomeUnknown():
            return "storage-unknown"
        case StorageBroken():
            return "storage-broken"
    return "storage-failed"


def follow(
    kinds: EntryKinds, state: TableState, match: Match | None, game: Game, entries: list[e.Entry], is_ready: bool = True
) -> tuple[TableState, Match | None]:
    """State and match after some more entries; without `is_ready` the rules are not compiled yet, and none is dealt."""
    state, match = state.copy(), match.clone() if match is not None else None
    for entry in entries:
        kinds.apply(state, entry)
        try:
            if isinstance(entry, e.Dealt):
                match = deal.deal(state, game) if is_ready else None
            elif isinstance(entry, e.Moved) and match is not None:
                match.advance(entry.action)
            elif isinstance(entry, e.TakenBack) and match is not None:
                match = match.position(entry.to)
        except Exception as error:
            raise TableDamaged(state.id, f"its moves cannot be replayed ({type(error).__name__}: {error})") from None
    return state, match


class Journal:
    def __init__(self, services: Services, kinds: EntryKinds, features: Features) -> None:
        self._services, self.kinds, self._features = services, kinds, features

    async def load(self, table: str) -> TableState | None:
        """The state of a table now; None if there is no such table."""
        return await snapshots.load_state(self._services.storage, self.kinds, table)

    async def news(self, state: TableState) -> list[e.Entry]:
        """The entries that were written after those of `state`: by another server."""
        return self.kinds.decoded(state.id, await self._services.storage.entries(state.id, after=state.number))

    def checked_remote(
        self, state: TableState, number: int, entries: list[bytes], hashed: bytes
    ) -> list[e.Entry] | None:
        """What another node says it has written, if that is certain and comes next; else the storage must be read."""
        if number != state.number + 1 or not self._services.others.follow(state.id, number, entries, hashed):
            return None
        return self.kinds.decoded(state.id, entries)

    async def append(self, *steps: Step) -> list[TableState]:
        """Write the entries of some tables, all or nothing, and return the states with them."""
        now, states, appended = self._services.clock.now(), [], []
        for state, entries, match, epoch, item in steps:
            after = state.copy()
            for entry in entries:
                self.kinds.apply(after, entry)
            states.append(after)
            content = [e.encode(entry) for entry in entries]
            is_private = self.kinds.are_private(entries)
            row = row_of(after, match, now, self.kinds, is_private)
            appended.append(Appended(row, state.number + 1, content, epoch, item))
        for after, (_, entries, *_) in zip(states, steps, strict=True):
            for before in self._features.before.of(entries):
                await before(after, entries)
        started = time.perf_counter()
        await self._services.storage.append(*appended)
        self._services.metrics.commit_seconds.observe(time.perf_counter() - started)
        for after, each in zip(states, appended, strict=True):
            self._services.others.publish_entries(after.id, after.number, each.entries)
        return states

    async def keep_snapshot(self, before: int, state: TableState) -> None:
        """Store a snapshot if one is due since entry number `before`."""
        if snapshots.is_due(before, state.number):
            with contextlib.suppress(StorageError):  # only a short cut
                content = snapshots.encode(state)
                await self._services.storage.keep_snapshot(state.id, state.number, content)
