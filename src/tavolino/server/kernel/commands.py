"""The commands of a table: the kernel's own, and those of the features that are switched on.

A command of a feature that is switched off is unknown, like any other nonsense.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Union

import msgspec

from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.kernel import absence, lobby, moves
from tavolino.server.kernel.checks import check_waiting, host_only, seated
from tavolino.server.kernel.feature import Feature, Features, Handler, Needs, Request, handlers_of
from tavolino.server.kernel.inbox import Asked
from tavolino.server.kernel.services import Services

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor

KERNEL_HANDLERS = handlers_of(thing for module in (lobby, absence, moves) for thing in vars(module).values())
ANSWERED_BY_THE_ACTOR = (p.Hello, p.Ping)


def command_kinds(features: Iterable[type[Feature[Any]]]) -> tuple[type[msgspec.Struct], ...]:
    """All commands at a server with these features."""
    return (*ANSWERED_BY_THE_ACTOR, *KERNEL_HANDLERS, *(kind for feature in features for kind in feature.commands()))


class Commands:
    def __init__(self, features: Features, limits: Any) -> None:
        """`limits`: the rate limits of the server, by name. A handler that names another one fails here."""
        self.handlers = {**KERNEL_HANDLERS, **features.handlers}
        self._limits = {kind: getattr(limits, each.limit) for kind, each in self.handlers.items() if each.limit}
        kinds = (*ANSWERED_BY_THE_ACTOR, *self.handlers)
        self.decode = msgspec.json.Decoder(Union[kinds]).decode  # noqa: UP007

    def checked(self, table: TableActor, services: Services, asked: Asked) -> tuple[Handler, Request]:
        """The handler of a command, and its request, if what it needs is there."""
        handler = self.handlers.get(type(asked.command))
        if handler is None:
            raise Refused("bad-message")
        needs, person, state = handler.needs, asked.person or "", table.state
        if needs and not person:
            raise Refused("no-identity")
        if Needs.RULES in needs and table.lacks_match:
            raise Refused("still-compiling")
        if Needs.WORLDS in needs and not services.library.has_worlds(state.game):
            raise Refused("still-compiling")
        if (limit := self._limits.get(type(asked.command))) is not None:
            limit.take(person)
        if Needs.WAITING in needs:
            check_waiting(state)
        if Needs.PLAYING in needs and state.phase != "playing":
            raise Refused("not-playing")
        seat = seated(state, person) if Needs.SEAT in needs else -1
        if Needs.HOST in needs:
            host_only(state, person)
        return handler, Request(table, asked.command, person, seat, asked)
