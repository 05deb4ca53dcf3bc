"""The tables of one person on this device, by id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tavolino.engine.errors import UnknownGame
from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.local import hot_seat
from tavolino.local.features import KINDS, features_of
from tavolino.local.services import PERSON, LocalServices
from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.kernel import deal, entries, opening
from tavolino.server.kernel.actor import TableActor
from tavolino.server.kernel.commands import Commands
from tavolino.server.kernel.journal import Journal, Step
from tavolino.server.kernel.state import TableState
from tavolino.server.kernel.tables import new_id
from tavolino.server.storage.errors import TableDamaged

if TYPE_CHECKING:
    from tavolino.server.kernel.change import NewTable

MARK = "~"  # the first letter of every id: the page knows by it that a table is here and not on a server


class LocalTables:
    """Implements `kernel.tables.Tables`."""

    is_stopping = False

    def __init__(self, services: LocalServices) -> None:
        self.services = services
        self.tables: dict[str, TableActor] = {}
        self.features = features_of(services)
        self.commands = Commands(self.features, services.limits)
        self.hot_seats = hot_seat.HotSeats(PERSON)
        services.others.tables = self.tables
        self.journal = Journal(services, KINDS, self.features)

    async def get(self, table: str) -> TableActor:
        if (found := self.tables.get(table)) is not None and not found.is_stopped:
            return found
        try:
            state = await self.journal.load(table)
            if state is None:
                raise Refused("no-such-table")
            game = await self.load_game(state.game)
            if state.rules not in game.versions:
                raise Refused("other-version")
            match = deal.replay(state, game) if state.is_dealt else None
        except TableDamaged as damaged:
            self.services.log.error("stored entries are damaged", error=str(damaged))
            raise Refused("table-damaged") from None
        return self._start(state, game, match)

    async def play_now(self, wanted: p.PlayNow) -> TableActor:
        """A table with bots, which starts as soon as the page's salt is there."""
        game = await self.load_game(wanted.game)
        return await self.open(opening.against_bots(game, wanted), starts_itself=True)

    async def open(self, wanted: p.OpenTable, starts_itself: bool = False) -> TableActor:
        game = await self.load_game(wanted.game)
        settings, seated = opening.placed(game, PERSON, wanted, self.features.fixed_settings)
        return await self.begin(game, PERSON, [self.opening(game, PERSON, settings, starts_itself), *seated])

    async def open_hot_seat(self, wanted: hot_seat.OpenHotSeat) -> TableActor:
        game = await self.load_game(wanted.game)
        settings, seated = hot_seat.placed(game, wanted, self.features.fixed_settings)
        host = next(entry.person for entry in seated if isinstance(entry, entries.Joined))
        return await self.begin(game, host, [self.opening(game, host, settings), *seated])

    async def begin(self, game: Game, host: str, begun: list[entries.Entry], match: Match | None = None) -> TableActor:
        """A new table with these entries."""
        (state,) = await self.journal.append(Step(TableState(self.new_id(host)), begun, match))
        return self._start(state, game, match)

    async def lacks_rules(self) -> bool:
        """Whether a game here that is not over began with rules, or in a game, that this version does not know."""
        for row in self.services.storage.rows.values():
            if row.phase != "ended" and (stored := await self.services.storage.entries(row.table)):
                opened = KINDS.decode(stored[0])
                if not isinstance(opened, entries.Opened) or not await self._has_rules(opened):
                    return True
        return False

    async def _has_rules(self, opened: entries.Opened) -> bool:
        try:
            return opened.rules in (await self.load_game(opened.game)).versions
        except Refused:
            return False

    async def remove(self, table: str) -> None:
        self.discard(table)
        await self.services.storage.remove_table(table)

    # -- for the kernel and features

    def new_id(self, host: str) -> str:
        mark = hot_seat.HOT_SEAT_MARK if hot_seat.is_of_these(host) else MARK
        return mark + new_id()[len(mark) :]

    def take_place(self, person: str) -> None: ...

    async def check_room(self, person: str) -> None: ...

    async def load_game(self, name: str) -> Game:
        try:
            return self.services.library.game(name)
        except UnknownGame:
            raise Refused("no-such-game") from None

    async def check_may_see(self, state: TableState, person: str | None) -> None: ...

    async def check_may_reveal(self, state: TableState) -> None: ...

    async def known(self, people: list[str]) -> set[str]:
        return {person for person in people if person == PERSON or hot_seat.is_of_these(person)}

    def opening(self, game: Game, host: str, settings: p.TableSettings, starts_itself: bool = False) -> entries.Opened:
        now, fixed = self.services.clock.now(), self.features.fixed_settings
        starts_itself = starts_itself or hot_seat.is_of_these(host)  # all are here
        return opening.opened(game, host, settings, now, fixed, starts_itself=starts_itself)

    def start_table(self, new: NewTable, state: TableState) -> None:
        self._start(state, new.game, None)

    async def apply_new_names(self, people: list[str] | None = None) -> None: ...

    def discard(self, table: str) -> None:
        if (gone := self.tables.pop(table, None)) is not None:
            gone.stop("reload")

    def _start(self, state: TableState, game: Game, match: Match | None) -> TableActor:
        actor = TableActor(self.services, self.features, self.commands, self, self.journal, state, game, match)
        self.tables[state.id] = actor
        return actor
