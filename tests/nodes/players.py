"""Players of random games through the balancer. They reconnect whenever they are cut off, and record everything."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from tests.nodes.history import Answered, Connecting, History, Sent, Shown, Told
from tests.nodes.links import HERE
from tests.nodes.sockets import Http, Socket, upgrade

LOST = (OSError, TimeoutError, EOFError)
PATIENCE = 4.0  # seconds of silence after which a client reconnects
PING = b'{"type":"ping"}'
MOST_PATIENCE = (
    16.0  # after a connection without any message in time, so that a slow machine does not reconnect all the time
)


class GaveUp(Exception):
    """The table could not be started; nobody has played there."""


@dataclass
class Tally:
    """What happened at all tables together."""

    moves: int = 0  # acknowledged
    games: int = 0
    connections: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    pauses: list[float] = field(default_factory=list)  # the longest of each game, in seconds
    delays: list[float] = field(
        default_factory=list
    )  # the longest of each game, from the first viewer of a turn to the last
    answers: deque[float] = field(
        default_factory=lambda: deque(maxlen=100_000)
    )  # seconds until a move was acknowledged


class TableUnderTest:
    """A game of some people, each with one or two connections of their own to any node, and perhaps a
    spectator."""

    def __init__(self, load: LoadGenerator, tokens: list[str], settings: dict[str, Any], seed: int) -> None:
        self.load, self.tokens, self._settings = load, tokens, settings
        self.chance = random.Random(seed)
        self.id = ""
        self.history = History("")
        self.turn, self.is_over = -1, False
        self.changed = time.monotonic()  # when the game last advanced
        self.longest_pause = self.longest_delay = 0.0
        self._seen: dict[int, float] = {}  # turn to the moment when somebody was first shown it

    async def open(self) -> None:
        """Open, join, salt and start by HTTP, each request through any node; requests without an answer are
        repeated."""
        host, *others = self.tokens
        found = await self._post("/api/tables", host, {**self._settings, "first_seat": 0})
        self.id = self.history.table = found["id"]
        for token in others:
            await self._command(token, type="join")
        if self.chance.random() < 0.5:  # otherwise the deal waits a moment for salts, and continues without them
            for seat, token in enumerate(self.tokens):
                await self._command(token, type="salt", salt=f"{seat:064x}")
        await self._command(host, type="start")

    async def _command(self, token: str, **command: Any) -> None:
        await self._post(f"/api/tables/{self.id}/commands", token, command)

    async def _post(self, path: str, token: str, content: dict[str, Any]) -> dict[str, Any]:
        return await self.load.post(path, token, content)

    async def play(self) -> None:
        """Until the game is over for everybody who plays."""
        self.changed = time.monotonic()
        seats = [Client(self, seat, token) for seat, token in enumerate(self.tokens)]
        if self.chance.random() < 0.3:  # a second tab, which moves as well
            seats.append(Client(self, 0, self.tokens[0]))
        watchers = [asyncio.create_task(Client(self, None, None).run()) for _ in range(self.chance.randrange(2))]
        try:
            await asyncio.gather(*(seat.run() for seat in seats))
        finally:
            for watcher in watchers:
                watcher.cancel()
            await asyncio.gather(*watchers, return_exceptions=True)

    def went_on(self, turn: int, is_over: bool, is_broadcast: bool) -> None:
        """Somebody was shown a turn; `is_broadcast`: on a connection that had been shown an earlier one."""
        now = time.monotonic()
        if turn > self.turn:
            self.longest_pause = max(self.longest_pause, now - self.changed)
            self.turn, self.changed = turn, now
        first = self._seen.setdefault(turn, now)
        if is_broadcast:
            self.longest_delay = max(self.longest_delay, now - first)
        if is_over:
            self.is_over = True


class View(msgspec.Struct):
    legal: list[str]
    over: bool


class Play(msgspec.Struct):
    turn: int
    from_line: int
    lines: msgspec.Raw
    view: msgspec.Raw


class Phase(msgspec.Struct):
    phase: str


class TableNews(msgspec.Struct):
    table: Phase


class Problem(msgspec.Struct):
    code: str


class Answer(msgspec.Struct):
    """Accepted or refused."""

    ref: str | None = None
    turn: int | None = None
    problem: Problem | None = None


read_play = msgspec.json.Decoder(Play).decode
read_view = msgspec.json.Decoder(View).decode
read_lines = msgspec.json.Decoder(list[msgspec.Raw]).decode
read_table = msgspec.json.Decoder(TableNews).decode
read_answer = msgspec.json.Decoder(Answer).decode


class Tab(Socket):
    """A connection of a client. `closed` is done when it has ended, for whatever reason."""

    def __init__(self, request: str, on_message: Callable[[bytes], None], hello: bytes) -> None:
        super().__init__(request, on_message, hello)
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def on_refusal(self, answer: bytes) -> None:
        self.give_up()

    def give_up(self) -> None:
        if self.transport is not None:
            self.transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.closed.done():
            self.closed.set_result(None)


class Client:
    """One browser tab: a seat or a spectator."""

    def __init__(self, table: TableUnderTest, seat: int | None, token: str | None) -> None:
        self._table, self._seat, self._token = table, seat, token
        self._load, self._history = table.load, table.history
        self._lines = 0
        self._is_over = False
        self._connection = 0  # its number
        self._has_seen = False  # anything on this connection
        self._socket: Tab | None = None
        self._heard = 0.0  # when something came
        self._pending: Sent | None = None
        self._sent = 0.0  # when
        self._turn, self._legal = -1, list[str]()  # as last shown; nothing while something new must come
        self._waiting: asyncio.TimerHandle | None = None  # for the moment of the next try

    async def run(self) -> None:
        patience = PATIENCE
        while not self._is_over:
            heard, begun = self._heard, time.monotonic()
            with contextlib.suppress(*LOST):
                await self._sit(patience)
            is_silent = self._heard == heard and time.monotonic() - begun >= patience
            patience = min(MOST_PATIENCE, 2 * patience) if is_silent else PATIENCE
            if not self._is_over:
                await asyncio.sleep(self._table.chance.uniform(0.01, 0.2))

    async def _sit(self, patience: float) -> None:
        """One connection, until it is lost, or nothing was heard on it for too long."""
        loop = asyncio.get_running_loop()
        path, port = f"/api/tables/{self._table.id}/socket", self._load.port_of(self._table.id)
        self._load.tally.connections += 1
        self._connection = self._load.tally.connections
        self._pending, self._legal, self._has_seen = None, [], False
        self._history.events.append(Connecting(self._connection))
        hello = msgspec.json.encode({"type": "hello", "lines": self._lines})
        socket = self._socket = Tab(upgrade(HERE, path, self._token), self._take, hello)
        begun = loop.time()
        try:
            async with asyncio.timeout(patience):
                await loop.create_connection(lambda: socket, HERE, port)
            is_asked = False
            while not socket.closed.done() and (left := max(begun, self._heard) + patience - loop.time()) > 0:
                # Other players may take long. Ping instead of reconnecting, which costs the node more.
                is_quiet = left < patience / 2
                if is_quiet and not is_asked and socket.is_open and not socket.transport.is_closing():
                    socket.send(PING)
                is_asked = is_quiet
                await asyncio.wait([socket.closed], timeout=left if is_quiet else left - patience / 2 + 0.01)
        finally:
            self._socket = None
            if self._waiting is not None:
                self._waiting.cancel()
                self._waiting = None
            socket.give_up()

    def _take(self, content: bytes) -> None:
        if self._socket is None:  # given up
            return
        self._heard = asyncio.get_running_loop().time()
        if content.startswith(b'{"type":"play"'):
            self._see(content)
        elif content.startswith((b'{"type":"accepted"', b'{"type":"refused"')):
            self._hear(read_answer(content))
        elif content.startswith(b'{"type":"table"'):
            self._history.events.append(Told(self._connection, read_table(content).table.phase, content))
        self._move()

    def _see(self, content: bytes) -> None:
        play = read_play(content)
        view, lines = read_view(play.view), bytes(play.lines)
        self._history.events.append(
            Shown(self._connection, self._seat, play.turn, play.from_line, lines, bytes(play.view), content)
        )
        self._lines = play.from_line + len(read_lines(play.lines))
        self._turn, self._legal, self._is_over = play.turn, view.legal, view.over
        self._table.went_on(play.turn, view.over, self._has_seen)
        self._has_seen = True
        if view.over and self._socket is not None:
            self._socket.give_up()

    def _hear(self, answer: Answer) -> None:
        pending = self._pending
        if pending is None or answer.ref != pending.ref:
            return
        self._pending = None
        code = None if answer.problem is None else answer.problem.code
        if code in (None, "stale-move") and self._turn <= pending.turn:
            self._legal = []  # until the new view arrives
        self._history.events.append(Answered(pending.ref, answer.turn, code))
        if code is None:
            self._load.tally.moves += 1
            self._load.tally.answers.append(time.monotonic() - self._sent)
            return
        self._load.tally.refusals[code] += 1
        if code != "stale-move":
            self._wait(0.05)

    def _wait(self, seconds: float) -> None:
        self._waiting = asyncio.get_running_loop().call_later(seconds, self._wake)

    def _wake(self) -> None:
        self._waiting = None
        if self._is_to_move:
            self._send_move()

    @property
    def _is_to_move(self) -> bool:
        return bool(self._legal) and self._seat is not None and self._pending is None and self._waiting is None

    def _move(self) -> None:
        if not self._is_to_move:
            return
        seconds = self._load.seconds_until_move(self._table.chance)
        if seconds > 0:
            self._wait(seconds)
        else:
            self._send_move()

    def _send_move(self) -> None:
        if self._seat is None or self._socket is None or self._socket.transport.is_closing():
            return
        self._load.refs += 1
        action = self._table.chance.choice(self._legal)
        move = self._pending = Sent(f"m{self._load.refs}", self._seat, self._turn, action)
        self._history.events.append(move)
        self._sent = time.monotonic()
        self._socket.send(msgspec.json.encode({"type": "move", "turn": self._turn, "action": action, "ref": move.ref}))


class LoadGenerator:
    """All tables of a run, played one game after the other, until enough is played."""

    def __init__(self, port: int, seed: int, is_enough: Callable[[], bool], think: float = 0.0) -> None:
        """`think`: the longest time that people take for a move, in seconds."""
        self.port, self.tally, self.refs, self.think = port, Tally(), 0, think
        self.rate = 0.0  # moves a second that all tables together make, if they are answered in time; 0: at once
        self._next_move = 0.0  # when, if there is a rate
        self.port_of: Callable[[str], int] = lambda table: port  # where all that concerns a table goes to
        self.tables: set[TableUnderTest] = set()
        self.finished: list[TableUnderTest] = []
        self._is_enough, self._chance = is_enough, random.Random(seed)
        self._http = Http()

    def seconds_until_move(self, chance: random.Random) -> float:
        if not self.rate:
            return chance.uniform(0, self.think) if self.think else 0.0
        now = time.monotonic()
        self._next_move = max(self._next_move + 1 / self.rate, now)
        return self._next_move - now

    async def post(self, path: str, token: str | None, content: dict[str, Any]) -> dict[str, Any]:
        """Repeat the request until it is answered. A repeated request that was done already is refused, which is
        fine."""
        for tries in range(100):
            table = path.removeprefix("/api/tables/").partition("/")[0] if path.startswith("/api/tables/") else ""
            port = self.port_of(table) if table else self.port
            try:
                status, answer = await self._http.post(
                    port, path, msgspec.json.encode(content), token, min(MOST_PATIENCE, PATIENCE * 2**tries)
                )
            except LOST:
                await asyncio.sleep(0.2)
                continue
            if status < 300 or status == 409:
                found: dict[str, Any] = msgspec.json.decode(answer)
                return found
            if status not in (500, 503):
                raise GaveUp(f"{path}: {status} {answer.decode()}")
            await asyncio.sleep(0.2)
        raise GaveUp(f"{path} is not answered")

    async def play_at(self, choices: list[dict[str, Any]]) -> None:
        """Play one game after the other with the same people."""
        tokens: list[str] = []
        while not self._is_enough():
            settings = self._chance.choice(choices)
            count = settings["seats"] - len(settings.get("bots", {}))
            try:
                while len(tokens) < count:
                    found = await self.post("/api/me", None, {"name": "Ada", "program": True})
                    tokens.append(found["token"])
                table = TableUnderTest(self, tokens[:count], settings, self._chance.getrandbits(32))
                await table.open()
            except (GaveUp, KeyError):
                self.tally.refusals["not opened"] += 1
                continue
            self.tables.add(table)
            await table.play()
            self.tables.discard(table)
            self.tally.games += 1
            self.tally.pauses.append(table.longest_pause)
            self.tally.delays.append(table.longest_delay)
            self.finished.append(table)

    async def close(self) -> None:
        self._http.close()
