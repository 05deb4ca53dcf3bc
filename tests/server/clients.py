"""People and programs for the tests: real HTTP, real sockets."""

from __future__ import annotations

import contextlib
import json
import secrets
import socket as tcp
import ssl
import time
from contextlib import ExitStack
from types import TracebackType
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

TIMEOUT = 20.0
NO_TLS = False  # loopback has no TLS, and loading certificates takes time
_open: list[Socket | Guest] = []


def _any_certificate() -> ssl.SSLContext:
    """For a proxy of a test, which has made its certificate itself.

    Not TLS 1.3, which sends session tickets after the handshake: two threads of the library then use one SSL object at
    once, and in Python 3.11 about one request in 400 is never sent.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def close_all() -> None:
    """Close all clients, after a test."""
    while _open:
        _open.pop().close()


class Socket:
    """A player's or spectator's socket. Keeps all messages as received."""

    def __init__(self, url: str, headers: dict[str, str], lines: int = 0, hello: bool = True) -> None:
        self.raw: list[str] = []
        self.log: list[Any] = []
        self.play: dict[str, Any] | None = None
        self.table: dict[str, Any] | None = None
        self.closed: str | None = None
        self._open = ExitStack()
        self._socket: ClientConnection = self._open.enter_context(
            connect(
                url,
                additional_headers=headers,
                compression=None,
                open_timeout=TIMEOUT,
                max_size=None,
                max_queue=None,
                ssl=_any_certificate() if url.startswith("wss:") else None,
            )
        )
        _open.append(self)
        if hello:
            self.send(type="hello", lines=lines)

    def __enter__(self) -> Socket:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._open.close()

    def abandon(self) -> None:
        """Close without the closing handshake, because the server is gone."""
        with contextlib.suppress(OSError):
            self._socket.socket.shutdown(tcp.SHUT_RDWR)
        self.close()

    @property
    def close_code(self) -> int | None:
        return self._socket.close_code

    def send(self, **message: Any) -> None:
        self._socket.send(json.dumps(message))

    def send_raw(self, text: str | bytes) -> None:
        self._socket.send(text)

    def receive(self, timeout: float = TIMEOUT) -> dict[str, Any]:
        raw = self._socket.recv(timeout)
        assert isinstance(raw, str)
        self.raw.append(raw)
        message: dict[str, Any] = json.loads(raw)
        if message["type"] == "play":
            del self.log[message["from_line"] :]
            self.log += message["lines"]
            self.play = message
        elif message["type"] == "table":
            self.table = message["table"]
        elif message["type"] == "closing":
            self.closed = message["code"]
        return message

    def until(self, kind: str, timeout: float = TIMEOUT, **fields: Any) -> dict[str, Any]:
        """The next message of a kind, with these fields."""
        end = time.monotonic() + timeout
        while True:
            message = self.receive(max(0.01, end - time.monotonic()))
            if message["type"] == kind and all(message.get(name) == value for name, value in fields.items()):
                return message

    def until_phase(self, phase: str, timeout: float = TIMEOUT) -> dict[str, Any]:
        end = time.monotonic() + timeout
        while self.table is None or self.table["phase"] != phase:
            self.receive(max(0.01, end - time.monotonic()))
        return self.table

    def until_turn(self, turn: int, timeout: float = TIMEOUT) -> dict[str, Any]:
        end = time.monotonic() + timeout
        while self.play is None or self.play["turn"] < turn:
            self.receive(max(0.01, end - time.monotonic()))
        return self.play

    def ask(self, **message: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        ref = secrets.token_hex(4)
        self.send(**message, ref=ref)
        end = time.monotonic() + TIMEOUT
        while True:
            answer = self.receive(max(0.01, end - time.monotonic()))
            if answer.get("ref") == ref:
                return answer

    def drain(self, quiet: float = 0.3) -> list[dict[str, Any]]:
        """All messages until none comes for a moment."""
        found = []
        try:
            while True:
                found.append(self.receive(quiet))
        except (TimeoutError, ConnectionClosed):
            return found


def _cookie_in(answer: httpx.Response) -> str:
    """The token of a browser, which is also one of a program."""
    return answer.headers["Set-Cookie"].partition("=")[2].partition(";")[0]


class Guest:
    """A person with a name and a bearer token; or a program, if it says so."""

    def __init__(self, address: str, name: str = "Ada", is_program: bool = False) -> None:
        self.address = address
        self.http = httpx.Client(base_url=address, timeout=TIMEOUT, verify=NO_TLS)
        answer = self.http.post("/api/me", json={"name": name, "program": is_program})
        assert answer.status_code == 201, answer.text
        self.token: str = answer.json()["token"] if is_program else _cookie_in(answer)
        self.http.cookies.clear()
        self.headers = {"Authorization": f"Bearer {self.token}"}
        self.http.headers.update(self.headers)
        _open.append(self)

    def open(self, game: str, seats: int, **settings: Any) -> str:
        answer = self.http.post("/api/tables", json={"game": game, "seats": seats, **settings})
        assert answer.status_code == 201, answer.text
        table: str = answer.json()["id"]
        return table

    def command(self, table: str, type: str, **fields: Any) -> httpx.Response:
        return self.http.post(f"/api/tables/{table}/commands", json={"type": type, **fields})

    def do(self, table: str, type: str, **fields: Any) -> dict[str, Any]:
        answer = self.command(table, type, **fields)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def socket(self, table: str, lines: int = 0, hello: bool = True) -> Socket:
        return Socket(socket_url(self.address, table), self.headers, lines, hello)

    def close(self) -> None:
        self.http.close()


def again(person: Guest, address: str) -> Guest:
    """The same person at a server that was started again."""
    person.http.close()
    person.address = address
    person.http = httpx.Client(base_url=address, timeout=TIMEOUT, headers=person.headers)
    return person


def socket_url(address: str, table: str) -> str:
    return f"{address.replace('http', 'ws', 1)}/api/tables/{table}/socket"


def watch(address: str, table: str) -> Socket:
    """A spectator without any identity."""
    return Socket(socket_url(address, table), {})


def ask_everything(guest: Guest, table: str) -> list[httpx.Response]:
    """All that can be read about a table."""
    paths = (
        "",
        "/play",
        "/record",
        "/frames?perspective=open",
        "/frames?perspective=0",
        "/review?seat=0",
        "/review?seat=1",
    )
    answers = [guest.http.get(f"/api/tables/{table}{path}") for path in paths]
    return [*answers, guest.command(table, "ping")]


def seat_everybody(people: list[Guest], game: str, **settings: Any) -> str:
    """A table with these people on seats 0, 1, ..., waiting for its start."""
    table = people[0].open(game, len(people), **settings)
    for person in people[1:]:
        person.do(table, "join")
    return table


def start(people: list[Guest], table: str) -> None:
    """Salts from everybody, then the start."""
    for seat, person in enumerate(people):
        person.do(table, "salt", salt=f"{seat:064x}")
    people[0].do(table, "start")


def dealt_table(people: list[Guest], game: str, **settings: Any) -> str:
    """A table with these people whose cards are dealt."""
    table = seat_everybody(people, game, **settings)
    start(people, table)
    with people[0].socket(table) as socket:
        socket.until("play")
    return table


def people_in_play(address: str, count: int = 2, **settings: Any) -> tuple[list[Guest], str]:
    """New people at a dealt table of Mantis, seat 0 first."""
    people = [Guest(address, f"Player {n}") for n in range(count)]
    return people, dealt_table(people, "mantis", first_seat=0, **settings)


def play_to_end(people: list[Guest], sockets: list[Socket], choose: Any = min) -> int:
    """Play until the game is over, each seat by its own socket; returns the number of decisions."""
    turn = 0
    while True:
        for socket in sockets:
            socket.until_turn(turn)
        view = sockets[0].play["view"]  # type: ignore[index]
        if view["over"]:
            return turn
        mover = sockets[view["to_act"]]
        legal = mover.play["view"]["legal"]
        mover.send(type="move", turn=turn, action=choose(legal))
        turn += 1
