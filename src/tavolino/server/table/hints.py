"""What happens at a table beside the game: talk, notebook, hints, a rematch."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.table import chat as talk
from tavolino.server.table import entries as e
from tavolino.server.table import lobby as waiting
from tavolino.server.table import messages as outgoing

if TYPE_CHECKING:
    from tavolino.server.table.actor import LiveTable
    from tavolino.server.table.inbox import Reply


def speak(table: LiveTable, person: str, command: p.Say | p.React | p.MakeRemark) -> None:
    """Pass on what somebody says to those who may hear it. Nothing said is kept on disk."""
    state = table.state
    table.house.talk_limits.take(person)
    speaker = state.seat_of(person)
    said = p.Said(speaker, table.name_of(person) or "")
    match command:
        case p.Say(text=text):
            said.text = talk.check_text(state.game, state.phase, speaker, text)
        case p.React(reaction=reaction):
            said.reaction = reaction
        case p.MakeRemark(key=key):
            waiting.seated(state, person)
            if table.match is None:
                raise Refused("not-started")
            said.remark = talk.remark(outgoing.open_view(table.match), key)
    for_seats = talk.reaches_seats(speaker, state.phase)
    table.talk.add(said, for_seats)
    frame = outgoing.frame(p.Talk([said]))
    for connection in table.audience:
        seat = state.seat_of(connection.person)
        muted = state.muted.get(connection.person or "", frozenset())
        if (for_seats or seat is None) and said.seat not in muted:
            connection.send(frame)


def notebook(table: LiveTable, person: str, ref: str | None) -> p.Notebook:
    seat = waiting.seated(table.state, person)
    if table.match is None:
        raise Refused("not-started")
    return outgoing.notebook(table.match, seat, table.turn, ref)


def hint(table: LiveTable, person: str, ref: str | None, reply: Reply) -> asyncio.Task[None]:
    """What a hard bot would do in this seat, from this seat's knowledge; answered when worked out."""
    seat = waiting.seated(table.state, person)
    if table.state.phase != "playing" or table.match is None:
        raise Refused("not-playing")
    if not table.state.hints:
        raise Refused("no-hints")
    if table.to_act != seat:
        raise Refused("not-your-turn")
    table.house.hint_limits.take(person)
    if not table.house.thinkers.can_advise:
        raise Refused("busy")
    match, turn, seconds = table.match, table.turn, table.house.settings.hint_seconds

    async def work_out() -> None:
        try:
            action, chance = await table.house.thinkers.advise(match, seat, seconds)
            reply(p.Hint(ref, turn, action, chance))
        except Exception:
            table.house.log.exception("hint failed", table=table.state.id)
            reply(p.Refused(ref, Refused("internal").problem))

    return asyncio.create_task(work_out())


async def rematch(table: LiveTable, person: str) -> tuple[str, list[e.Entry]]:
    """The table where the same people play again, their seats moved on by one; made once."""
    waiting.seated(table.state, person)
    if table.state.phase != "ended":
        raise Refused("not-ended")
    if table.state.rematch is not None:
        return table.state.rematch, []
    new_table = await table.house.open_rematch(table.state.id, person)
    return new_table, [e.RematchMade(new_table)]
