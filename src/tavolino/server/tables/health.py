"""The health of the server, for the operator. It names no table, because anybody with a table's id may watch it."""

from __future__ import annotations

from tavolino.server.storage import StorageError
from tavolino.server.tables.registry import Registry


async def problems(registry: Registry) -> list[str]:
    """What is wrong now, a sentence each."""
    storage = registry.context.storage
    try:
        await storage.last_moment()
    except StorageError as error:
        found = storage.problems() or [f"the storage does not answer: {error}"]
    else:
        found = storage.problems()
    if registry.unreadable is not None:
        found.append("stored data cannot be read; the log says why")
    if registry.damaged:
        found.append(f"stored entries are damaged or missing at {len(registry.damaged)} tables; the log names them")
    found += [
        f"the game {name} could not be made ready and is tried again; the log says why"
        for name in sorted(registry.context.library.failed)
    ]
    if registry.is_stopping:
        found.append("the server is stopping")
    return found
