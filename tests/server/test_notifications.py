"""Notifications when it is somebody's turn: what the server sends, to whom, and what it never sends.

The receiver is a real HTTP server on loopback that decrypts messages as a browser would; the allow-list of these
servers permits it.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from tavolino.server.features.notifications import addresses
from tavolino.server.features.notifications import post as posting
from tavolino.server.features.notifications.addresses import AllowedAddresses, Forbidden
from tavolino.server.features.notifications.feature import Notifications
from tavolino.server.features.notifications.notifier import AT_ONCE, MOST_WAITING_OF_ONE, Turn, webhook_message
from tavolino.server.features.notifications.post import post
from tavolino.server.features.notifications.preferences import MOST_BROWSERS, QuietHours
from tavolino.server.features.notifications.web_push import decode64, encode64
from tavolino.server.settings import CALL_HOSTS
from tests.server.clients import Guest, Socket, seat_everybody, start
from tests.server.conftest import Server

StartServer = Callable[..., Server]
TIMEOUT = 20.0


class Endpoint:
    """A push service and a chat room: keeps every request."""

    def __init__(self) -> None:
        self.got: list[tuple[str, dict[str, str], bytes]] = []
        self.status = 201
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                endpoint.got.append((self.path, {key.lower(): value for key, value in self.headers.items()}, body))
                self.send_response(endpoint.status)
                if endpoint.status in (301, 307):
                    self.send_header("Location", f"{endpoint.url}/elsewhere")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def wait_for(self, count: int) -> None:
        end = time.monotonic() + TIMEOUT
        while len(self.got) < count:
            assert time.monotonic() < end, f"{len(self.got)} notifications came, {count} were expected"
            time.sleep(0.02)

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class Phone:
    """A browser's side of a subscription: its keys, and reading what was encrypted for it (RFC 8291)."""

    def __init__(self, endpoint: str) -> None:
        self._key, self._auth = ec.generate_private_key(ec.SECP256R1()), b"sixteen bytes ok"
        numbers = self._key.public_key().public_numbers()
        self._point = b"\x04" + numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")
        self.subscription = {
            "endpoint": endpoint,
            "p256dh": encode64(self._point),
            "auth": encode64(self._auth),
            "language": "it",
        }

    def read(self, body: bytes) -> dict[str, Any]:
        salt, length = body[:16], body[20]
        point, sealed = body[21 : 21 + length], body[21 + length :]
        sender = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        shared = self._key.exchange(ec.ECDH(), sender)
        secret = derive(shared, self._auth, b"WebPush: info\x00" + self._point + point, 32)
        key = derive(secret, salt, b"Content-Encoding: aes128gcm\x00", 16)
        nonce = derive(secret, salt, b"Content-Encoding: nonce\x00", 12)
        padded = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\x00")
        assert padded.endswith(b"\x02")
        message: dict[str, Any] = json.loads(padded[:-1])
        return message


def derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret)


def check_vapid(header: str, audience: str, public_key: str, now: float) -> None:
    """As a push service does: the signature is by the key that the browser subscribed with."""
    token, key = (part.split("=", 1)[1] for part in header.removeprefix("vapid ").split(", "))
    assert key == public_key
    signed, _, signature = token.rpartition(".")
    raw = decode64(signature)
    pair = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    sender = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode64(key))
    sender.verify(pair, signed.encode(), ec.ECDSA(hashes.SHA256()))
    claims = json.loads(decode64(signed.split(".")[1]))
    assert claims["aud"] == audience
    assert now < claims["exp"] <= now + 24 * 3600
    assert claims["sub"].startswith(("mailto:", "https://"))


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    running = Endpoint()
    yield running
    running.stop()


@pytest.fixture
def server(start_server: StartServer, endpoint: Endpoint) -> Server:
    return start_server(call_hosts=(endpoint.url,), notify_seconds=0.0).ready("mantis")


def subscribe(guest: Guest, phone: Phone) -> dict[str, Any]:
    answer = guest.http.post("/api/me/notifications", json=phone.subscription)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def game_of_two(server: Server) -> tuple[Guest, Guest, str, Socket]:
    """Ada plays on a socket and goes first; Bruno is not connected."""
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = seat_everybody(people, "mantis", first_seat=0)
    start(people, table)
    socket = people[0].socket(table)
    socket.until("play")
    server.run(lambda: server.registry.tables[table].viewers._polled.clear())  # Bruno asked over HTTP a moment ago
    return people[0], people[1], table, socket


def play_until_bruno(socket: Socket) -> None:
    assert socket.play is not None
    while socket.play["view"]["to_act"] == 0:
        turn = socket.play["turn"]
        socket.send(type="move", turn=turn, action=min(socket.play["view"]["legal"]))
        socket.until_turn(turn + 1)


def test_a_browser_is_notified_once_a_turn_with_nothing_but_the_game_and_the_table(
    server: Server, endpoint: Endpoint
) -> None:
    ada, bruno, table, socket = game_of_two(server)
    phone = Phone(f"{endpoint.url}/push/1")
    answer = subscribe(bruno, phone)
    assert answer["browsers"] == 1
    server.run(lambda: server.registry.tables[table].viewers._polled.clear())
    play_until_bruno(socket)
    endpoint.wait_for(1)
    path, headers, body = endpoint.got[0]
    assert path == "/push/1"
    assert headers["content-encoding"] == "aes128gcm"
    check_vapid(headers["authorization"], "http://127.0.0.1", answer["key"], server.clock.wall())
    message = phone.read(body)
    assert message == {
        "title": "Tocca a te",
        "body": "Una tua partita ti aspetta: Mantis.",
        "url": f"/table/{table}",
    }

    # He does not come, the game goes on without him for a turn, and he is not notified again.
    live = server.registry.tables[table]
    server.run(
        lambda: server.feature(Notifications).notifier.turn_began(
            Turn(table, "mantis", live.state.places[1].person or "", "", None, live.turn + 1), lambda: True
        )
    )
    # He comes, plays, and is notified for his next turn.
    with bruno.socket(table) as his:
        his.until("play")
        assert his.play is not None
        while his.play["view"]["to_act"] == 1 and not his.play["view"]["over"]:
            turn = his.play["turn"]
            his.send(type="move", turn=turn, action=min(his.play["view"]["legal"]))
            his.until_turn(turn + 1)
        done = his.play["turn"]
    socket.until_turn(done)
    while socket.until("table")["table"]["seats"][1]["online"]:
        pass
    if not socket.play["view"]["over"]:  # type: ignore[index]
        play_until_bruno(socket)
        endpoint.wait_for(2)
    assert len(endpoint.got) == 2
    assert len({len(body) for _, _, body in endpoint.got}) == 1
    del ada


def test_whoever_is_there_is_not_notified_and_off_is_off(server: Server, endpoint: Endpoint) -> None:
    _ada, bruno, table, socket = game_of_two(server)
    subscribe(bruno, Phone(f"{endpoint.url}/push/1"))
    with bruno.socket(table) as his:
        his.until("play")
        play_until_bruno(socket)
        his.until_turn(socket.play["turn"])  # type: ignore[index]
        server.run(lambda: None)
    assert bruno.http.delete("/api/me/notifications").status_code == 204
    assert bruno.http.get("/api/me/notifications").json()["browsers"] == 0
    assert endpoint.got == []


def test_a_subscription_that_has_ended_is_dropped(server: Server, endpoint: Endpoint) -> None:
    _ada, bruno, table, socket = game_of_two(server)
    subscribe(bruno, Phone(f"{endpoint.url}/push/1"))
    server.run(lambda: server.registry.tables[table].viewers._polled.clear())
    endpoint.status = 410
    play_until_bruno(socket)
    endpoint.wait_for(1)
    end = time.monotonic() + TIMEOUT
    while bruno.http.get("/api/me/notifications").json()["browsers"]:
        assert time.monotonic() < end
        time.sleep(0.02)


def test_the_room_of_a_table_is_told_and_a_redirect_is_not_followed(server: Server, endpoint: Endpoint) -> None:
    ada, bruno, table, socket = game_of_two(server)
    assert bruno.command(table, "webhook", url=f"{endpoint.url}/room").json()["code"] == "not-host"
    assert ada.command(table, "webhook", url="http://127.0.0.1:1/room").json()["code"] == "bad-webhook"
    ada.do(table, "webhook", url=f"{endpoint.url}/room")
    shown = bruno.http.get(f"/api/tables/{table}").text
    assert '"webhook":true' in shown
    assert "/room" not in shown
    server.run(lambda: server.registry.tables[table].viewers._polled.clear())
    endpoint.status = 307
    play_until_bruno(socket)
    endpoint.wait_for(1)
    assert json.loads(endpoint.got[0][2]) == {
        "text": "Bruno, it’s your turn in Mantis.",
        "game": "mantis",
        "table": table,
        "name": "Bruno",
    }
    assert [path for path, _, _ in endpoint.got] == ["/room"]


def test_a_name_pings_nobody() -> None:
    turn = Turn("t", "mantis", "p", "@everyone", None, 1)
    assert webhook_message("discord.com", "@everyone", None, turn)["allowed_mentions"] == {"parse": []}
    assert webhook_message("hooks.slack.com", "<!channel>", None, turn) == {"text": "&lt;!channel&gt;"}


@pytest.mark.parametrize(
    "url",
    [
        "http://discord.com/api/webhooks/1",
        "https://discord.com:8443/api",
        "https://discord.com@127.0.0.1/",
        "https://discord.com.example.org/",
        "https://notdiscord.com/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://localhost/",
        "file:///etc/passwd",
        "https://discord.com/\r\nX: y",
        "https://discord.com/" + "a" * 2_000,
        "https://[",
        "",
    ],
)
def test_addresses_that_are_not_on_the_list_are_refused(url: str) -> None:
    with pytest.raises(Forbidden):
        AllowedAddresses(CALL_HOSTS).check(url)


def test_addresses_on_the_list_are_taken_apart() -> None:
    allowed = AllowedAddresses((*CALL_HOSTS, "http://10.0.0.5:8065"))
    assert allowed.check("https://discord.com/api?x=1")[:4] == ("https", "discord.com", 443, "/api?x=1")
    assert allowed.check("https://wns2-am3p.notify.windows.com/w").host == "wns2-am3p.notify.windows.com"
    assert allowed.check("http://10.0.0.5:8065/hook").is_own


class Names:
    """A name server that answers something else each time."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)

    async def getaddrinfo(self, host: str, port: int, **_: Any) -> list[Any]:
        return [(0, 0, 0, "", (found, port)) for found in self.answers.pop(0)]


@pytest.mark.parametrize(
    "found",
    [
        "127.0.0.1", "10.1.2.3", "169.254.169.254", "192.168.0.1", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "::", "::1", "fd00::1", "fe80::1", "fec0::1", "ff02::1",
        "::ffff:10.0.0.1", "::10.0.0.1", "64:ff9b::a00:1", "64:ff9b:1::a00:1", "2002:a00:1::", "::ffff:0:10.0.0.1",
    ],
)  # fmt: skip
def test_threat_68_a_name_that_leads_into_a_private_network_is_refused(
    found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = AllowedAddresses(CALL_HOSTS).check("https://discord.com/api")

    async def resolve() -> str:
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(loop, "getaddrinfo", Names(["93.184.216.34", found]).getaddrinfo, raising=False)
        return await addresses.resolve(target)

    with pytest.raises(Forbidden):
        asyncio.run(resolve())


@pytest.mark.parametrize("found", ["93.184.216.34", "2606:4700::1", "64:ff9b::5db8:d822", "::ffff:93.184.216.34"])
def test_public_addresses_are_called_also_through_a_gateway(found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    target = AllowedAddresses(CALL_HOSTS).check("https://discord.com/api")

    async def resolve() -> str:
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(loop, "getaddrinfo", Names([found]).getaddrinfo, raising=False)
        return await addresses.resolve(target)

    assert asyncio.run(resolve()) == found


def test_threat_68_the_address_that_was_checked_is_the_one_that_is_called(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that means something else a moment later (DNS rebinding)."""
    port = endpoint.url.rsplit(":", 1)[1]
    target = AllowedAddresses([f"http://room.example:{port}"]).check(f"http://room.example:{port}/hook")
    names = Names(["127.0.0.1"], ["127.0.0.99"])

    async def call() -> int:
        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", names.getaddrinfo, raising=False)
        return await post(target, {}, b"{}")

    assert asyncio.run(call()) == 201
    assert len(names.answers) == 1, "asked once"
    assert endpoint.got[0][1]["host"] == f"room.example:{port}"


def test_the_certificates_are_read_once_beside_the_loop(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes 40 ms, for each call of everybody."""
    origin = endpoint.url.replace("http:", "https:")
    target = AllowedAddresses([origin]).check(f"{origin}/push")
    read: list[threading.Thread] = []
    usual = ssl.create_default_context

    def count() -> ssl.SSLContext:
        read.append(threading.current_thread())
        return usual()

    monkeypatch.setattr(ssl, "create_default_context", count)
    posting._tls.cache_clear()

    async def call_twice() -> None:
        for _ in range(2):
            with pytest.raises(OSError):  # noqa: PT011 the other end has no TLS
                await post(target, {}, b"")

    asyncio.run(call_twice())
    assert len(read) == 1
    assert read[0] is not threading.main_thread()


def test_subscriptions_are_checked(server: Server, endpoint: Endpoint) -> None:
    ada = Guest(server.address)
    good = Phone(f"{endpoint.url}/push").subscription
    for wrong in ({"endpoint": "http://127.0.0.1:1/"}, {"p256dh": "AAAA"}, {"auth": "AAAA"}):
        answer = ada.http.post("/api/me/notifications", json={**good, **wrong})
        assert answer.json()["code"] == "bad-subscription", wrong


def test_quiet_hours_may_go_over_midnight() -> None:
    night = QuietHours(22 * 60, 7 * 60, utc_offset=60)
    hours = [hour for hour in range(24) if night.include(hour * 3600.0)]
    assert hours == [0, 1, 2, 3, 4, 5, 21, 22, 23]  # an hour earlier in UTC
    assert not QuietHours().include(0.0)


def test_after_the_quiet_hours_one_notification_sums_up_what_still_waits(
    server: Server, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tavolino.server.features.notifications.notifier.LOOK_SECONDS", 0.02)
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    ada, bruno = people
    phone = Phone(f"{endpoint.url}/push/1")
    subscribe(bruno, phone)
    all_day = {"quiet_from": 0, "quiet_to": 24 * 60 - 1, "utc_offset": 0}
    if time.gmtime(server.clock.wall())[3:5] == (23, 59):
        all_day = {"quiet_from": 12 * 60, "quiet_to": 11 * 60, "utc_offset": 0}
    assert bruno.http.post("/api/me/notifications/quiet", json=all_day).status_code == 200
    tables = []
    for _ in range(3):
        tables.append(seat_everybody(people, "mantis", first_seat=0))
        start(people, tables[-1])
        with ada.socket(tables[-1]) as socket:
            socket.until("play")
            server.run(server.registry.tables[tables[-1]].viewers._polled.clear)
            play_until_bruno(socket)
    notifier = server.feature(Notifications).notifier
    end = time.monotonic() + TIMEOUT
    while len(notifier._missed) < 3:
        assert time.monotonic() < end
        time.sleep(0.02)
    with bruno.socket(tables[0]) as his:  # one of them waits no longer
        his.until("play")
    assert endpoint.got == []
    assert bruno.http.post(
        "/api/me/notifications/quiet", json={"quiet_from": None, "quiet_to": None, "utc_offset": 0}
    ).is_success
    endpoint.wait_for(1)
    assert phone.read(endpoint.got[0][2]) == {"title": "Tocca a te", "body": "2 partite ti aspettano.", "url": "/"}
    assert len(endpoint.got) == 1
    assert not notifier._missed


def test_threat_69_many_identities_of_one_address_do_not_keep_others_from_being_notified(
    server: Server, endpoint: Endpoint
) -> None:
    _, bruno, table, _ = game_of_two(server)
    subscribe(bruno, Phone(f"{endpoint.url}/push/1"))
    person = server.run(lambda: server.context.people.recognise(bruno.token)).id
    notifier = server.feature(Notifications).notifier

    async def hold(address: str) -> None:
        async with notifier._place_to_send(address):
            await asyncio.sleep(60)

    async def crowd() -> int:
        """Ninety identities whose turn it is at thirty tables each, and requests of theirs that take long; then Bruno's
        turn comes. Returns how many of the others' turns wait."""
        before = len(notifier._tasks)
        for _ in range(AT_ONCE):
            notifier._begin(hold("192.0.2.7"))
        await asyncio.sleep(0)
        for n in range(90 * 30):
            notifier.addresses.note(f"p{n // 30}", "192.0.2.7")
            notifier.turn_began(Turn(f"t{n}", "mantis", f"p{n // 30}", "", None, 1), lambda: False)
        waiting = len(notifier._tasks) - before - AT_ONCE
        notifier.turn_began(Turn(table, "mantis", person, "Bruno", None, 1), lambda: True)
        return waiting

    assert server.run(crowd) == MOST_WAITING_OF_ONE
    endpoint.wait_for(1)


def test_subscriptions_go_with_the_identity_and_the_oldest_browser_goes_first(
    server: Server, endpoint: Endpoint
) -> None:
    ada = Guest(server.address)
    person = server.run(lambda: server.context.people.recognise(ada.token)).id
    for n in range(MOST_BROWSERS + 2):
        subscribe(ada, Phone(f"{endpoint.url}/push/{n}"))
        server.clock.advance(1)
    subscribe(ada, Phone(f"{endpoint.url}/push/3"))  # once more, with new keys
    browsers = server.run(lambda: server.feature(Notifications).notifier.preferences.read(person)).browsers
    assert [browser.endpoint.rsplit("/", 1)[1] for browser in browsers] == ["2", "4", "5", "6", "3"]
    assert ada.http.delete("/api/me").status_code == 204
    assert server.run(lambda: server.context.storage.items(person, "")) == {}


def test_the_key_for_notifications_outlives_a_restart(start_server: StartServer, tmp_path: Path) -> None:
    keys = []
    for _ in range(2):
        server = start_server(tmp_path / "data")
        keys.append(Guest(server.address).http.get("/api/me/notifications").json()["key"])
        server.stop()
    assert keys[0] == keys[1]
