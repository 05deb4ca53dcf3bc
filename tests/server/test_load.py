"""Load (threats 23 and 24 of docs/threats.md)."""

from __future__ import annotations

import contextlib
import gc
import json
import socket as sockets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.server import ServerProtocol

from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.access import LOADING
from tavolino.server.kernel.actor import TableActor
from tavolino.server.kernel.inbox import Asked, BotChose, Tick
from tavolino.server.rate_limit import AS_MANY_SOCKETS
from tavolino.server.settings import Limits
from tavolino.server.transport.connection import Connection
from tavolino.server.transport.handshake import HandshakeProtocol
from tavolino.server.transport.http_protocol import LimitedHttpProtocol
from tavolino.server.transport.websocket import WebSocketProtocol
from tests.server.clients import Guest, people_in_play, play_to_end, seat_everybody, start, watch
from tests.server.conftest import GAMES, GENEROUS, Server
from tests.server.raw import answer_to, dial, upgrade, wait_until

StartServer = Callable[..., Server]


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
    server = start_server(limits=replace(GENEROUS, waiting_messages=20)).ready("mantis")
    (listening,) = server._server.servers[0].sockets
    listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, 8_192)  # otherwise buffers hide that nobody reads
    people, table = people_in_play(server.address)
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


@pytest.mark.slow
def test_threat_23_a_reader_that_never_reads_does_not_hold_up_the_stop(start_server: StartServer) -> None:
    server = start_server(limits=replace(GENEROUS, waiting_messages=10**6, talk_burst=10**6))
    (listening,) = server.ready("mantis")._server.servers[0].sockets
    listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, 8_192)
    people, table = people_in_play(server.address)
    silent = handshake(server, table, people[1].token)
    with people[0].socket(table) as socket:
        socket.until("play")
        while not any(cast(Connection, viewer)._waiting for viewer in server.registry.tables[table].viewers):
            assert socket.ask(type="react", reaction="wow")["type"] == "accepted"
    server.stop()  # and says so if it did not
    silent.close()


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
    limits = replace(GENEROUS, messages_per_second=5, messages_burst=10)
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


def test_threat_24_all_sockets_of_one_address_together_have_a_limit_of_messages(start_server: StartServer) -> None:
    """An address may have hundreds of sockets, and each of them a limit of its own."""
    server = start_server(limits=replace(GENEROUS, messages_per_second=0.001, messages_burst=4)).ready("mantis")
    ada = Guest(server.address)
    table = ada.open("mantis", 2)
    codes: list[str] = []
    with contextlib.ExitStack() as open_sockets:
        for _ in range(30):
            socket = open_sockets.enter_context(watch(server.address, table))  # says hello
            codes += [socket.ask(type="ping").get("problem", {}).get("code", "answered") for _ in range(3)]
    assert codes == ["answered"] * 3 * AS_MANY_SOCKETS + ["too-fast"] * 3 * (30 - AS_MANY_SOCKETS)
    server.context.limits.messages.take("192.0.2.1")  # others have their own


@pytest.mark.parametrize("is_http", [False, True], ids=["socket", "http"])
def test_threat_61_notebooks_count_as_work_of_whoever_asks(start_server: StartServer, is_http: bool) -> None:
    server = start_server(limits=replace(GENEROUS, work_per_second=0.001, work_burst=2)).ready("mantis")
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = seat_everybody(people, "mantis", first_seat=0)
    start(people, table)
    with people[0].socket(table) as socket:
        socket.until("play")
        codes: list[str] = []
        for _ in range(200):
            if is_http:
                codes.append(people[0].command(table, "notebook").json().get("code", "answered"))
            else:
                codes.append(socket.ask(type="notebook").get("problem", {}).get("code", "answered"))
        assert codes[0] == "answered"
        assert codes[-1] == "too-fast"
        assert socket.ask(type="move", turn=0, action="score")["type"] == "accepted", "moves are not counted"


def test_threat_61_what_it_takes_to_find_out_whether_a_move_can_be_taken_back_counts_as_work(
    start_server: StartServer,
) -> None:
    server = start_server(limits=replace(GENEROUS, work_per_second=0.001, work_burst=60)).ready("splendor-marvel")
    ada, bruno = people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = seat_everybody(people, "splendor-marvel", first_seat=0)
    start(people, table)
    with ada.socket(table) as socket:
        socket.until("play")
    ada.do(table, "move", turn=0, action="take yellow blue red")
    codes = []
    for _ in range(60):
        codes.append(ada.command(table, "take-back", turn=1).json().get("code", "answered"))
        bruno.command(table, "answer-take-back", agree=False)
        if codes[-1] == "too-fast":
            break
        server.registry.tables[table].state.slices.clear()  # as if nobody had declined
    assert codes[0] == "answered"
    assert codes[-1] == "too-fast"


@pytest.mark.parametrize("way", ["", "/review?seat=0", "/play-on", "/socket"])
def test_threat_61_tables_that_must_be_loaded_count_as_work_on_every_way_to_them(
    start_server: StartServer, tmp_path: Path, way: str
) -> None:
    server = start_server(tmp_path / "data")
    ada = Guest(server.address)
    tables = [ada.open("mantis", 2) for _ in range(3)]
    server.stop()
    server = start_server(tmp_path / "data", limits=replace(GENEROUS, work_per_second=0.001, work_burst=LOADING + 1))

    def ask(table: str) -> int:
        path = f"/api/tables/{table}{way}"
        if way == "/socket":
            with dial(server) as raw:
                raw.sendall(upgrade(server, path))
                return int(raw.recv(1_000).split(b" ")[1])
        method, body = ("POST", {"turn": 0, "seat": 0}) if way == "/play-on" else ("GET", None)
        return httpx.request(method, server.address + path, json=body, headers=ada.headers).status_code

    asked = [ask(table) for table in tables]
    assert 429 not in asked[:2]
    assert asked[2] == 429
    wait_until(lambda: tables[0] in server.registry.tables)
    assert ask(tables[0]) != 429, "it is in memory now"


@pytest.mark.parametrize(
    "frames",
    [
        bytes([0x89, 0xFD, 0, 0, 0, 0]) + bytes(125),
        pytest.param(bytes([0x8A, 0x80, 0, 0, 0, 0]), marks=pytest.mark.slow),
        pytest.param(bytes([0, 0x80, 0, 0, 0, 0]), marks=pytest.mark.slow),
    ],
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
    limits = replace(GENEROUS, tables_per_person=3, people_per_hour=4, sockets_per_person=2, watching=1)
    server = start_server(limits=limits).ready("mantis")
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
    limits = replace(GENEROUS, changes_per_minute=1, changes_burst=20, tables_per_person=2)
    server = start_server(limits=limits).ready("mantis")
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
    limits = replace(GENEROUS, requests_per_second=1, requests_burst=20)
    server = start_server(limits=limits)
    answers = [httpx.get(f"{server.address}/api/me") for _ in range(40)]
    assert {answer.status_code for answer in answers} == {401, 429}
    assert all("retry-after" in answer.headers for answer in answers if answer.status_code == 429)


@pytest.mark.parametrize(
    "path", ["/api/me", "/api/docs", "/api/openapi.json", "/healthz", "/readyz", "/livez", "/metrics", "/", "/x.js"]
)
def test_threat_24_a_flood_of_requests_costs_connections_too(start_server: StartServer, path: str) -> None:
    """A refusal costs the server as much as an answer, so the first one ends the connection; and new ones of one
    address have a rate of their own."""
    few = {"requests_per_second": 0.001, "requests_burst": 20, "files_per_second": 0.001, "files_burst": 20}
    server = start_server(limits=replace(GENEROUS, **few))
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    answered = answer_to(server, request * 50)
    refused = answered.count(b"HTTP/1.1 429 ")
    assert refused == 1
    assert answered.count(b"HTTP/1.1 ") == 21
    assert b"connection: close" in answered.split(b"HTTP/1.1 429 ")[1].lower()
    assert answer_to(server, request * 50).count(b"HTTP/1.1 ") == 1


def test_threat_24_sockets_that_come_and_go_are_limited_as_requests_are(start_server: StartServer) -> None:
    limits = replace(GENEROUS, requests_per_second=0.01, requests_burst=20)
    server = start_server(limits=limits).ready("mantis")
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
        assert len(live.attached["chat"]) <= 60


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
        people, table = people_in_play(server.address)
        seated = [person.socket(table) for person in people]
        play_to_end(people, seated)
        for socket in seated:
            socket.close()
        end = time.monotonic() + 20
        while table in server.registry.tables:
            assert time.monotonic() < end
            time.sleep(0.02)

        def names_left() -> list[str]:  # names alone: a list of the things themselves would keep them
            known = {id(thing) for thing in [*before, *server._server.server_state.connections]}
            return [type(thing).__name__ for thing in alive() if id(thing) not in known]

        while (left := names_left()) and time.monotonic() < end:  # until the last socket is closed on both sides
            time.sleep(0.02)
        assert left == []
    finally:
        gc.enable()


def test_threat_24_a_crowd_cannot_keep_a_bots_choice_out(start_server: StartServer) -> None:
    """A busy table refuses commands of people, but never the choices of its own bots."""
    server = start_server().ready("mantis")
    people, table = people_in_play(server.address)
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
    people, table = people_in_play(server.address)
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
