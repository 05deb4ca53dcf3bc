"""People who play random games through the balancer, come back whenever they are cut off, and write everything down."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tests.nodes.history import Answered, History, Sent, Shown, Told, canonical

LOST = (OSError, TimeoutError, WebSocketException, httpx.TransportError, EOFError)
PATIENCE = 4.0  # without a word for so long, a client connects again


class GaveUp(Exception):
    """A table that could not be brought to its start: nobody has played there."""


@dataclass
class Tally:
    """What happened at all tables together."""

    moves: int = 0  # acknowledged
    games: int = 0
    connections: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    pauses: list[float] = field(default_factory=list)  # the longest of each game, in seconds
    answers: deque[float] = field(
        default_factory=lambda: deque(maxlen=100_000)
    )  # seconds until a move was acknowledged


class TableUnderTest:
    """A game of some people, each with one or two connections of their own to any node, and a spectator."""

    def __init__(self, house: House, tokens: list[str], wish: dict[str, Any], seed: int) -> None:
        self.house, self.tokens, self._wish = house, tokens, wish
        self.chance = random.Random(seed)
        self.id = ""
        self.history = History("")
        self.turn, self.is_over = -1, False
        self.changed = time.monotonic()  # when the game last went on
        self.longest_pause = 0.0

    async def open(self) -> None:
        """Opened, joined, salted and started by HTTP, each through any node. Without an answer: again."""
        host, *others = self.tokens
        found = await self._post("/api/tables", host, {**self._wish, "first_seat": 0})
        self.id = self.history.table = found["id"]
        for token in others:
            await self._command(token, type="join")
        for seat, token in enumerate(self.tokens):
            await self._command(token, type="salt", salt=f"{seat:064x}")
        await self._command(host, type="start")

    async def _command(self, token: str, **command: Any) -> None:
        await self._post(f"/api/tables/{self.id}/commands", token, command)

    async def _post(self, path: str, token: str, content: dict[str, Any]) -> dict[str, Any]:
        return await self.house.post(path, token, content)

    async def play(self) -> None:
        """Until the game is over for everybody who plays."""
        self.changed = time.monotonic()
        seats = [Client(self, seat, token) for seat, token in enumerate(self.tokens)]
        if self.chance.random() < 0.3:  # a second tab, which moves as well
            seats.append(Client(self, 0, self.tokens[0]))
        watcher = asyncio.create_task(Client(self, None, None).run())
        try:
            await asyncio.gather(*(seat.run() for seat in seats))
        finally:
            watcher.cancel()
            await asyncio.gather(watcher, return_exceptions=True)

    def went_on(self, turn: int, is_over: bool) -> None:
        if turn > self.turn:
            now = time.monotonic()
            self.longest_pause = max(self.longest_pause, now - self.changed)
            self.turn, self.changed = turn, now
        if is_over:
            self.is_over = True


class Client:
    """One browser tab: a seat or a spectator."""

    def __init__(self, table: TableUnderTest, seat: int | None, token: str | None) -> None:
        self._table, self._seat = table, seat
        self._house, self._history = table.house, table.history
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._lines = 0
        self._is_over = False
        self._pending: Sent | None = None
        self._sent = 0.0  # when
        self._shown: dict[str, Any] | None = None

    async def run(self) -> None:
        while not self._is_over:
            try:
                async with connect(
                    f"ws://127.0.0.1:{self._house.port_of(self._table.id)}/api/tables/{self._table.id}/socket",
                    additional_headers=self._headers, compression=None, open_timeout=PATIENCE, close_timeout=0.2,
                    ping_interval=None, max_queue=None,
                ) as socket:  # fmt: skip
                    await self._sit(socket)
            except LOST:
                pass
            if not self._is_over:
                await asyncio.sleep(self._table.chance.uniform(0.01, 0.2))

    async def _sit(self, socket: ClientConnection) -> None:
        self._house.tally.connections += 1
        number = self._house.tally.connections
        self._pending, self._shown = None, None
        await socket.send(json.dumps({"type": "hello", "lines": self._lines}))
        while not self._is_over:
            async with asyncio.timeout(PATIENCE):
                raw = await socket.recv()
            assert isinstance(raw, str)
            message = json.loads(raw)
            match message["type"]:
                case "play":
                    self._see(number, message, raw)
                case "table":
                    self._history.events.append(Told(number, message["table"]["phase"], raw))
                case "accepted" | "refused":
                    await self._hear(message)
            await self._move(socket)

    def _see(self, connection: int, message: dict[str, Any], raw: str) -> None:
        lines, view = message["lines"], message["view"]
        self._history.events.append(
            Shown(
                connection,
                self._seat,
                message["turn"],
                message["from_line"],
                tuple(canonical(line) for line in lines),
                canonical(view),
                raw,
            )
        )
        self._lines = message["from_line"] + len(lines)
        self._shown = message
        self._is_over = view["over"]
        self._table.went_on(message["turn"], view["over"])

    async def _hear(self, message: dict[str, Any]) -> None:
        pending = self._pending
        if pending is None or message["ref"] != pending.ref:
            return
        self._pending = None
        code = None if message["type"] == "accepted" else message["problem"]["code"]
        if code in (None, "stale-move") and self._shown is not None and self._shown["turn"] <= pending.turn:
            self._shown = None  # what is new comes
        if code is None:
            self._history.events.append(Answered(pending.ref, message["turn"]))
            self._house.tally.moves += 1
            self._house.tally.answers.append(time.monotonic() - self._sent)
            return
        self._history.events.append(Answered(pending.ref, None, code))
        self._house.tally.refusals[code] += 1
        if code != "stale-move":
            await asyncio.sleep(0.05)

    async def _move(self, socket: ClientConnection) -> None:
        if self._shown is None or self._pending is not None or self._seat is None:
            return
        if legal := self._shown["view"]["legal"]:
            if self._house.think:
                await asyncio.sleep(self._table.chance.uniform(0, self._house.think))
            self._house.refs += 1
            turn, action = self._shown["turn"], self._table.chance.choice(legal)
            move = self._pending = Sent(f"m{self._house.refs}", self._seat, turn, action)
            self._history.events.append(move)
            self._sent = time.monotonic()
            await socket.send(json.dumps({"type": "move", "turn": turn, "action": action, "ref": move.ref}))


class House:
    """All tables of a run, played one game after the other, until enough is played."""

    def __init__(self, port: int, seed: int, is_enough: Callable[[], bool], think: float = 0.0) -> None:
        """`think`: so many seconds people take for a move at most."""
        self.port, self.tally, self.refs, self.think = port, Tally(), 0, think
        self.port_of: Callable[[str], int] = lambda table: port  # where all that concerns a table goes to
        self.tables: set[TableUnderTest] = set()
        self.finished: list[TableUnderTest] = []
        self._is_enough, self._chance = is_enough, random.Random(seed)
        self._http = httpx.AsyncClient(timeout=PATIENCE, verify=False)

    async def post(self, path: str, token: str | None, content: dict[str, Any]) -> dict[str, Any]:
        """Again and again until it is answered. What was done already by a request without an answer is refused, and
        that is fine."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        for _ in range(100):
            try:
                table = path.removeprefix("/api/tables/").partition("/")[0] if path.startswith("/api/tables/") else ""
                url = f"http://127.0.0.1:{self.port_of(table) if table else self.port}{path}"
                answer = await self._http.post(url, json=content, headers=headers)
            except LOST:
                await asyncio.sleep(0.2)
                continue
            if answer.status_code < 300 or answer.status_code == 409:
                found: dict[str, Any] = answer.json()
                return found
            if answer.status_code not in (500, 503):
                raise GaveUp(f"{path}: {answer.status_code} {answer.text}")
            await asyncio.sleep(0.2)
        raise GaveUp(f"{path} is not answered")

    async def play_at(self, wishes: list[dict[str, Any]]) -> None:
        """One place in the house: the same people play one game after the other."""
        tokens: list[str] = []
        while not self._is_enough():
            wish = self._chance.choice(wishes)
            count = wish["seats"] - len(wish.get("bots", {}))
            try:
                while len(tokens) < count:
                    found = await self.post("/api/me", None, {"name": "Ada", "program": True})
                    tokens.append(found["token"])
                table = TableUnderTest(self, tokens[:count], wish, self._chance.getrandbits(32))
                await table.open()
            except (GaveUp, KeyError):
                self.tally.refusals["not opened"] += 1
                continue
            self.tables.add(table)
            await table.play()
            self.tables.discard(table)
            self.tally.games += 1
            self.tally.pauses.append(table.longest_pause)
            self.finished.append(table)

    async def close(self) -> None:
        await self._http.aclose()
