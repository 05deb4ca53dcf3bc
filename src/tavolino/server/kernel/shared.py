"""A table that several nodes have in memory: it applies entries of other nodes, and shows their chat and presence.

The table in memory is a cache of its journal (decision 052). A single server does not use this.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable

from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.context import Context
from tavolino.server.errors import Refused
from tavolino.server.kernel import chat
from tavolino.server.kernel import entries as e
from tavolino.server.kernel.broadcast import Broadcast
from tavolino.server.kernel.inbox import RemoteEntries
from tavolino.server.kernel.journal import Journal, follow
from tavolino.server.kernel.state import TableState
from tavolino.server.kernel.turns import Turns
from tavolino.server.kernel.viewers import Viewers
from tavolino.server.kernel.watching import Watching
from tavolino.server.storage import LeaseLost, NumberTaken

MOST_RETRIES = 5  # of one command, while another node writes to its table
OF_THE_STATE = (403, 409, 422)  # statuses of refusals that depend on the state of the table


class SharedTable(ABC):
    state: TableState
    game: Game
    match: Match | None
    viewers: Viewers
    chat: chat.Chat
    watching: Watching
    epoch: int | None  # of the lease under which this node drives the table; 0: another one does; None: it is alone
    _context: Context
    _journal: Journal
    _broadcast: Broadcast
    _turns: Turns

    # -- entries

    async def _retried(self, work: Callable[[], Awaitable[None]]) -> None:
        """Decide again on what another node has written in the meantime. Nothing was answered yet."""
        for _ in range(MOST_RETRIES):
            try:
                return await work()
            except NumberTaken:
                await self._catch_up()
            except LeaseLost:
                self._drive(0)
        return await work()

    async def _with_news(self, work: Callable[[], Awaitable[None]]) -> None:
        """Refuse a command only on the newest state: another node may have written what makes it right, and its message
        may not have arrived yet."""
        try:
            return await work()
        except Refused as refused:
            if self.epoch is None or refused.status not in OF_THE_STATE:
                raise
            number = self.state.number
            await self._catch_up()
            if self.state.number == number:
                raise
        return await work()

    async def _catch_up(self) -> None:
        await self._follow(await self._journal.news(self.state))

    async def _follow(self, entries: list[e.Entry]) -> None:
        """Apply and show what another node has written."""
        if entries:
            is_ready = self._context.library.is_ready(self.state.game)
            self.state, self.match = follow(self.state, self.match, self.game, entries, is_ready)
            await self._show(entries, is_ours=False)

    async def _apply_remote(self, wrote: RemoteEntries) -> None:
        """Another node has written entries: it has published them, or they were found in the storage."""
        try:
            if not wrote.entries:
                await self._catch_up()
            elif wrote.number > self.state.number:  # else it is known already
                entries = self._journal.checked_remote(self.state, wrote.number, list(wrote.entries), wrote.hashed)
                await (self._catch_up() if entries is None else self._follow(entries))
        finally:
            wrote.done()

    def _drive(self, epoch: int) -> None:
        if self.epoch is not None:
            self.epoch = epoch
        if not epoch:
            self._turns.stop()

    @abstractmethod
    async def _show(self, entries: list[e.Entry], is_ours: bool = True) -> None:
        """Show viewers here what these entries have changed; `is_ours`: this node has written them."""

    # -- who is there, and what is said

    def publish_presence(self) -> None:
        """Tell other nodes who is connected to this one."""
        people, nameless = self.viewers.here()
        self._context.others.publish_presence(self.state.id, people, nameless)

    def note_presence(self, node: str, people: dict[str, str], nameless: int) -> None:
        if self.viewers.note_elsewhere(node, people, nameless):
            for person in people:
                self._context.notifier.person_came(self.state.id, person)
            self._broadcast.show_table(self.state)

    def forget_nodes(self, living: frozenset[str]) -> None:
        """Remove the viewers of nodes that are no longer alive."""
        self.watching.forget_nodes(self.state, living)
        if self.viewers.forget_nodes(living):
            self._broadcast.show_table(self.state)

    def note_poll(self, person: str) -> None:
        self.viewers.has_polled(person)
        self._context.notifier.person_came(self.state.id, person)

    def answer_node(self, wants_chat: bool) -> None:
        """Another node has loaded this table. The answer shows it that this node has the table too."""
        self.publish_presence()
        self.watching.publish_all(self.state)
        if wants_chat:
            self._context.others.publish_chat(self.state.id, self.chat.all(), is_history=True)

    def add_chat(self, said: list[tuple[p.Said, bool]], is_history: bool) -> None:
        if is_history and len(self.chat):
            return
        for each in said:
            utterance = chat.Utterance(*each)
            self.chat.add(utterance)
            self._broadcast.pass_on(self.state, utterance)
