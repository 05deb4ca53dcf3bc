"""The health of the server, for the operator, and whether it is ready for requests, for proxies. It names no table,
because anybody with a table's id may watch it."""

from __future__ import annotations

import asyncio

from tavolino.server.storage import StorageError
from tavolino.server.tables.registry import Registry

READY_SECONDS = 4.0  # in which the storage must answer; a proxy gives up after 5
STOPPING = "the server is stopping"


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
        found.append(STOPPING)
    return found


async def reasons_not_ready(registry: Registry) -> list[str]:
    """Why no new requests should be sent here. Damage and a full disk are no reasons: other nodes have them as well, or
    most tables can be played all the same. Nor is a game that could not be compiled, once it has been tried."""
    library = registry.context.library
    found = [
        f"the game {name} is being made ready"
        for name in library
        if not library.is_ready(name) and name not in library.failed
    ]
    try:
        async with asyncio.timeout(READY_SECONDS):
            await registry.context.storage.last_moment()
    except (StorageError, TimeoutError):
        found.append("the storage does not answer")
    if registry.is_stopping:
        found.append(STOPPING)
    return found
