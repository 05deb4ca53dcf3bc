"""What the page asks of local tables: its requests, and the commands of its sockets, in the protocol of the server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec
from msgspec.structs import replace

from tavolino.local import carrying
from tavolino.local.helpers import Start
from tavolino.local.log import Keeper, LocalLog
from tavolino.local.reviews import LocalReviews
from tavolino.local.services import PERSON, LocalServices, local_services
from tavolino.local.tables import LocalTables
from tavolino.server import protocol as p
from tavolino.server.errors import STATUS, Refused
from tavolino.server.kernel import cards, records
from tavolino.server.kernel.actor import TableActor
from tavolino.server.kernel.continuation import PlayOn
from tavolino.server.kernel.inbox import Asked, Gone, ref_in
from tavolino.server.kernel.journal import refusal_code
from tavolino.server.settings import Pace
from tavolino.server.storage.errors import StorageError

Hear = Callable[[str | None], None]  # a message; None: the table has closed the connection
Answer = tuple[int, str]
NOT_FOUND = "not-found"
OF_THE_BROWSER = frozenset({"storage-full", "storage-failed"})


class Socket:
    """A connection of the page to a table, as the table sees it."""

    address = "here"
    person: str | None = PERSON

    def __init__(self, table: TableActor, services: LocalServices, decode: Callable[[str], Any], hear: Hear) -> None:
        self._table, self._decode, self._hear = table, decode, hear
        self._encode = services.encode
        self.name: str | None = services.people.name
        self._has_said_hello = False
        self._is_closed = False

    def tell(self, message: p.News) -> None:
        if isinstance(message, p.Refused):
            message = replace(message, problem=_here(message.problem))
        self.send(self._encode(message))

    def send(self, encoded: bytes) -> None:
        if not self._is_closed:
            self._hear(encoded.decode())

    def close(self, code: str) -> None:
        if not self._is_closed:
            self.tell(p.Closing(code, come_back=True))
            self._is_closed = True
            self._hear(None)

    def receive(self, text: str) -> None:
        """A message of the page."""
        try:
            command = self._decoded(text)
        except Refused as refused:
            self.tell(p.Refused(ref_in(text.encode()), refused.problem))
            return
        self._table.post(Asked(PERSON, command, self.tell, self))

    def _decoded(self, text: str) -> Any:
        try:
            command = self._decode(text)
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            raise Refused("bad-message") from None
        if not (self._has_said_hello or isinstance(command, p.Hello)):
            raise Refused("bad-message")
        self._has_said_hello = True
        return command

    def leave(self) -> None:
        self._is_closed = True
        self._table.post(Gone(self))


class Worker:
    """Local tables for one page. Answers are JSON with the status that a server would give."""

    def __init__(self, keeper: Keeper, name: str, pace: Pace | None = None, start_helper: Start | None = None) -> None:
        self._log = LocalLog(keeper)
        self.services = local_services(self._log, name, pace, start_helper)
        self.tables = LocalTables(self.services)
        self._reviews = LocalReviews(self.services.log, keeper, start_helper)

    async def open(self) -> None:
        """Read what this device has kept."""
        await self._log.open()

    async def request(self, method: str, address: str, body: str | None = None) -> Answer:
        """Answer what the page asks over HTTP elsewhere."""
        try:
            status, answer = await self._answer(method, address, body)
        except Refused as refused:
            return STATUS[refused.problem.code], _text(refused.problem)
        except StorageError as error:
            code = refusal_code(error)
            return STATUS[code], _text(_here(Refused(code).problem))
        return status, "" if answer is None else _text(answer)

    async def _answer(self, method: str, address: str, body: str | None) -> tuple[int, Any]:
        parts = urlsplit(address)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        match method, parts.path.split("/")[2:]:
            case "GET", ["me", "tables"]:
                return 200, cards.sorted_out(self.tables.cards())
            case "POST", ["me"]:
                self.services.people.name = _decoded(body, p.NewName).name
                return 200, p.Me(self.services.people.name)
            case "POST", ["play-now"]:
                table = await self.tables.play_now(_decoded(body, p.PlayNow))
                return 201, table.table_for(PERSON)
            case "POST", ["tables"]:
                table = await self.tables.open(_decoded(body, p.OpenTable))
                return 201, table.table_for(PERSON)
            case "GET", ["tables", name, "line"]:
                return 200, await carrying.line_of(self._log, name)
            case "GET", ["lines"]:
                return 200, carrying.HEADER
            case "POST", ["lines"]:
                return 200, {"result": await carrying.bring(self._log, self.tables.journal, body or "")}
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
                return 200, table.table_for(PERSON)
            case "POST", ["commands"]:
                return 200, await table.ask(PERSON, _command(self.tables.commands.decode, body))
            case "GET", ["record"]:
                return 200, records.record(table.state, table.match)
            case "GET", ["review"]:
                return 200, await self._reviews.look(table, _seat(query.get("seat", "0")))
            case "POST", ["play-on"]:
                return 201, (await self.tables.play_on(table, _decoded(body, PlayOn))).table_for(PERSON)
            case "GET", ["frames"]:
                return 200, self._frames(table, query.get("perspective", "spectator"))
        raise Refused(NOT_FOUND)

    def _frames(self, table: TableActor, wanted: str) -> p.Frames:
        perspective: Any = wanted if wanted in ("open", "spectator") else _seat(wanted)
        state = table.state
        shown = records.shown_frames(state, table.game, perspective, state.actions)
        names = [place.person and self.services.people.name_of(place.person) for place in state.places]
        return records.frames(state, perspective, names, shown)

    async def connect(self, table: str, hear: Hear) -> Socket:
        """Open a socket at a table; `hear` gets each message. Refused if there is no such table."""
        found = await self.tables.get(table)
        self.services.thinker.warm()
        return Socket(found, self.services, self.tables.commands.decode, hear)


def _here(problem: p.Problem) -> p.Problem:
    """Where the server's sentence is about its disk, the page has one about the browser."""
    return replace(problem, key=f"offline.problem.{problem.code}") if problem.code in OF_THE_BROWSER else problem


def _decoded(body: str | None, kind: Any) -> Any:
    try:
        return msgspec.json.decode(body or "", type=kind)
    except (msgspec.DecodeError, RecursionError):
        raise Refused("bad-message") from None


def _command(decode: Callable[[str], Any], body: str | None) -> Any:
    try:
        return decode(body or "")
    except (msgspec.DecodeError, RecursionError):
        raise Refused("bad-message") from None


def _seat(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise Refused("bad-message") from None


def _text(answer: object) -> str:
    return msgspec.json.encode(answer).decode()
