"""What people say at a table: reactions, short texts, and remarks; and whom somebody does not want to hear.

In games without free chat (`meta.talk`: "remarks") players cannot write while a game runs; they make remarks, true
sentences that the game builds from open information. What spectators say while a game runs reaches spectators only, and
what people say who were kicked never reaches a seat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.context import Context
from tavolino.server.errors import Refused
from tavolino.server.features.chat import protocol as m
from tavolino.server.features.chat.mutes import (
    NAME,
    NAME_OF_STRANGERS,
    NOBODY,
    WATCHING,
    Muted,
    MutedByStrangers,
    MuteSlice,
    muted_at,
    muted_by,
    muted_seat,
)
from tavolino.server.kernel import messages
from tavolino.server.kernel.change import Change
from tavolino.server.kernel.checks import dealt, seated
from tavolino.server.kernel.feature import Feature, Needs, Plays, Request, Shown, Viewpoint, about, handles
from tavolino.server.kernel.state import TableState
from tavolino.server.peers import PeerMessage
from tavolino.server.people.text_policy import clean_text

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor
    from tavolino.server.kernel.viewers import Viewer

KEPT = 60
ChatCommand = m.Say | m.React | m.MakeRemark


class Utterance(NamedTuple):
    said: m.Said
    for_seats: bool  # False: for spectators only

    def reaches(self, seat: int | None, muted: frozenset[int]) -> bool:
        speaker = WATCHING if self.said.seat is None else self.said.seat
        return (self.for_seats or seat is None) and speaker not in muted


class ChatMessages(PeerMessage, tag="chat"):
    """Chat messages of a table; `is_history`: all so far."""

    said: list[Utterance]
    is_history: bool


class Chat(Feature[MuteSlice]):
    name = NAME
    refusals = (("no-free-talk", 403), ("no-such-remark", 409))
    not_for = ("class",)
    entries = (Muted,)
    private = (Muted,)
    Slice = MuteSlice
    messages = (m.Talk,)
    receives = (ChatMessages,)

    def __init__(self, server: Context) -> None:
        self._server = server

    @staticmethod
    def apply(part: MuteSlice, state: TableState, entry: Muted) -> MuteSlice:
        seats = part.muted.get(entry.person, NOBODY)
        return MuteSlice({**part.muted, entry.person: seats | {entry.seat} if entry.muted else seats - {entry.seat}})

    # -- what people ask for

    @handles(m.Say, m.React, limit="chat")
    def speak(self, request: Request) -> p.Accepted:
        table = request.table
        spoken = utterance(
            table.state, table.match, table.game, request.person, table.name_of(request.person) or "", request.command
        )
        self._add(table, spoken)
        self._publish(table, [spoken])
        return p.Accepted(request.command.ref)

    @handles(m.MakeRemark, needs=Needs.IDENTITY | Needs.RULES, limit="chat")
    def remark(self, request: Request) -> p.Accepted:
        return self.speak(request)

    @handles(m.Mute, limit=None)
    def mute(self, request: Request) -> Change | None:
        state, person, command = request.state, request.person, request.command
        seat = muted_seat(state, command)
        if state.seat_of(person) is None:
            strangers = request.table.attached.setdefault(NAME_OF_STRANGERS, MutedByStrangers())
            strangers.note(person, seat, command.muted)
            request.asked.reply(p.Accepted(command.ref))
            request.table.show_to(request.asked)
            return None
        self._server.limits.changes.take(person)
        is_muted = seat in muted_by(state, person)
        return Change([] if is_muted == command.muted else [Muted(person, seat, command.muted)])

    def _add(self, table: TableActor, spoken: Utterance) -> None:
        """Keep what was said, and send it to those who may hear it."""
        said: list[Utterance] = table.attached.setdefault(NAME, [])  # kept in memory only
        said.append(spoken)
        del said[:-KEPT]
        encoded = self._server.encode(m.Talk([spoken.said]))
        for viewer in table.viewers:
            if spoken.reaches(table.state.seat_of(viewer.person), muted_at(table, viewer.person)):
                viewer.send(encoded)

    # -- what is shown

    def show(self, shown: Shown, table: TableActor, viewpoint: Viewpoint) -> None:
        muted = muted_at(table, viewpoint.person)
        shown.you["muted"] = sorted(muted - {WATCHING})
        shown.you["muted_watching"] = WATCHING in muted

    def show_play(self, plays: Plays, table: TableActor, match: Match) -> None:
        if match.game.meta.talk == "remarks":
            remarks = list(match.game.remarks(messages.open_view(match)))
            for seat, fields in plays.items():
                fields["remarks"] = [] if seat is None else remarks

    @about(Muted)
    def concerned(self, state: TableState, entry: Muted) -> str | None:
        return entry.person

    def greet(self, table: TableActor, viewer: Viewer) -> None:
        muted, seat = muted_at(table, viewer.person), table.state.seat_of(viewer.person)
        viewer.tell(m.Talk([each.said for each in _said(table) if each.reaches(seat, muted)]))

    # -- other nodes

    def receive(self, table: TableActor, message: ChatMessages) -> None:
        if not (message.is_history and _said(table)):
            for each in message.said:
                self._add(table, each)

    def loaded_elsewhere(self, table: TableActor, is_empty: bool) -> None:
        if is_empty and (said := _said(table)):
            self._publish(table, said, is_history=True)

    def _publish(self, table: TableActor, said: list[Utterance], is_history: bool = False) -> None:
        others = self._server.others
        others.publish(ChatMessages(others.own_id, table.state.id, said, is_history))


FEATURE = Chat


def _said(table: TableActor) -> list[Utterance]:
    said: list[Utterance] = table.attached.get(NAME, [])
    return said


def utterance(
    state: TableState, match: Match | None, game: Game, person: str, name: str, command: ChatCommand
) -> Utterance:
    """The utterance that a chat command leads to, or a refusal."""
    speaker = state.seat_of(person)
    said = m.Said(speaker, name)
    match command:
        case m.Say(text=text):
            if speaker is not None and _is_running(state) and game.meta.talk == "remarks":
                raise Refused("no-free-talk", rule=game.meta.talk_rule)
            said.text = clean_text(text)
        case m.React(reaction=reaction):
            said.reaction = reaction
        case m.MakeRemark(key=key):
            seated(state, person)
            said.remark = _remark(dealt(match), key)
    is_heard = not _is_running(state) and person not in state.kicked
    return Utterance(said, for_seats=speaker is not None or is_heard)


def _is_running(state: TableState) -> bool:
    return state.phase in ("sealing", "playing")


def _remark(match: Match, key: str) -> m.Remark:
    """One remark, true at this moment."""
    possible = match.game.remarks(messages.open_view(match))
    if key not in possible:
        raise Refused("no-such-remark")
    return m.Remark(f"{match.game.name}.remark.{key}", dict(possible[key]))
