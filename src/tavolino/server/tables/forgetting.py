"""What somebody who is forgotten leaves behind at tables."""

from __future__ import annotations

from tavolino.server import protocol as p
from tavolino.server.context import Context
from tavolino.server.table.actor import TableActor


async def take_out(context: Context, person: str, table: TableActor) -> None:
    """Take a person out of a table, and with them the webhook that they have given."""
    context.limits.changes.renew(person)  # whoever has done much before must not stay for that
    if table.state.webhook == person:
        await table.ask(person, p.SetWebhook(url=None))
    await table.ask(person, p.Leave())
