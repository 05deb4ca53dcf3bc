"""Load: lines 23 to 27 of the list of what can go wrong with a hidden-information table."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import os
import socket as sockets
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, cast

import httpx
import pytest
import structlog
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.server import ServerProtocol

import tavolino
from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.games.bot_runner import BotRunner
from tavolino.server.settings import Limits, Pace
from tavolino.server.table.actor import TableActor
from tavolino.server.table.inbox import Asked, BotChose, Tick
from tavolino.server.transport.connection import Connection
from tavolino.server.transport.handshake import HandshakeProtocol
from tavolino.server.transport.http_protocol import LimitedHttpProtocol
from tavolino.server.transport.websocket import WebSocketProtocol
from tests.server.clients import Guest, Socket, dealt_table, play_to_end, socket_url
from tests.server.conftest import GAMES, GENEROUS, Clock, Server
from tests.server.raw import answer_to

StartServer = Callable[..., Server]


def playing(server: Server, count: int = 2, **wish: Any) -> tuple[list[Guest], str]:
    people = [Guest(server.address, f"Player {n}") for n in range(count)]
    table = dealt_table(people, "mantis", first_seat=0, **wish)
    return people, table


def handshake(server: Server, table: str, token: str, receive_buffer: int = 4096) -> sockets.socket:
    """A raw socket, so that it can refuse to read."""
    host, port = server.address.removeprefix("http://").split(":")
    raw = sockets.socket()
    raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, receive_buffer)
    raw.connect((host, int(port)))
    raw.sendall(
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        f"Authorization: Bearer {token}\r\n\r\n".encode()
    )
    assert b"101" in raw.recv(200)
    hello = json.dumps({"type": "hello"}).encode()
    raw.sendall(bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)
    return raw


def test_threat_23_a_reader_that_never_reads_is_cut_off_and_the_others_play_on(
    start_server: StartServer,
) -> None:
    server = start_server(limits=Limits(**{**_fields(GENEROUS), "waiting_messages": 20})).ready("mantis")
    (listening,) = server._server.servers[0].sockets
    listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, 8_192)  # or buffers hide that nobody reads
    people, table = playing(server)
    silent = handshake(server, table, people[1].token)
    with people[0].socket(table) as socket:
        socket.until("play")
        slowest = 0.0
        for n in range(4_000):
            started = time.perf_counter()
            assert socket.ask(type="react", reaction="wow")["type"] == "accepted"
            slowest = max(slowest, time.perf_counter() - started)
            if n % 50 == 0 and 'code="too-slow"' in people[0].http.get("/metrics").text:
                break
        assert 'tavolino_cut_off_total{code="too-slow"} 1.0' in people[0].http.get("/metrics").text
        assert slowest < 10, "nobody waited for the silent one"
        assert socket.ask(type="move", turn=0, action="score")["type"] == "accepted"
        end = time.monotonic() + 20
        while "tavolino_sockets 1.0" not in people[0].http.get("/metrics").text:  # it is not waited for either
            assert time.monotonic() < end
            time.sleep(0.1)
    silent.close()
    with people[1].socket(table) as back:  # and it can come back
        assert back.until("play")["turn"] == 1


def test_threat_23_a_reader_that_never_reads_does_not_hold_up_the_stop(start_server: StartServer) -> None:
    server = start_server(limits=Limits(**{**_fields(GENEROUS), "waiting_messages": 10**6, "talk_burst": 10**6}))
    (listening,) = server.ready("mantis")._server.servers[0].sockets
    listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, 8_192)
    people, table = playing(server)
    silent = handshake(server, table, people[1].token)
    with people[0].socket(table) as socket:
        socket.until("play")
        while not any(cast(Connection, viewer)._waiting for viewer in server.registry.tables[table].viewers):
            assert socket.ask(type="react", reaction="wow")["type"] == "accepted"
    server.stop()  # and says so if it did not
    silent.close()


def _fields(limits: Limits) -> dict[str, Any]:
    return {name: getattr(limits, name) for name in limits.__struct_fields__}


def test_threat_24_big_frames_and_bodies_are_refused(server: Server, guests: Callable[[int], list[Guest]]) -> None:
    (ada,) = guests(1)
    table = ada.open("mantis", 2)
    socket = ada.socket(table)
    socket.until("table")
    socket.send_raw(json.dumps({"type": "say", "text": "x" * 20_000}))
    assert socket.until("closing")["code"] == "too-big"
    huge = ada.socket(table)
    huge.drain()
    huge.send_raw("x" * 1_000_000)
    huge.drain()
    assert huge.close_code == 1009
    answer = ada.http.post("/api/tables", content=b"[" * 100_000)
    assert answer.status_code == 413
    assert answer.json()["code"] == "too-big"


def test_threat_24_deep_and_broken_json_is_refused(server: Server, guests: Callable[[int], list[Guest]]) -> None:
    (ada,) = guests(1)
    table = ada.open("mantis", 2)
    deep = "[" * 3_000 + "]" * 3_000
    with ada.socket(table) as socket:
        socket.until("table")
        for text in (deep, "{", "null", '{"type":"move"}', '{"type":"no-such"}', '{"type":["hello"]}', "\ud83d"[:0]):
            socket.send_raw(text)
            assert socket.until("refused")["problem"]["code"] == "bad-message"
        assert socket.ask(type="ping")["type"] == "pong"
        for message in ({"type": "no-such"}, {"type": "move", "turn": "x"}, {"type": "join", "seat": 99}, {}):
            assert socket.ask(**message)["problem"]["code"] == "bad-message"  # and the ref comes back
        for ref in (7, None, ["x"], "x" * 41):
            socket.send(type="no-such", ref=ref)
            assert socket.until("refused")["ref"] is None
    for body in (deep.encode(), b"\xff\xfe", b"", b"null", b'{"game":"mantis","seats":1e999}'):
        assert ada.http.post("/api/tables", content=body).json()["code"] == "bad-message"


def test_a_message_in_pieces_is_heard_whole_and_pings_between_them_are_answered(
    server: Server, guests: Callable[[int], list[Guest]]
) -> None:
    (ada,) = guests(1)
    raw = handshake(server, ada.open("mantis", 2), ada.token, receive_buffer=65_536)
    raw.settimeout(10)

    def send(first: int, content: bytes) -> None:
        raw.sendall(bytes([first, 0x80 | len(content), 0, 0, 0, 0]) + content)

    send(0x01, b'{"type":"ping",')
    send(0x89, b"still there?")
    send(0x80, b'"ref":"in pieces"}')
    heard = b""
    while b'{"type":"pong","ref":"in pieces"}' not in heard:
        heard += raw.recv(65_536)
    assert b"\x8a\x0cstill there?" in heard
    raw.close()


def test_threat_24_a_flood_of_messages_is_slowed_and_then_closed(start_server: StartServer) -> None:
    limits = Limits(**{**_fields(GENEROUS), "messages_per_second": 5, "messages_burst": 10})
    server = start_server(limits=limits).ready("mantis")
    ada = Guest(server.address)
    socket = ada.socket(ada.open("mantis", 2))
    # The server closes the connection in the middle of it, so that a late ping may find it closed.
    with contextlib.suppress(ConnectionClosed):
        for _ in range(100):
            socket.send(type="ping")
    refused = [message for message in socket.drain(2.0) if message["type"] == "refused"]
    assert {message["problem"]["code"] for message in refused} == {"too-fast"}
    assert socket.closed == "too-fast"
    assert socket.close_code == 4429


@pytest.mark.parametrize(
    "frames",
    [bytes([0x89, 0xFD, 0, 0, 0, 0]) + bytes(125), bytes([0x8A, 0x80, 0, 0, 0, 0]), bytes([0, 0x80, 0, 0, 0, 0])],
    ids=["pings", "pongs", "empty pieces"],
)
def test_threat_24_a_flood_of_frames_by_somebody_who_never_reads_is_closed_and_nothing_piles_up(
    start_server: StartServer, frames: bytes
) -> None:
    server = start_server(limits=Limits())
    (listening,) = server.ready("mantis")._server.servers[0].sockets
    listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, 8_192)
    ada = Guest(server.address)
    raw = handshake(server, ada.open("mantis", 2), ada.token)
    raw.settimeout(20)
    raw.sendall(bytes([0x01, 0x80, 0, 0, 0, 0]))  # a message begins, for the pieces
    flood = frames * 500
    with raw, contextlib.suppress(ConnectionResetError, BrokenPipeError):
        end = time.monotonic() + 30
        while time.monotonic() < end:  # until the server closes the connection
            raw.sendall(flood)
    assert 'tavolino_cut_off_total{code="too-fast"} 1.0' in ada.http.get("/metrics").text


def test_threat_24_floods_of_tables_people_requests_and_sockets_have_limits(start_server: StartServer) -> None:
    fields = {**_fields(GENEROUS), "tables_per_person": 3, "people_per_hour": 4, "sockets_per_person": 2, "watching": 1}
    server = start_server(limits=Limits(**fields)).ready("mantis")
    ada, bruno, carla, dora = (Guest(server.address, name) for name in ("Ada", "Bruno", "Carla", "Dora"))
    assert httpx.post(f"{server.address}/api/me", json={"name": "Fifth"}).json()["code"] == "too-many-people"
    tables = [ada.open("mantis", 2) for _ in range(3)]
    fourth = ada.http.post("/api/tables", json={"game": "mantis", "seats": 2})
    assert fourth.status_code == 429
    assert fourth.json()["code"] == "too-many-tables"
    ada.do(tables[0], "leave")
    ada.open("mantis", 2)
    with ada.socket(tables[1]) as one, ada.socket(tables[1]) as two:
        one.until("table")
        two.until("table")
        third = ada.socket(tables[1])
        assert third.until("refused")["problem"]["code"] == "too-many-sockets"
    with bruno.socket(tables[1]) as watching:
        watching.until("table")
        assert carla.socket(tables[1]).until("refused")["problem"]["code"] == "too-many-watching"
    dora.do(tables[1], "join")


def test_threat_24_floods_of_joins_and_other_changes_have_limits(start_server: StartServer) -> None:
    fields = {**_fields(GENEROUS), "changes_per_minute": 1, "changes_burst": 20, "tables_per_person": 2}
    server = start_server(limits=Limits(**fields)).ready("mantis")
    ada, bruno, carla = (Guest(server.address, name) for name in ("Ada", "Bruno", "Carla"))
    tables = [ada.open("mantis", 2), ada.open("mantis", 2), bruno.open("mantis", 2)]
    for table in tables[:2]:
        carla.do(table, "join")
    assert carla.command(tables[2], "join").json()["code"] == "too-many-tables"
    with carla.socket(tables[0]) as socket:
        socket.until("table")
        for n in range(30):
            socket.send(type=("leave", "join")[n % 2], ref=str(n))
        answers = [socket.until("refused") for _ in range(12)]
    assert {answer["problem"]["code"] for answer in answers} == {"too-fast"}
    assert server.registry.tables[tables[0]].state.number < 30
    ada.do(tables[1], "kick", seat=1)  # the others go on


def test_threat_24_too_many_requests_are_refused_and_say_when_to_come_back(start_server: StartServer) -> None:
    fields = {**_fields(GENEROUS), "requests_per_second": 1, "requests_burst": 20}
    server = start_server(limits=Limits(**fields))
    answers = [httpx.get(f"{server.address}/api/me") for _ in range(40)]
    assert {answer.status_code for answer in answers} == {401, 429}
    assert all("retry-after" in answer.headers for answer in answers if answer.status_code == 429)


@pytest.mark.parametrize("path", ["/api/me", "/api/docs", "/api/openapi.json", "/healthz", "/metrics", "/", "/x.js"])
def test_threat_24_a_flood_of_requests_costs_connections_too(start_server: StartServer, path: str) -> None:
    """A refusal costs the server as much as an answer, so the first one ends the connection; and new ones of one
    address have a rate of their own."""
    few = {"requests_per_second": 0.001, "requests_burst": 20, "files_per_second": 0.001, "files_burst": 20}
    server = start_server(limits=Limits(**{**_fields(GENEROUS), **few}))
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    answered = answer_to(server, request * 50)
    refused = answered.count(b"HTTP/1.1 429 ")
    assert refused == 1
    assert answered.count(b"HTTP/1.1 ") == 21
    assert b"connection: close" in answered.split(b"HTTP/1.1 429 ")[1].lower()
    assert answer_to(server, request * 50).count(b"HTTP/1.1 ") == 1


def test_threat_24_sockets_that_come_and_go_are_limited_as_requests_are(start_server: StartServer) -> None:
    fields = {**_fields(GENEROUS), "requests_per_second": 0.01, "requests_burst": 20}
    server = start_server(limits=Limits(**fields)).ready("mantis")
    ada = Guest(server.address)
    table = ada.open("mantis", 2)
    with pytest.raises(InvalidStatus) as refused:  # noqa: PT012
        for _ in range(40):
            ada.socket(table).close()
    assert refused.value.response.status_code == 429
    assert refused.value.response.headers["Retry-After"]


def test_threat_24_memory_stays_flat_under_nonsense(server: Server, guests: Callable[[int], list[Guest]]) -> None:
    (ada,) = guests(1)
    table = ada.open("mantis", 2)
    with ada.socket(table) as socket:
        socket.until("table")
        live = server.registry.tables[table]
        entries = live.state.number
        for n in range(500):
            ada.command(table, "react", reaction="wow") if n % 2 else ada.command(table, "kick", seat=1)
        assert live.state.number == entries
        assert len(live.chat.heard_by(None, frozenset())) <= 60


def test_threat_24_tables_and_sockets_that_are_done_leave_nothing_for_the_collector(start_server: StartServer) -> None:
    """It runs only once a minute: until then a busy server would keep everything that has ended."""
    server = start_server()
    for game in GAMES:
        server.ready(game)
    time.sleep(1)  # when all games are ready the server itself collects once

    def alive() -> list[Any]:
        kinds = (
            TableActor,
            Match,
            Connection,
            WebSocketProtocol,
            HandshakeProtocol,
            ServerProtocol,
            LimitedHttpProtocol,
        )
        return [thing for thing in gc.get_objects() if isinstance(thing, kinds)]

    gc.collect()
    gc.disable()
    try:
        before = alive()
        people, table = playing(server)
        seated = [person.socket(table) for person in people]
        play_to_end(people, seated)
        for socket in seated:
            socket.close()
        end = time.monotonic() + 20
        while table in server.registry.tables:
            assert time.monotonic() < end
            time.sleep(0.02)
        left = alive()
        while left and time.monotonic() < end:  # until the last socket is closed on both sides
            known = {id(thing) for thing in [*before, *server._server.server_state.connections]}
            left = [thing for thing in alive() if id(thing) not in known]
        assert left == []
    finally:
        gc.enable()


def one_worker(pace: Pace) -> tuple[BotRunner, Match]:
    """A single worker with everything compiled, and a game to search."""

    async def at_once(game: str, level: str) -> None:
        pass

    return BotRunner(1, pace, at_once, structlog.get_logger()), tavolino.load("mantis").start(2, "thinking")


def test_threat_25_a_bot_that_thinks_too_long_is_answered_for_at_its_deadline(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tavolino.server.games import bot_runner

    release = threading.Event()
    monkeypatch.setattr(bot_runner, "_search", lambda *rest: release.wait(20) and "score")
    bots, match = one_worker(Pace(0, 0, deadline=0.2))
    started = time.monotonic()
    action = server.run(lambda: bots.choose(match, 0, "hard"))
    release.set()
    assert action in match.legal()
    assert time.monotonic() - started < 5
    assert bots.too_late == 1
    bots.stop()


def test_threat_25_a_queue_makes_bots_slow_but_not_stupid(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a pace, the deadline counts from the start of the search, not from the start of the wait."""
    from tavolino.server.games import bot_runner

    def think(*rest: object) -> str:
        time.sleep(0.3)
        return "score"

    monkeypatch.setattr(bot_runner, "_search", think)
    bots, match = one_worker(Pace(0, 0, deadline=2.0))

    async def many() -> list[str]:
        return await asyncio.gather(*(bots.choose(match, 0, "hard") for _ in range(10)))

    assert server.run(many) == ["score"] * 10
    assert bots.too_late == 0
    bots.stop()


def test_threat_25_hints_make_no_bot_wait(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    from tavolino.server.games import bot_runner

    release = threading.Event()
    monkeypatch.setattr(bot_runner, "_hint", lambda *rest: release.wait(20) and ("score", 0.5))
    monkeypatch.setattr(bot_runner, "_search", lambda *rest: "score")
    bots, match = one_worker(Pace(0, 0))

    async def ask() -> str:
        hints = [asyncio.create_task(bots.hint(match, 0, 10)) for _ in range(bot_runner.MOST_HINTS)]
        action = await bots.choose(match, 0, "hard")
        assert not bots.can_hint
        release.set()
        await asyncio.gather(*hints)
        assert bots.can_hint
        return action

    assert server.run(ask) == "score"
    bots.stop()


def test_threat_24_a_crowd_cannot_keep_a_bots_choice_out(start_server: StartServer) -> None:
    """A busy table refuses commands of people, but never the choices of its own bots."""
    server = start_server().ready("mantis")
    people, table = playing(server)
    live = server.registry.tables[table]
    answers: list[Any] = []

    def crowd() -> list[int]:
        most = server.settings.limits.inbox
        for n in range(2 * most):
            live.post(Asked(f"somebody {n}", p.Ping(), answers.append))
        before = len(live._inbox)
        live.post(BotChose(0, 0, "score"))
        live.post(Tick())
        return [most, before, len(live._inbox)]

    most, before, after = server.run(crowd)
    assert before == most
    assert after == most + 2
    assert any(isinstance(answer, p.Refused) for answer in answers)
    assert people


def test_threat_24_one_person_cannot_fill_the_inbox(start_server: StartServer) -> None:
    server = start_server().ready("mantis")
    people, table = playing(server)
    live = server.registry.tables[table]

    def one() -> list[Any]:
        answers: list[Any] = []
        for _ in range(server.settings.limits.inbox):
            live.post(Asked("loud", p.Ping(), answers.append))
        live.post(Asked("quiet", p.Ping(), answers.append))
        return [len(live._inbox), answers]

    waiting, answers = server.run(one)
    assert waiting < server.settings.limits.inbox // 4
    assert len(answers) > server.settings.limits.inbox // 2
    assert people


def test_threat_25_moves_go_on_while_every_worker_is_busy(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tavolino.server.games import bot_runner

    release = threading.Event()
    monkeypatch.setattr(bot_runner, "_choose", lambda *rest: release.wait(20) and "score")
    server = start_server(bot_workers=1).ready("mantis")
    ada = Guest(server.address)
    for _ in range(3):
        ada.http.post("/api/play-now", json={"game": "mantis", "level": "random", "seats": 2})
    people, table = playing(server)
    for turn in range(4):
        seat = server.registry.tables[table].to_act
        assert seat is not None
        started = time.monotonic()
        people[seat].do(table, "move", turn=turn, action="score")
        assert time.monotonic() - started < 10, "it waited for the bots"
    release.set()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a thread has no priority of its own")
def test_threat_25_bots_take_what_the_event_loop_leaves(server: Server) -> None:
    def niceness() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    worker = server.context.bots._pool.submit(niceness).result(10)
    assert worker >= 10
    assert server.run(niceness) == niceness() < 10


def test_threat_26_a_half_open_handshake_is_closed(start_server: StartServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LimitedHttpProtocol, "head_seconds", 0.3)
    server = start_server()
    host, port = server.address.removeprefix("http://").split(":")
    for beginning in (b"", b"GET /api/games HT", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "):
        raw = sockets.create_connection((host, int(port)))
        raw.settimeout(5)
        raw.sendall(beginning)
        with raw, contextlib.suppress(ConnectionResetError):
            assert raw.recv(10) == b""


def is_connected(server: Server, raw: sockets.socket) -> bool:
    return raw.getsockname() in [
        getattr(each, "client", None) for each in tuple(server._server.server_state.connections)
    ]


@pytest.mark.parametrize("last", ["", "Connection: close\r\n"], ids=["kept open", "closed by us"])
def test_threat_26_a_client_that_never_reads_its_answers_is_closed(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    monkeypatch.setattr(LimitedHttpProtocol, "reading_seconds", 0.5)
    server = start_server()
    host, port = server.address.removeprefix("http://").split(":")
    (listening,) = server._server.servers[0].sockets
    listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, 8_192)
    for size in (1, 60):  # answers within what is buffered without a word, and beyond
        raw = sockets.socket()
        raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4_096)
        raw.connect((host, int(port)))
        ask = "GET /api/texts/en HTTP/1.1\r\nHost: localhost\r\n"
        raw.sendall((f"{ask}\r\n" * (size - 1) + f"{ask}{last}\r\n").encode())
        end = time.monotonic() + 15
        while not is_connected(server, raw):
            assert time.monotonic() < end
        while is_connected(server, raw):
            assert time.monotonic() < end, "still there"
            time.sleep(0.05)
        raw.close()


def test_threat_26_a_client_that_reads_slowly_gets_all_of_its_answer(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LimitedHttpProtocol, "reading_seconds", 0.5)
    server = start_server()
    host, port = server.address.removeprefix("http://").split(":")
    (listening,) = server._server.servers[0].sockets
    listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, 8_192)
    whole = len(httpx.get(f"{server.address}/api/texts/en", headers={"Accept-Encoding": "identity"}).content)
    with sockets.socket() as raw:
        raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4_096)
        raw.connect((host, int(port)))
        raw.sendall(b"GET /api/texts/en HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        heard = 0
        while some := raw.recv(whole // 40):
            heard += len(some)
            time.sleep(0.05)
    assert heard > whole


def test_threat_26_a_socket_that_says_no_hello_or_nothing_for_long_is_closed(start_server: StartServer) -> None:
    limits = Limits(**{**_fields(GENEROUS), "hello_seconds": 0.3, "idle_seconds": 2.0})
    server = start_server(limits=limits).ready("mantis")
    ada = Guest(server.address)
    table = ada.open("mantis", 2)
    rude = ada.socket(table, hello=False)
    assert rude.until("closing")["code"] == "too-quiet"
    babbling = ada.socket(table, hello=False)
    end = time.monotonic() + 20
    with contextlib.suppress(ConnectionClosed):
        while time.monotonic() < end:  # nonsense is no hello
            babbling.send(type="ping")
            babbling.until("refused")
            time.sleep(0.05)
    babbling.drain()
    assert babbling.closed == "too-quiet"
    quiet = ada.socket(table)
    quiet.until("table")
    assert quiet.until("closing")["code"] == "too-quiet"
    lively = ada.socket(table)
    for _ in range(5):
        time.sleep(0.5)
        assert lively.ask(type="ping")["type"] == "pong"


def test_threat_26_many_sockets_from_one_address_have_a_limit(start_server: StartServer) -> None:
    limits = Limits(**{**_fields(GENEROUS), "sockets_per_address": 3})
    server = start_server(limits=limits).ready("mantis")
    ada = Guest(server.address)
    table = ada.open("mantis", 2)
    for _ in range(3):
        Socket(socket_url(server.address, table), ada.headers).until("table")
    fourth = Socket(socket_url(server.address, table), ada.headers, hello=False)
    assert fourth.until("closing")["code"] == "too-many-sockets"


def test_two_servers_in_one_process_count_their_sockets_apart(
    start_server: StartServer, tmp_path_factory: pytest.TempPathFactory
) -> None:
    limits = Limits(**{**_fields(GENEROUS), "sockets_per_address": 1})
    for name in ("one", "two"):
        server = start_server(tmp_path_factory.mktemp(name), limits=limits).ready("mantis")
        ada = Guest(server.address)
        ada.socket(ada.open("mantis", 2)).until("table")


def test_threat_27_a_page_that_loads_again_is_no_absence(start_server: StartServer) -> None:
    """Otherwise a losing player could use that second to have a bot move for the other, or to end the game."""
    clock = Clock()
    server = start_server(clock=clock, pace=Pace(600, 0)).ready("mantis")
    (ada, bruno), table = playing(server)
    live = server.registry.tables[table]
    with ada.socket(table) as here:
        here.until("play")
        with bruno.socket(table) as there:
            there.until("play")
        while len(live.viewers) > 1:
            here.receive()
        assert ada.command(table, "stand-in", seat=1, agree=True).json()["code"] == "player-is-here"
        clock.advance(61)
        ada.do(table, "stand-in", seat=1, agree=True)
        assert live.state.places[1].stand_in
        ada.do(table, "agree-end", agree=True)
        assert live.state.phase == "playing", "the other may be back any moment"
        clock.advance(3_600)
        ada.do(table, "agree-end", agree=False)
        ada.do(table, "agree-end", agree=True)
        assert live.state.phase == "ended"


def test_threat_27_the_others_agree_on_a_stand_in_and_the_player_gets_the_seat_back(
    start_server: StartServer,
) -> None:
    server = start_server().ready("mantis")
    people, table = playing(server, 3)
    ada, bruno, celina = people
    with ada.socket(table) as one, bruno.socket(table) as two:
        one.until("play")
        two.until("play")
        refused = ada.command(table, "stand-in", seat=1, agree=True)
        assert refused.json()["code"] == "player-is-here"
        celina.do(table, "leave")
        ada.do(table, "stand-in", seat=2, agree=True)
        assert not server.registry.tables[table].state.places[2].stand_in, "one vote of two is not enough"
        bruno.do(table, "stand-in", seat=2, agree=True)
        assert server.registry.tables[table].state.places[2].stand_in
        ada.do(table, "move", turn=0, action="score")
        bruno.do(table, "move", turn=1, action="score")
        one.until_turn(3)  # the bot has moved for seat 2
    with celina.socket(table) as back:
        back.until("play")
        while back.table is None or back.table["seats"][2]["stand_in"]:
            back.until("table")
        assert not back.table["seats"][2]["away"]
