"""Tokens: where somebody is signed in, signing out, expiry by disuse, cookies; return codes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace

from tavolino.server.people import identities
from tests.server.clients import Guest
from tests.server.conftest import GENEROUS, Clock, Server

Guests = Callable[[int], list[Guest]]
DAY = 86_400


@contextmanager
def second_device(ada: Guest) -> Iterator[httpx.Client]:
    code = ada.http.post("/api/me/link").json()["code"]
    with httpx.Client(base_url=ada.address) as phone:
        assert phone.post("/api/me/return", json={"code": code}).status_code == 200
        yield phone


def test_threat_62_devices_are_listed_and_can_be_signed_out_one_by_one(guests: Guests) -> None:
    ada, bruno = guests(2)
    with second_device(ada) as phone:
        mine, from_phone = ada.http.get("/api/me/devices").json(), phone.get("/api/me/devices").json()
        assert len(mine) == len(from_phone) == 2
        assert [each["id"] for each in mine] == [each["id"] for each in from_phone]
        assert [each["this"] for each in mine] == [not each["this"] for each in from_phone]
        assert all(each["made"] <= each["used"] for each in mine)
        assert ada.token not in str(mine)
        other = next(each["id"] for each in mine if not each["this"])
        assert bruno.http.delete(f"/api/me/devices/{other}").json()["code"] == "no-such-device"
        assert phone.get("/api/me").status_code == 200, "nobody signs out others"
        assert ada.http.delete(f"/api/me/devices/{other}").status_code == 204
        assert phone.get("/api/me").status_code == 401
        assert ada.http.delete(f"/api/me/devices/{other}").status_code == 404
    assert ada.http.get("/api/me").status_code == 200
    assert httpx.get(f"{ada.address}/api/me/devices").json()["code"] == "no-identity"


def test_threat_62_signing_out_everywhere_ends_all_other_devices_and_their_sockets(
    server: Server, guests: Guests
) -> None:
    (ada,) = guests(1)
    table = ada.open("mantis", 2)
    code = ada.http.post("/api/me/link").json()["code"]
    with second_device(ada) as phone:
        thief = Guest(server.address, "Thief")
        thief.headers = {"Cookie": f"tavolino={phone.cookies['tavolino']}"}
        with thief.socket(table) as socket:
            assert socket.until("table")["table"]["you"]["seat"] == 0
            assert ada.http.delete("/api/me/devices").status_code == 204
            socket.drain(2.0)
            assert socket.closed == "reload"
        with thief.socket(table) as socket:
            assert socket.until("table")["table"]["you"]["seat"] is None, "a spectator like any other"
        assert phone.get("/api/me").status_code == 401
    assert [each["this"] for each in ada.http.get("/api/me/devices").json()] == [True]
    assert httpx.post(f"{server.address}/api/me/return", json={"code": code}).status_code == 410, "nor by old links"


def test_threat_62_a_token_expires_by_disuse_and_not_by_a_wrong_clock(
    start_server: Callable[..., Server], tmp_path: Path
) -> None:
    clock = Clock()
    server = start_server(tmp_path / "data", clock=clock)
    ada, bruno = Guest(server.address, "Ada"), Guest(server.address, "Bruno")
    clock.set_wall(400 * DAY)
    server.run(server.housekeeping.sweep)
    clock.set_wall(-400 * DAY)
    for _ in range(4):
        server.run(lambda: clock.advance(identities.DISUSE_DAYS / 3 * DAY))
        server.run(server.housekeeping.sweep)
        assert ada.http.get("/api/me").status_code == 200, "used now and then"
    assert bruno.http.get("/api/me").status_code == 401
    used = ada.http.get("/api/me/devices").json()[0]["used"]
    assert abs(used - clock.wall()) < 2 * identities.NOTE_SECONDS


def test_threat_62_an_expired_token_is_refused_before_it_is_removed(start_server: Callable[..., Server]) -> None:
    """They are removed a hundred a minute: after a long pause there may be thousands."""
    clock = Clock()
    server = start_server(clock=clock)
    ada = Guest(server.address, "Ada")
    table = ada.open("mantis", 2)
    server.run(lambda: clock.advance(identities.DISUSE_DAYS * DAY + 1))
    with ada.socket(table) as socket:
        assert socket.until("table")["table"]["you"]["seat"] is None, "a spectator like any other"
    assert ada.http.get("/api/me").status_code == 401
    assert ada.http.post("/api/me/link").status_code == 401


def test_threat_62_another_servers_sign_out_is_noticed(server: Server, guests: Guests) -> None:
    """A token that is cached is looked up again after a minute."""
    (ada,) = guests(1)
    assert ada.http.get("/api/me").status_code == 200
    server.run(lambda: server.context.storage.remove_tokens([identities.hashed(ada.token)]))
    assert ada.http.get("/api/me").status_code == 200
    server.clock.advance(identities.CHECK_SECONDS + 1)
    assert ada.http.get("/api/me").status_code == 401


def test_threat_62_what_is_remembered_of_people_has_a_limit_and_all_tokens_still_work(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identities, "REMEMBERED", 5)
    people = server.context.people

    async def come_and_come_again() -> list[str]:
        tokens = [(await people.add(f"Guest {n}"))[1] for n in range(12)]
        found = [await people.recognise(token) for token in tokens]
        return [person.name for person in found if person is not None]

    assert server.run(come_and_come_again) == [f"Guest {n}" for n in range(12)]
    assert len(people._remembered) <= 5
    assert len(people._names) <= 5


def test_threat_62_under_https_the_cookie_is_bound_to_this_host(start_server: Callable[..., Server]) -> None:
    server = start_server(public_url="https://tavolino.example")
    headers = {"Host": "tavolino.example"}
    made = httpx.post(f"{server.address}/api/me", json={"name": "Ada"}, headers=headers).headers["set-cookie"]
    assert made.startswith("__Host-tavolino=")
    for part in ("Secure", "HttpOnly", "Path=/", "SameSite=lax"):
        assert part in made
    assert "Domain" not in made
    token = made.split("=", 1)[1].split(";")[0]
    asked = {**headers, "Cookie": f"__Host-tavolino={token}; tavolino=planted"}
    again = httpx.get(f"{server.address}/api/me", headers=asked)
    assert again.json()["name"] == "Ada"
    old = httpx.get(f"{server.address}/api/me", headers={**headers, "Cookie": f"tavolino={token}"})
    assert old.headers["set-cookie"].startswith(f"__Host-tavolino={token};"), "a cookie of 0.1 gets the new name"
    gone = httpx.delete(f"{server.address}/api/me", headers=asked)
    assert gone.headers["set-cookie"].startswith('__Host-tavolino="";')


def test_without_https_there_is_no_prefix_that_browsers_would_refuse(server: Server) -> None:
    made = httpx.post(f"{server.address}/api/me", json={"name": "Ada"}).headers["set-cookie"]
    assert made.startswith("tavolino=")
    assert "Secure" not in made


def test_threat_63_return_codes_have_a_limit_for_each_person(start_server: Callable[..., Server]) -> None:
    server = start_server(limits=replace(GENEROUS, links_per_hour=8))
    ada = Guest(server.address)
    answers = [ada.http.post("/api/me/link") for _ in range(12)]
    assert [answer.status_code for answer in answers] == [201] * 8 + [429] * 4
    codes = [answer.json()["code"] for answer in answers[:8]]
    used = [httpx.post(f"{server.address}/api/me/return", json={"code": code}).status_code for code in codes]
    assert used.count(200) == identities.MOST_CODES
    assert used[-1] == 200
    assert Guest(server.address, "Bruno").http.post("/api/me/link").status_code == 201, "others have their own"


@pytest.mark.parametrize("jump", [3_600, -3_600, 400 * DAY])
def test_threat_40_a_wrong_clock_neither_ends_nor_prolongs_a_return_code(
    start_server: Callable[..., Server], jump: float
) -> None:
    clock = Clock()
    server = start_server(clock=clock)
    ada = Guest(server.address)
    codes = [ada.http.post("/api/me/link").json()["code"] for _ in range(2)]
    clock.set_wall(jump)
    assert httpx.post(f"{server.address}/api/me/return", json={"code": codes[0]}).status_code == 200
    clock.advance(identities.RETURN_SECONDS + 1)
    assert httpx.post(f"{server.address}/api/me/return", json={"code": codes[1]}).status_code == 410
