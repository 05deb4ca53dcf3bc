"""Access (threats 11 to 16 of docs/threats.md)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from tavolino.server import features
from tavolino.server.people.identities import hashed
from tavolino.server.storage import StorageError
from tavolino.server.storage.opening import FILE
from tests.server.clients import Guest, Socket, seat_everybody, socket_url, start
from tests.server.conftest import Server

Guests = Callable[[int], list[Guest]]

EVERY_COMMAND: list[dict[str, Any]] = [
    {"type": "move", "turn": 0, "action": "score"},
    {"type": "join"},
    {"type": "leave"},
    {"type": "sit", "seat": 1},
    {"type": "sit", "seat": 1, "from_seat": 0},
    {"type": "kick", "seat": 1},
    {"type": "set-bot", "seat": 1, "level": "random"},
    {
        "type": "settings",
        "seats": 2,
        "options": {},
        "first_seat": None,
        "public": True,
        "seconds_per_move": None,
        "hints": True,
    },
    {"type": "salt", "salt": "f" * 64},
    {"type": "start"},
    {"type": "ready", "ready": True},
    {"type": "avatar", "avatar": 1},
    {"type": "invite", "table": "x" * 22, "seat": 0},
    {"type": "invite-circle", "circle": "x"},
    {"type": "decline"},
    {"type": "webhook", "url": None},
    {"type": "resign"},
    {"type": "agree-end", "agree": True},
    {"type": "stand-in", "seat": 0, "agree": True},
    {"type": "back"},
    {"type": "rematch"},
    {"type": "remark", "key": "stones"},
    {"type": "notebook"},
    {"type": "hint"},
    {"type": "plan", "moves": [], "orders": [], "forced": False},
    {"type": "offers"},
    {"type": "vacation", "days": 1},
    {"type": "take-back", "turn": 0},
    {"type": "answer-take-back", "agree": True},
    {"type": "watch"},
    {"type": "lead", "at": {"move": 0}},
    {"type": "take-lead"},
    {"type": "give-lead", "to": "x"},
    {"type": "try", "variation": None, "move": 0, "action": "score"},
    {"type": "play-out", "variation": None, "move": 0, "decisions": 1},
    {"type": "drop-variation", "variation": "x"},
    {"type": "note", "variation": None, "move": 0, "text": "Hello"},
    {"type": "drop-note", "note": "x"},
    {"type": "hello"},
]
REFUSALS = {"not-seated", "not-host", "not-waiting", "not-playing", "still-playing", "bad-message"}
CHANGES_NOTHING = {"mute", "say", "react", "ping"}  # anybody may do these, for themselves


def test_the_list_of_commands_is_complete() -> None:
    tags = {kind.__struct_config__.tag for kind in features.commands()}
    assert tags == {message["type"] for message in EVERY_COMMAND} | CHANGES_NOTHING


@pytest.mark.parametrize("message", EVERY_COMMAND, ids=lambda message: message["type"])
def test_threat_11_every_message_on_a_strangers_socket_is_refused_and_changes_nothing(
    server: Server, guests: Guests, message: dict[str, Any]
) -> None:
    ada, bruno, stranger = guests(3)
    table = seat_everybody([ada, bruno], "mantis", first_seat=0)
    start([ada, bruno], table)
    with ada.socket(table) as playing:
        playing.until("play")
    before = server.registry.tables[table].state
    kept = before.number, before.phase, list(before.actions)
    with stranger.socket(table) as socket:
        socket.until("play")
        socket.send(**message)
        refused = socket.until("refused")
        assert refused["problem"]["code"] in REFUSALS
    after = server.registry.tables[table].state
    assert (after.number, after.phase, list(after.actions)) == kept


def test_threat_11_the_other_players_socket_cannot_move_for_whoever_is_asked(server: Server, guests: Guests) -> None:
    ada, bruno = guests(2)
    table = seat_everybody([ada, bruno], "mantis", first_seat=0)
    start([ada, bruno], table)
    with bruno.socket(table) as socket:
        socket.until("play")
        answer = socket.ask(type="move", turn=0, action="score")
        assert answer["problem"]["code"] == "not-your-turn"
        socket.send_raw(json.dumps({"type": "move", "turn": 0, "action": "score", "seat": 0}))
        assert socket.until("refused")["problem"]["code"] == "bad-message"
    assert server.registry.tables[table].turn == 0


def test_threat_12_tokens_are_long_random_and_only_their_hash_is_kept(server: Server, guests: Guests) -> None:
    people = guests(3)
    assert len({person.token for person in people}) == 3
    assert all(len(person.token) >= 43 for person in people)  # 256 bits
    server.run(lambda: None)
    files = list(server.settings.data.glob(f"{FILE}*"))
    stored = b"".join(file.read_bytes() for file in files)
    for person in people:
        assert person.token.encode() not in stored
        assert hashed(person.token) in stored


def test_threat_12_a_return_link_keeps_its_code_out_of_paths(guests: Guests) -> None:
    (ada,) = guests(1)
    link = ada.http.post("/api/me/link").json()
    assert link["path"] == f"/return#{link['code']}"
    assert len(link["code"]) >= 32


def test_threat_13_another_sites_page_can_neither_connect_nor_post(server: Server, guests: Guests) -> None:
    (ada,) = guests(1)
    table = ada.open("mantis", 2)
    evil = {**ada.headers, "Origin": "https://evil.example"}
    with pytest.raises(InvalidStatus) as refused:
        Socket(socket_url(server.address, table), evil)
    assert refused.value.response.status_code == 403
    for method, path in (("POST", "/api/me"), ("POST", "/api/tables"), ("DELETE", "/api/me")):
        answer = ada.http.request(method, path, json={"name": "Eve"}, headers={"Origin": "https://evil.example"})
        assert answer.status_code == 403
        assert answer.json()["code"] == "wrong-origin"
    assert ada.http.get("/api/me").json()["name"] == "Ada"
    own = ada.http.post("/api/me", json={"name": "Ada"}, headers={"Origin": server.address})
    assert own.status_code == 200


def test_threat_13_the_cookie_is_for_our_own_page_alone(server: Server) -> None:
    answer = httpx.post(f"{server.address}/api/me", json={"name": "Ada"})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "path=/" in cookie
    assert "token" not in answer.json() or answer.json()["token"] is None


def test_threat_13_behind_https_the_cookie_is_secure_and_foreign_hosts_are_refused(
    start_server: Callable[..., Server],
) -> None:
    server = start_server(public_url="https://tavolino.example")
    good = {"Origin": "https://tavolino.example"}
    answer = httpx.post(f"{server.address}/api/me", json={"name": "Ada"}, headers=good)
    assert "secure" in answer.headers["set-cookie"].lower()
    assert "max-age" in answer.headers["strict-transport-security"]
    rebound = {"Origin": server.address}
    assert httpx.post(f"{server.address}/api/me", json={"name": "Ada"}, headers=rebound).status_code == 403


def test_threat_13_no_page_may_frame_ours(server: Server) -> None:
    for path in ("/", "/api/games", "/healthz", "/api/docs", "/t/anything"):
        headers = httpx.get(server.address + path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-frame-options"] == "DENY"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_threat_14_a_refused_socket_receives_nothing_of_a_whole_game(server: Server, guests: Guests) -> None:
    ada, bruno, stranger = guests(3)
    table = seat_everybody([ada, bruno], "mantis", first_seat=0)
    silent = stranger.socket(table, hello=False)  # connected, but not authenticated
    start([ada, bruno], table)
    with ada.socket(table) as socket:
        socket.until("play")
    live = server.registry.tables[table]
    for _ in range(10):
        seat = live.to_act
        if seat is None:
            break
        (ada, bruno)[seat].do(table, "move", turn=live.turn, action=live.match.legal()[0])  # type: ignore[union-attr]
    assert silent.drain(0.5) == []


@pytest.mark.parametrize("message", [*EVERY_COMMAND[:-1], {"type": "ping"}], ids=lambda message: message["type"])
def test_threat_14_nothing_is_done_for_a_socket_that_has_not_said_hello(
    server: Server, guests: Guests, message: dict[str, Any]
) -> None:
    (ada,) = guests(1)
    table = ada.open("mantis", 2)
    before = server.registry.tables[table].state.number
    with ada.socket(table, hello=False) as socket:
        socket.send(**message)
        assert socket.receive()["problem"]["code"] == "bad-message"
        assert server.registry.tables[table].state.number == before
        socket.send(type="hello")
        socket.until("table")


def test_threat_15_foreign_ids_on_every_route_give_no_view(server: Server, guests: Guests) -> None:
    (ada,) = guests(1)
    for table in ("nothing", "A" * 22, "%2e%2e%2fetc", "A" * 500, "' OR 1=1 --"):
        for path in ("", "/play", "/record", "/frames", "/review"):
            answer = ada.http.get(f"/api/tables/{table}{path}")
            assert answer.status_code in (404, 307), (table, path, answer.text)
            assert "view" not in answer.text
        assert ada.command(table, "join").status_code in (404, 405)
    for path in ("/api/tutorials/chess", "/api/rules/chess/en", "/api/texts/xx", "/api/rules/mantis/xx"):
        assert ada.http.get(path).status_code == 404
    with ada.socket("A" * 22, hello=False) as socket:
        assert socket.until("closing")["code"] == "no-such-table"
        socket.drain()
        assert socket.close_code == 4404


def test_threat_16_script_in_names_and_talk_travels_as_text_under_a_strict_policy(
    server: Server, guests: Guests
) -> None:
    ada, bruno = guests(2)
    script = "<img src=x onerror=1>"
    assert ada.http.post("/api/me", json={"name": script}).status_code == 200
    table = seat_everybody([ada, bruno], "mantis")
    with bruno.socket(table) as socket:
        assert socket.until("table")["table"]["seats"][0]["name"] == script
        ada.do(table, "say", text="<script>alert(1)</script>")
        said = socket.until("talk")["said"] or socket.until("talk")["said"]
        assert said[0]["text"] == "<script>alert(1)</script>"
    answer = ada.http.get(f"/api/tables/{table}")
    assert answer.headers["content-type"] == "application/json"
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe-inline" not in policy.split("script-src")[1].split(";")[0]
    assert "unsafe-eval" not in policy


def test_a_socket_whose_person_cannot_be_read_is_refused_with_a_sentence(
    server: Server, guests: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL is not reachable for a moment: the socket is refused like any other request, without a traceback."""
    (ada,) = guests(1)
    table = ada.open("mantis", 2)

    async def away(token: str | None) -> None:
        raise StorageError("PostgreSQL does not answer")

    with monkeypatch.context() as broken:
        broken.setattr(server.context.people, "recognise", away)
        with pytest.raises(InvalidStatus) as refused:
            ada.socket(table)
    assert json.loads(refused.value.response.body or b"")["code"] == "storage-failed"
    with ada.socket(table) as socket:
        socket.until("table")
