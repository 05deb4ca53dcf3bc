"""The interface of a table for the rest of the server: post commands, ask, stop."""

from __future__ import annotations

import asyncio
import contextlib

from tavolino.server import protocol as p
from tavolino.server.context import Context
from tavolino.server.errors import Refused
from tavolino.server.kernel.broadcast import Broadcast
from tavolino.server.kernel.hints import Hints
from tavolino.server.kernel.inbox import Asked, Gone, Inbox, Item, RemoteEntries, Tick, ref_of, with_reply
from tavolino.server.kernel.state import TableState
from tavolino.server.kernel.turns import Turns
from tavolino.server.kernel.viewers import Viewers
from tavolino.server.storage import StorageError


class TableHandle:
    """The part of a table's actor that other tasks call. It changes nothing at the table."""

    state: TableState
    viewers: Viewers
    used: float  # when it was last needed
    asked: float  # when this server last got an HTTP request for it
    _context: Context
    _inbox: Inbox
    _broadcast: Broadcast
    _turns: Turns
    _hints: Hints
    _task: asyncio.Task[None]

    async def ask(self, person: str | None, command: p.Command, address: str | None = None) -> p.News:
        """Carry out a command over HTTP, and wait for the answer. Refusals are raised."""
        self.asked = self._context.clock.up()
        if person is not None:
            if self.viewers.has_polled(person):
                self._context.others.publish_poll(self.state.id, person)
            self._context.notifier.person_came(self.state.id, person)
        asked, reply = with_reply(person, command, address)
        self.post(asked)
        answer = await reply
        if isinstance(answer, p.Refused):
            problem = answer.problem
            raise Refused(problem.code, problem.params, problem.rule, problem.key)
        return answer

    def post(self, item: Item) -> None:
        """Put an item into the inbox. A full inbox refuses commands; other items always fit: the choice of a bot that
        was dropped would never come again."""
        self.used = self._context.clock.up()
        if self.is_stopped and isinstance(item, Asked) and item.viewer is not None:
            item.viewer.close("reload")
        if self.is_stopped or (isinstance(item, Asked) and not self._inbox.has_room_for(item.person)):
            self._turn_away(item)
        else:
            self._inbox.put(item)

    def _turn_away(self, item: Item) -> None:
        if isinstance(item, Asked):
            item.reply(p.Refused(ref_of(item.command), Refused("busy").problem))
        elif isinstance(item, Gone):
            self.viewers.remove(item.viewer)
        elif isinstance(item, RemoteEntries):
            item.done()

    async def learn_ratings(self) -> None:
        """Before the start of a rated game, which shows them."""
        if self.state.settings.rated and self.state.phase in ("waiting", "sealing"):
            with contextlib.suppress(StorageError):  # then they are not shown
                await self._context.ratings.learn(self.state.people, self.state.game)

    def unfreeze_name(self, person: str) -> None:
        """Somebody's name was taken away, and must not be shown any more, frozen or not."""
        if person in self.state.people or any(viewer.person == person for viewer in self.viewers):
            self._broadcast.unfreeze_name(person)
            self._broadcast.show_table(self.state)

    def show_progress(self) -> None:
        """The game's rules are being compiled, or are ready now."""
        self._broadcast.show_table(self.state)
        self.post(Tick())

    @property
    def is_idle(self) -> bool:
        """Whether it can be dropped from memory: nobody is connected, and it waits for nothing."""
        return not self.viewers and not self._turns.is_waiting and not self._inbox

    def can_be_left_to_others(self, asked_before: float) -> bool:
        """Whether only other nodes have connections to it, and nobody has asked for it here since then."""
        return self.viewers.are_elsewhere and self.asked < asked_before and not self._inbox

    @property
    def is_stopped(self) -> bool:
        """No longer in the registry: callers that still hold it must ask the registry again."""
        return self._task.cancelling() > 0 or self._task.done()

    def stop(self, code: str) -> None:
        for viewer in self.viewers:
            viewer.close(code)
        self._task.cancel()
        for item in self._inbox.take_all():  # those who asked over HTTP wait for an answer
            self._turn_away(item)
        self._turns.stop()
        self._hints.stop()
        self.viewers.wake_polls()
