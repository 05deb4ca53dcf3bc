"""A local table at a position of a finished one, with bots in the other seats."""

from __future__ import annotations

from tavolino.local.services import PERSON
from tavolino.local.tables import LocalTables
from tavolino.server.errors import Refused
from tavolino.server.kernel import records
from tavolino.server.kernel.actor import TableActor
from tavolino.server.kernel.continuation import PlayOn, continuation

__all__ = ["PlayOn", "play_on"]


async def play_on(tables: LocalTables, old: TableActor, wanted: PlayOn) -> TableActor:
    state = old.state
    records.check_finished(state)
    if wanted.seat >= len(state.places):
        raise Refused("no-such-seat")
    if state.rules not in old.game.versions:
        raise Refused("no-rules")
    entries, match = continuation(state, old.game, PERSON, wanted, tables.services.clock.now())
    return await tables.begin(old.game, PERSON, entries, match)
