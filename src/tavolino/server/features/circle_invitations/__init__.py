"""Shows a table that waits for players to the members of a circle (decision 184)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tavolino.server import protocol as p
from tavolino.server.context import Context
from tavolino.server.features.circles.circles import Circles
from tavolino.server.features.invitations import decide_group
from tavolino.server.kernel.change import Change
from tavolino.server.kernel.feature import Feature, Needs, NoSlice, Request, handles


class InviteCircle(p.CommandMessage, tag="invite-circle"):
    """Before the start: show this table to all members of a circle that you are in.

    They see it on their list of tables, and join or decline.
    """

    circle: Annotated[str, Meta(max_length=40)]


class CircleInvitations(Feature[NoSlice]):
    name = "circle_invitations"
    depends = ("circles", "invitations")

    def __init__(self, server: Context) -> None:
        self._context = server

    @handles(InviteCircle, needs=Needs.SEAT)
    async def invite(self, request: Request) -> Change:
        members = await Circles(self._context).check_member(request.command.circle, request.person)
        return Change(decide_group(request.state, (each.person for each in members)))


FEATURE = CircleInvitations
