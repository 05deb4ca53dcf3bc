"""What somebody who is forgotten leaves behind at a table."""

from __future__ import annotations

from tavolino.server import protocol as p
from tavolino.server.context import Context
from tavolino.server.table.actor import TableActor


async def take_out(context: Context, person: str, table: TableActor) -> None:
    """Take a person out of a table, and with them the address of a chat room that they have given as its host."""
    context.limits.changes.renew(person)  # whoever has done much before must not stay for that
    if table.state.host == person and table.state.webhook is not None:
        await table.ask(person, p.SetWebhook(url=None))
    await table.ask(person, p.Leave())
