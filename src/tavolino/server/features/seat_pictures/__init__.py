"""The picture that a person chooses for the seat, before the deal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta, Struct

from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.kernel.change import Change
from tavolino.server.kernel.checks import seated
from tavolino.server.kernel.entries import Entry
from tavolino.server.kernel.feature import Feature, Request, Shown, Viewpoint, handles
from tavolino.server.kernel.seats import SEAT_ENTRIES, BySeat
from tavolino.server.kernel.state import TableState

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor


# A picture drawn by the page: one of eight shapes, and eight times the number of one of six colours.
Avatar = Annotated[int, Meta(ge=0, le=47)]


class ChooseAvatar(p.CommandMessage, tag="avatar"):
    """Before the deal: the picture at your seat."""

    avatar: Avatar | None


class AvatarChosen(Entry, tag="avatar"):
    seat: int
    avatar: int | None


class PictureSlice(BySeat[int], frozen=True):
    """The number of the picture."""


class _Card(Struct):
    """What the row of a table holds. Older servers have written the picture as the last item of a place."""

    avatars: dict[int, int] | None = None
    places: list[list[Any]] = []


_decode = msgspec.json.Decoder(_Card).decode
OLD_ITEM = 6


class SeatPictures(Feature[PictureSlice]):
    name = "seat_pictures"
    entries = (AvatarChosen,)
    follows = SEAT_ENTRIES
    Slice = PictureSlice

    @staticmethod
    def apply(part: PictureSlice, state: TableState, entry: Any) -> PictureSlice:
        return part.put(entry.seat, entry.avatar) if isinstance(entry, AvatarChosen) else part.follow(entry)

    @handles(ChooseAvatar)
    def choose(self, request: Request) -> Change:
        """Only before the deal: while a game runs, a picture that changes could be a signal."""
        state, avatar = request.state, request.command.avatar
        if state.phase not in ("waiting", "sealing"):
            raise Refused("not-waiting")
        seat = seated(state, request.person)
        return Change([] if self.of(state).by_seat.get(seat) == avatar else [AvatarChosen(seat, avatar)])

    def show(self, shown: Shown, table: TableActor, viewpoint: Viewpoint) -> None:
        for seat, avatar in self.of(table.state).by_seat.items():
            shown.seats[seat]["avatar"] = avatar

    @classmethod
    def card(cls, state: TableState) -> dict[str, Any]:
        return {"avatars": cls.of(state).by_seat}

    def show_card(self, seats: list[dict[str, Any]], card: bytes) -> None:
        stored = _decode(card)
        old = {seat: place[OLD_ITEM] for seat, place in enumerate(stored.places) if len(place) > OLD_ITEM}
        for seat, avatar in (old if stored.avatars is None else stored.avatars).items():
            seats[seat]["avatar"] = avatar


FEATURE = SeatPictures
