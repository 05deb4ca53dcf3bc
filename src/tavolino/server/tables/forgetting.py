"""Removes a person whose identity is deleted from their tables."""

from __future__ import annotations

from tavolino.server import protocol as p
from tavolino.server.context import Context
from tavolino.server.kernel.actor import TableActor


async def remove_person(context: Context, person: str, table: TableActor) -> None:
    """Take a person out of a table, and with them the webhook that they have given."""
    context.limits.changes.renew(person)  # the rate limit must not prevent the deletion
    if table.state.webhook == person:
        await table.ask(person, p.SetWebhook(url=None))
    await table.ask(person, p.Leave())
