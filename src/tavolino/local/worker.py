"""What the page asks of local tables: its requests, and the commands of its sockets, in the protocol of the server."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

from tavolino.local import answers, carrying, hot_seat, opening_links, puzzles
from tavolino.local.helpers import Start
from tavolino.local.listing import listed
from tavolino.local.log import Keeper, LocalLog
from tavolino.local.playing_on import PlayOn, play_on
from tavolino.local.reviews import LocalReviews
from tavolino.local.services import PERSON, local_services
from tavolino.local.sockets import Hear, Socket
from tavolino.local.tables import LocalTables
from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.kernel import records
from tavolino.server.kernel.actor import TableActor
from tavolino.server.settings import Pace
from tavolino.server.storage.errors import StorageError

NOT_FOUND = "not-found"


class Worker:
    """Local tables for one page. Answers are JSON with the status that a server would give."""

    def __init__(self, keeper: Keeper, name: str, pace: Pace | None = None, start_helper: Start | None = None) -> None:
        self._log = LocalLog(keeper)
        self.services = local_services(self._log, name, pace, start_helper)
        self.tables = LocalTables(self.services)
        self._reviews = LocalReviews(self.services.log, keeper, start_helper, self.services.thinker.rest)
        self._sockets: list[Socket] = []

    async def open(self) -> None:
        """Read what this device has kept."""
        await self._log.open()

    async def request(self, method: str, address: str, body: str | None = None) -> answers.Answer:
        """Answer what the page asks over HTTP elsewhere."""
        try:
            return answers.answer(*await self._answer(method, address, body))
        except (Refused, StorageError) as problem:
            return answers.refusal(problem)

    async def _answer(self, method: str, address: str, body: str | None) -> tuple[int, Any]:
        parts = urlsplit(address)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        match method, parts.path.split("/")[2:]:
            case "GET", ["me", "tables"]:
                return 200, listed(self.services, self.tables.features)
            case "POST", ["me"]:
                self.services.people.name = answers.decoded(body, p.NewName).name
                return 200, p.Me(self.services.people.name)
            case "POST", ["play-now"]:
                table = await self.tables.play_now(answers.decoded(body, p.PlayNow))
                return 201, table.table_for(PERSON)
            case "POST", ["tables"]:
                table = await self.tables.open(answers.decoded(body, p.OpenTable))
                return 201, table.table_for(PERSON)
            case "GET", ["tables", name, "line"]:
                return 200, await carrying.line_of(self._log, name)
            case "GET", ["lines"]:
                return 200, carrying.HEADER
            case "POST", ["lines"]:
                return 200, {"result": await carrying.bring(self._log, self.tables.journal, body or "")}
            case "POST", ["links", *wanted]:
                return 200, await opening_links.answer(self.tables, wanted, body)
            case "POST", ["hot-seat"]:
                table = await self.tables.open_hot_seat(answers.decoded(body, hot_seat.OpenHotSeat))
                return 201, self._shown(table)
            case _, ["puzzles", name, *rest]:
                return 200, puzzles.answer(await self.tables.load_game(name), rest, body)
            case "DELETE", ["tables", name]:
                await self.tables.remove(name)
                return 204, None
            case _, ["tables", name, *rest]:
                return await self._answer_at(await self.tables.get(name), method, rest, query, body)
        raise Refused(NOT_FOUND)

    async def _answer_at(
        self, table: TableActor, method: str, rest: list[str], query: dict[str, str], body: str | None
    ) -> tuple[int, Any]:
        match method, rest:
            case "GET", []:
                await table.prepare()
                return 200, self._shown(table)
            case "POST", ["curtain"]:
                return 200, self._set_curtain(table, answers.decoded(body, hot_seat.Curtain))
            case "POST", ["salts"]:
                return 200, await self._add_salts(table, answers.decoded(body, hot_seat.Salts).salts)
            case "POST", ["commands"] if self.tables.hot_seats.is_alone(table.state):
                return 200, await table.ask(PERSON, answers.command(self.tables.commands.decode, body))
            case "GET", ["record"]:
                return 200, records.record(table.state, table.match)
            case "GET", ["review"]:
                return 200, await self._reviews.look(table, answers.seat(query.get("seat", "0")))
            case "POST", ["play-on"]:
                return 201, (await play_on(self.tables, table, answers.decoded(body, PlayOn))).table_for(PERSON)
            case "GET", ["frames"]:
                return 200, self._frames(table, query.get("perspective", "spectator"))
        raise Refused(NOT_FOUND)

    def _frames(self, table: TableActor, wanted: str) -> p.Frames:
        perspective: Any = wanted if wanted in ("open", "spectator") else answers.seat(wanted)
        state = table.state
        shown = records.shown_frames(state, table.game, perspective, state.actions)
        names = [place.person and self.services.people.name_of(place.person) for place in state.places]
        return records.frames(state, perspective, names, shown)

    async def connect(self, table: str, hear: Hear) -> Socket:
        """Open a socket at a table; `hear` gets each message. Refused if there is no such table."""
        found = await self.tables.get(table)
        self.services.thinker.warm_soon()
        person = self.tables.hot_seats.person_at(found.state)
        socket = Socket(found, person, self.services, self.tables.commands.decode, hear)
        self._sockets = [each for each in self._sockets if not each.is_closed] + [socket]
        return socket

    def _shown(self, table: TableActor) -> p.Table:
        return table.table_for(self.tables.hot_seats.person_at(table.state))

    async def _add_salts(self, table: TableActor, salts: list[str]) -> p.Table:
        """Nobody's connection is open at the deal, so the page sends the numbers of all people together."""
        self.tables.hot_seats.check_shared(table.state)
        if len(salts) != len(table.state.people):
            raise Refused("bad-message")
        for person, salt in zip(table.state.people, salts, strict=True):
            await table.ask(person, p.AddSalt(salt))
        return self._shown(table)

    def _set_curtain(self, table: TableActor, wanted: hot_seat.Curtain) -> hot_seat.Curtain:
        """Connections that have shown other cards end before this is answered."""
        hot_seats = self.tables.hot_seats
        hot_seats.set(table.state, wanted.seat)
        for socket in self._sockets:
            if socket.is_at(table) and socket.person != hot_seats.person_at(table.state):
                socket.cut()
        return wanted
