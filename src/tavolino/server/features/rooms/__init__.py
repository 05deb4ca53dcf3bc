"""Watching a finished game together (decision 084): one leads, the others follow or look around.

All cards are face up in the room because the game is over: anyone who may see the replay may enter. A deal that others
still play has no room, not even for those who have finished it.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tavolino.server import protocol as p
from tavolino.server.context import Context
from tavolino.server.errors import Refused
from tavolino.server.features.chat.mutes import WATCHING, muted_at
from tavolino.server.features.rooms import protocol as m
from tavolino.server.features.rooms import room_notes
from tavolino.server.features.rooms.messages import Head, Note, RoomChanged, Variation
from tavolino.server.features.rooms.rooms import MOST_DECISIONS, MOST_NOTES, MOST_VARIATIONS, Room, Rooms
from tavolino.server.features.rooms.variations import play_on
from tavolino.server.kernel import deal, records
from tavolino.server.kernel.feature import Feature, Needs, NoSlice, Request, handles
from tavolino.server.kernel.inbox import Asked
from tavolino.server.kernel.state import TableState
from tavolino.server.kernel.viewers import Viewer
from tavolino.server.subscribers import subscriber

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor

DECISION = 0.5  # milliseconds, about: the cost of replaying or choosing a decision


class RoomsFeature(Feature[NoSlice]):
    name = "rooms"
    refusals = (("not-leader", 403), ("not-in-room", 409), ("room-full", 409))
    messages = (m.Room, m.Led)
    receives = (RoomChanged,)
    depends = ("chat",)

    def __init__(self, server: Context) -> None:
        self._context, self.rooms = server, Rooms()

    @classmethod
    async def table_removed(cls, server: Context, table: str) -> None:
        await server.storage.remove_items_called(room_notes.name_of(table))

    def line(self, table: str, variation: str) -> list[str] | None:
        """A variation is known only at the node that has its room."""
        found = self.rooms.find(table)
        return None if found is None or variation not in found.variations else found.variations[variation].actions

    # -- what people ask for

    @handles(m.Watch, needs=Needs.NOTHING, limit=None)
    async def watch(self, request: Request) -> None:
        await self._check(request.table)
        self._come_or_go(request.table, await self._room(request.state), request.asked, request.command)

    @handles(
        m.Lead, m.TakeLead, m.GiveLead, m.TryAction, m.PlayOut, m.DropVariation, m.WriteNote, m.DropNote, limit=None
    )
    async def answer(self, request: Request) -> None:
        table, state, command, person, asked = (
            request.table, request.state, request.command, request.person, request.asked,
        )  # fmt: skip
        await self._check(table)
        room = await self._room(state)
        match command:
            case m.Lead(ref=ref, at=at):
                self._lead(table, room, person, at)
                asked.reply(p.Accepted(ref))
                self._show_position(table, room, but=asked.viewer)
                return
            case m.TakeLead(ref=ref):
                self._context.limits.changes.take(person)
                if self._is_here(table, room, room.head.leader):
                    raise Refused("not-leader")
                self._change(table, room, head=_next(room, self._node, leader=person))
            case m.GiveLead(ref=ref, to=to):
                self._context.limits.changes.take(person)
                _check_leads(room, person)
                self._change(table, room, head=_next(room, self._node, leader=self._person(table, room, to)))
            case m.TryAction(ref=ref) | m.PlayOut(ref=ref):
                await self._try(table, room, asked, command)
            case m.DropVariation(ref=ref, variation=name):
                _check_leads(room, person)
                room.line(state.actions, name)
                await self._keep_notes(state, room, gone={n.id for n in room.notes.values() if n.variation == name})
                self._change(table, room, dropped=[name], head=_without(room, self._node, name))
            case m.WriteNote(ref=ref):
                note = self._note(state, room, person, command)
                await self._keep_notes(state, room, added=note)
                if self._context.people.name_of(person) is None:  # deleted in the meantime
                    raise Refused("no-identity")
                self._change(table, room, notes=[note])
            case m.DropNote(ref=ref, note=name):
                if (found := room.notes.get(name)) is not None:
                    if found.person != person:
                        _check_leads(room, person)
                    await self._keep_notes(state, room, gone={name})
                    self._change(table, room, dropped=[name])
            case _:
                raise Refused("bad-message")
        asked.reply(p.Accepted(ref))
        self._show(table, room)

    async def _check(self, table: TableActor) -> None:
        await table.tables.check_may_see(table.state, None)
        records.check_finished(table.state)
        if table.state.rules not in table.game.versions:
            raise Refused("no-rules")

    async def _room(self, state: TableState) -> Room:
        room = self.rooms.open(state.id)
        if not room.is_read:
            room.add(*await room_notes.read(self._context.storage, state.id))
            room.is_read = True
        return room

    async def _keep_notes(
        self, state: TableState, room: Room, added: Note | None = None, gone: Collection[str] = ()
    ) -> None:
        """Store changes of the notes before anybody sees them."""
        notes = [*room.notes.values(), *([added] if added else ())]
        for person in {note.person for note in notes if note.id in gone or note is added}:
            left = [note for note in notes if note.person == person and note.id not in gone]
            await room_notes.keep(self._context.storage, state.id, person, left, room.variations)

    def _come_or_go(self, table: TableActor, room: Room, asked: Asked, command: m.Watch) -> None:
        viewer = asked.viewer
        if viewer is None:
            raise Refused("bad-message")
        if not command.coming:
            asked.reply(p.Accepted(command.ref))
            self.gone(table, viewer)
            return
        viewers: list[Viewer] = table.attached.setdefault(self.name, [])
        if viewer not in viewers:
            viewers.append(viewer)
        asked.reply(p.Accepted(command.ref))
        is_first = viewer.person is not None and room.head.leader is None
        self._change(table, room, head=_next(room, self._node, leader=viewer.person) if is_first else None)
        self._show(table, room)

    def _lead(self, table: TableActor, room: Room, person: str, at: m.RoomPosition) -> None:
        state = table.state
        _check_leads(room, person)
        line = room.line(state.actions, at.variation)
        if at.move > len(line):
            raise Refused("no-such-turn")
        if isinstance(at.perspective, int) and not 0 <= at.perspective < len(state.places):
            raise Refused("no-such-seat")
        self._change(table, room, head=_next(room, self._node, at=at))

    def _note(self, state: TableState, room: Room, person: str, command: m.WriteNote) -> Note:
        self._context.limits.chat.take(person)
        if person in state.kicked:  # nothing that they write reaches those who sat there
            raise Refused("kicked")
        if len(room.notes) >= MOST_NOTES:
            raise Refused("room-full")
        if command.move > len(room.line(state.actions, command.variation)):
            raise Refused("no-such-turn")
        name = self._context.people.name_of(person) or ""
        return room_notes.new(new_id(), person, name, command, self._context.clock.wall())

    async def _try(self, table: TableActor, room: Room, asked: Asked, command: m.TryAction | m.PlayOut) -> None:
        """Other decisions from a position on, the leader's action or those of bots: a new or longer variation."""
        state, game, person = table.state, table.game, asked.person
        assert person is not None
        _check_leads(room, person)
        self._context.limits.changes.take(person)
        action, decisions = (command.action, 0) if isinstance(command, m.TryAction) else (None, command.decisions)
        line, move = room.line(state.actions, command.variation), command.move
        perspective = room.head.at.perspective
        if move < len(line) and line[move] == action:  # as it was played
            at = m.RoomPosition(command.variation, move + 1, perspective)
            self._change(table, room, head=_next(room, self._node, at=at))
            return
        is_longer = command.variation is not None and move == len(line)
        if not is_longer and len(room.variations) >= MOST_VARIATIONS:
            raise Refused("room-full")
        if move > len(line) or move >= MOST_DECISIONS:
            raise Refused("no-such-turn")
        work, whose = self._context.limits.work, subscriber(asked.viewer.address) if asked.viewer else person
        work.check(whose)
        work.charge(whose, DECISION * (move + decisions))
        match = await asyncio.to_thread(deal.replay, state, game, line[:move])
        if match.over:
            raise Refused("no-such-turn")
        actions, is_over = await play_on(self._context, match, line[:move], action, decisions)
        known = room.variations.get(command.variation or "") if is_longer else None
        name, origin, turn = (known.id, known.origin, known.turn) if known else (new_id(), command.variation, move)
        self._change(
            table,
            room,
            variations=[Variation(name, origin, turn, actions, is_over)],
            head=_next(room, self._node, at=m.RoomPosition(name, move + 1, perspective)),
        )

    # -- who is there

    def gone(self, table: TableActor, viewer: Viewer) -> None:
        """Somebody has left the room, or lost the connection."""
        viewers = _viewers(table)
        if viewer in viewers:
            viewers.remove(viewer)
            room = self.rooms.open(table.state.id)
            self._change(table, room)
            self._show(table, room)

    def _everybody(self, table: TableActor, room: Room) -> dict[str, str]:
        """All who are in the room, by name."""
        people = dict(_here(table)[0])
        for there in room.elsewhere.values():
            people |= there.people
        return people

    def _is_here(self, table: TableActor, room: Room, person: str | None) -> bool:
        return person is not None and person in self._everybody(table, room)

    def _person(self, table: TableActor, room: Room, wanted: str) -> str:
        for person in self._everybody(table, room):
            if room_id(table.state.id, person) == wanted:
                return person
        raise Refused("not-in-room")

    # -- other nodes

    @property
    def _node(self) -> str:
        return self._context.others.own_id

    def receive(self, table: TableActor, message: RoomChanged) -> None:
        """Merge what another node sends about this room."""
        room = self.rooms.open(table.state.id)
        room.merge(message)
        self._show(table, room)

    def nodes_gone(self, table: TableActor, living: frozenset[str]) -> None:
        if (room := self.rooms.find(table.state.id)) is not None and room.elsewhere:
            room.leave_nodes(living)
            self._show(table, room)

    def loaded_elsewhere(self, table: TableActor, is_empty: bool) -> None:
        """Publish the whole room, for a node that has just loaded this table."""
        if (room := self.rooms.find(table.state.id)) is not None:
            people, nameless = _here(table)
            kept = list(room.variations.values()), list(room.notes.values()), list(room.dropped)
            change = RoomChanged(self._node, table.state.id, people, nameless, room.head, *kept)
            self._context.others.publish(change)

    # -- change and show

    def _change(
        self,
        table: TableActor,
        room: Room,
        head: Head | None = None,
        variations: list[Variation] | None = None,
        notes: list[Note] | None = None,
        dropped: list[str] | None = None,
    ) -> None:
        """Change the room by a message, as other nodes do, and publish the message."""
        people, nameless = _here(table)
        changed = variations or [], notes or [], dropped or []
        change = RoomChanged(self._node, table.state.id, people, nameless, head, *changed)
        room.merge(change)
        room.elsewhere.pop(self._node, None)
        self._context.others.publish(change)

    def forget(self, tables: Mapping[str, TableActor], person: str) -> None:
        for name in self.rooms.forget(person):
            if (table := tables.get(name)) is not None:
                self._show(table, self.rooms.open(name))

    def _show_position(self, table: TableActor, room: Room, but: Viewer | None) -> None:
        encoded = self._context.encode(m.Led(room.head.at))
        for viewer in _viewers(table):
            if viewer is not but:
                viewer.send(encoded)

    def _show(self, table: TableActor, room: Room) -> None:
        state, everybody, head = table.state, self._everybody(table, room), room.head
        people = [m.RoomPerson(room_id(state.id, person), name) for person, name in everybody.items()]
        nameless = _here(table)[1] + sum(there.nameless for there in room.elsewhere.values())
        variations = [
            m.RoomVariation(each.id, each.origin, each.turn, len(each.actions), each.is_over)
            for each in room.variations.values()
        ]
        for viewer in tuple(_viewers(table)):
            viewer.tell(
                m.Room(
                    people=sorted(people, key=lambda each: (each.name, each.id)),
                    nameless=nameless,
                    you=room_id(state.id, viewer.person) if viewer.person else None,
                    leader=room_id(state.id, head.leader) if head.leader else None,
                    leader_is_here=head.leader in everybody,
                    at=head.at,
                    variations=variations,
                    notes=self._notes_for(table, room, viewer),
                )
            )

    def _notes_for(self, table: TableActor, room: Room, viewer: Viewer) -> list[m.RoomNote]:
        """All notes but those of people whom this viewer has muted."""
        state, shown, muted = table.state, [], muted_at(table, viewer.person)
        for note in room.notes.values():
            seat = state.seat_of(note.person)
            if (WATCHING if seat is None else seat) not in muted:
                name = self._context.people.name_of(note.person) or note.name
                is_own = note.person == viewer.person
                shown.append(m.RoomNote(note.id, note.variation, note.move, name, note.text, is_own))
        return shown


FEATURE = RoomsFeature
PAGES = {"watch": (2,)}


def _viewers(table: TableActor) -> list[Viewer]:
    """The connections of those who watch together at this node."""
    viewers: list[Viewer] = table.attached.get(RoomsFeature.name, [])
    return viewers


def _here(table: TableActor) -> tuple[dict[str, str], int]:
    viewers = _viewers(table)
    people = {each.person: each.name or "" for each in viewers if each.person}
    return people, sum(1 for each in viewers if each.person is None)


def new_id() -> str:
    return secrets.token_hex(6)


def room_id(table: str, person: str) -> str:
    """The id of a person in one room: the same at every node, and useless elsewhere."""
    return hashlib.sha256(f"{table}\0{person}".encode()).hexdigest()[:12]


def _check_leads(room: Room, person: str) -> None:
    if room.head.leader != person:
        raise Refused("not-leader")


def _next(room: Room, node: str, leader: str | None = None, at: m.RoomPosition | None = None) -> Head:
    head = room.head
    return Head(head.version + 1, node, leader or head.leader, at or head.at)


def _without(room: Room, node: str, variation: str) -> Head | None:
    """Where to look when a variation goes that is being shown: at the position where it began."""
    at, gone = room.head.at, room.variations[variation]
    if at.variation != variation:
        return None
    origin = gone.origin if gone.origin in room.variations else None
    return _next(room, node, at=replace(at, variation=origin, move=gone.turn, playing=False))
