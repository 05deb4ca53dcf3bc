"""Deletes an identity, and ends the access of a device."""

from __future__ import annotations

import contextlib

from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.kernel.actor import TableActor
from tavolino.server.people.identities import Person
from tavolino.server.storage import StorageError
from tavolino.server.tables import order_kinds
from tavolino.server.tables.compaction import compact
from tavolino.server.tables.registry import Registry


async def delete(registry: Registry, person: Person) -> None:
    """Delete an identity. The person leaves all tables first: an unreachable host would block the others."""
    context, connections = registry.context, registry.connections
    connections.close_all_of(person.id)  # first: a move or a hello would take a seat back
    registry.leaving.add(person.id)
    try:
        tables = {row.table for row in await registry.unfinished(person.id)}
        for tables_of in registry.features.tables_of:
            tables.update(await tables_of(person.id))
        for table in tables:
            with contextlib.suppress(Refused):  # during the seconds of a deal nobody can leave
                await _leave(registry, person.id, await registry.get(table))
        for feature in registry.kinds.features.values():
            await feature.person_deleted(context, person.id)
        finished = await context.storage.finished_tables_of(person.id)
        await context.people.forget(person)
        await _remove_id(registry, finished)
        _forget(registry, person.id)
        await publish_sign_out(registry, person.id)
    finally:
        registry.leaving.discard(person.id)
    connections.close_all_of(person.id)  # those that came in the meantime


async def _leave(registry: Registry, person: str, table: TableActor) -> None:
    """Take a person out of a table, and with them what features keep there of this person."""
    registry.context.limits.changes.renew(person)  # the rate limit must not prevent the deletion
    for person_leaves in registry.features.person_leaves:
        await person_leaves(table, person)
    await table.ask(person, p.Leave())


async def _remove_id(registry: Registry, tables: list[str]) -> None:
    """Compact those of these tables again that are compacted, now without the id. The seat is nameless in any case."""
    storage = registry.context.storage
    for table in await storage.compacted_among(tables):
        try:
            await compact(storage, registry.kinds, table)
        except StorageError as error:
            registry.context.log.error("an id stays in a compacted table", error=str(error))
    await storage.database.erase()


def _forget(registry: Registry, person: str) -> None:
    """Forget what is kept in memory of somebody whose identity is deleted."""
    for forget in registry.features.forget:
        forget(registry.tables, person)
    for name, table in list(registry.tables.items()):
        if table.state.phase == "ended" and person in table.state.people:
            registry.discard(name)  # its stored row may have another id in place of this one


async def publish_sign_out(registry: Registry, person: str) -> None:
    """Store an order for other nodes: a token no longer works. They read it within a second, even without a bus."""
    context = registry.context
    if not context.others.is_alone:
        order = order_kinds.PersonOut(context.clock.witnessed(), person)
        await context.storage.add_order(order_kinds.encode(order))


async def person_changed(registry: Registry, person: str, is_out: bool) -> None:
    """Another node has renamed somebody, signed a device out, or deleted an identity."""
    is_there = await registry.context.people.learn_name_again(person)
    if not is_there:
        _forget(registry, person)
    if is_out:
        registry.connections.close_all_of(person, "reload" if is_there else "no-identity")
