"""People without accounts."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed

from tavolino.server.errors import Refused
from tavolino.server.people.text_policy import LONGEST_NAME, clean_name, is_writable
from tests.server.clients import Guest, seat_everybody, start, watch
from tests.server.conftest import GENEROUS, Clock, Server

Guests = Callable[[int], list[Guest]]


@pytest.mark.parametrize(
    "name",
    [
        *("A", "Żółć", "Łukasz 🂡", "山田太郎", "محمد", "क्षत्रिय", "x" * 24, "  Ada  ", "Zoë O'Neil", "7", "김민준"),
        *("مُحَمَّد", "می\u200cخواهم", "שָׁלוֹם", "שּׁ", "क्\u200dष", "ශ්\u200dරී", "กี่", "น้ำผึ้ง", "Nguyễn Thị Ngọc", "မျိုး", "မြို့"),
        *(
            "❤\ufe0f",
            "1\ufe0f\u20e3",
            "👩🏽\u200d💻",
            "👁\ufe0f\u200d🗨\ufe0f",
            "🏳\ufe0f\u200d🌈",
            "🇮🇹",
            "M\u0302x",
            "(-_-) 1",
        ),
    ],
)
def test_names_in_any_script_are_kept_as_they_are_but_trimmed(name: str) -> None:
    assert clean_name(name) == name.strip()


@pytest.mark.parametrize(
    "name", ["", "   ", "x" * 25, "a\nb", "a\u0000", "\u202eevil", "\u200b", "\u200d\u200d", "a\u2028b", "\ud800"]
)
def test_empty_long_and_invisible_names_are_refused(name: str) -> None:
    with pytest.raises(Refused) as refused:
        clean_name(name)
    assert refused.value.problem.code == "bad-name"


@pytest.mark.parametrize(
    "name",
    [
        *("\u3164", "\u2800", "\u115f", "\u1160", "\uffa0", "\u034f", "\ufe0f", "\u17b4", "\U000e0100", "\U0001d159"),
        *("Ada\u3164", "A\u034fda", "Ada\ufe0f", "Ada\U000e0100", "A\u2800da", "..", "—"),
        *("Ada\u200d", "\u200cAda", "A\u200d\u200dda", "A \u200dda", "A\u200d da", "A\u200d\u0301b"),
        *(
            "\u0301",
            "\u0301Ada",
            "Ada \u0301",
            "x" + "\u0301" * 23,
            "q" + "\u0323\u0302\u0308\u0330",
            "ก" + "\u0e47" * 4,
        ),
    ],
)
def test_names_that_show_nothing_hide_something_or_pile_up_marks_are_refused(name: str) -> None:
    with pytest.raises(Refused) as refused:
        clean_name(name)
    assert refused.value.problem.code == "bad-name"


@given(st.text(max_size=40))
def test_a_name_that_is_accepted_can_be_seen_and_is_short(name: str) -> None:
    try:
        cleaned = clean_name(name)
    except Refused:
        return
    assert 1 <= len(cleaned) <= LONGEST_NAME
    assert all(is_writable(character) for character in cleaned)
    assert cleaned == cleaned.strip()


def test_a_cookie_is_an_identity_that_survives_a_restart(start_server: Callable[..., Server], tmp_path: Path) -> None:
    server = start_server(tmp_path / "data")
    browser = httpx.Client(base_url=server.address)
    assert browser.get("/api/me").json()["code"] == "no-identity"
    assert browser.post("/api/me", json={"name": "Ada"}).status_code == 201
    cookies = dict(browser.cookies)
    browser.close()
    server.stop()
    again = start_server(tmp_path / "data")
    assert httpx.get(f"{again.address}/api/me", cookies=cookies).json()["name"] == "Ada"


def test_a_browser_that_asks_for_any_identity_keeps_the_one_it_has(server: Server) -> None:
    with httpx.Client(base_url=server.address) as browser:
        first = browser.post("/api/me", json={"name": "Guest 10", "only_new": True})
        assert (first.status_code, first.json()["name"]) == (201, "Guest 10")
        again = browser.post("/api/me", json={"name": "Guest 11", "only_new": True})
        assert (again.status_code, again.json()["name"]) == (200, "Guest 10")
        assert browser.get("/api/me").json()["name"] == "Guest 10"


def test_a_new_name_is_seen_at_the_tables(server: Server, guests: Guests) -> None:
    ada, bruno = guests(2)
    table = seat_everybody([ada, bruno], "mantis")
    ada.http.post("/api/me", json={"name": "Countess"})
    assert bruno.http.get(f"/api/tables/{table}").json()["seats"][0]["name"] == "Countess"


def test_a_return_link_carries_an_identity_to_another_device_once(server: Server, guests: Guests) -> None:
    (ada,) = guests(1)
    table = ada.open("mantis", 2)
    code = ada.http.post("/api/me/link").json()["code"]
    with httpx.Client(base_url=server.address) as phone:
        assert phone.post("/api/me/return", json={"code": code}).json()["name"] == "Ada"
        assert phone.get("/api/me/tables").json()["playing"][0]["id"] == table
        again = phone.post("/api/me/return", json={"code": code})
        assert again.status_code == 410
    assert ada.http.get("/api/me").status_code == 200, "the first device keeps its own"


def test_a_return_link_expires(start_server: Callable[..., Server]) -> None:
    clock = Clock()
    server = start_server(clock=clock)
    code = Guest(server.address).http.post("/api/me/link").json()["code"]
    clock.advance(16 * 60)
    assert httpx.post(f"{server.address}/api/me/return", json={"code": code}).status_code == 410


def test_forget_me_removes_name_and_identity(server: Server, guests: Guests) -> None:
    ada, bruno = guests(2)
    table = seat_everybody([ada, bruno], "mantis")
    start([ada, bruno], table)
    with bruno.socket(table) as socket:
        socket.until("play")
    assert ada.http.delete("/api/me").status_code == 204
    assert ada.http.get("/api/me").status_code == 401
    seat = bruno.http.get(f"/api/tables/{table}").json()["seats"][0]
    assert seat["kind"] == "person"
    assert seat["name"] is None


def test_whoever_is_forgotten_gets_up_first_so_that_the_others_can_go_on(server: Server, guests: Guests) -> None:
    ada, bruno, celina = guests(3)
    waiting = ada.open("mantis", 2)
    bruno.do(waiting, "join")
    running = seat_everybody([ada, bruno, celina], "mantis")
    start([ada, bruno, celina], running)
    with bruno.socket(running) as socket:
        socket.until("play")
    assert ada.http.delete("/api/me").status_code == 204
    shown = bruno.http.get(f"/api/tables/{waiting}").json()
    assert [seat["kind"] for seat in shown["seats"]] == ["empty", "person"]
    assert shown["you"]["host"]
    at_play = bruno.http.get(f"/api/tables/{running}").json()
    assert at_play["seats"][0]["away"]
    assert at_play["you"]["host"]


def test_whoever_is_forgotten_gets_up_everywhere_however_much_they_have_done_before(
    start_server: Callable[..., Server],
) -> None:
    """Also the address of a chat room that they have given is called no more."""
    server = start_server(limits=replace(GENEROUS, changes_per_minute=0.001, changes_burst=4)).ready("mantis")
    ada, bruno = (Guest(server.address, name) for name in ("Ada", "Bruno"))
    tables = [ada.open("mantis", 2) for _ in range(3)]
    for table in tables:
        bruno.do(table, "join")
        ada.do(table, "webhook", url="https://discord.com/api/webhooks/1/secret")
    assert ada.command(tables[0], "ready", ready=True).status_code == 200
    assert ada.command(tables[0], "ready", ready=False).json()["code"] == "too-fast"
    assert ada.http.delete("/api/me").status_code == 204
    for table in tables:
        shown = bruno.http.get(f"/api/tables/{table}").json()
        assert [seat["kind"] for seat in shown["seats"]] == ["empty", "person"]
        assert shown["you"]["host"]
        assert not shown["webhook"]


def test_the_sockets_of_whoever_is_forgotten_are_closed_and_no_others(server: Server, guests: Guests) -> None:
    ada, bruno, celina = guests(3)
    table, elsewhere = seat_everybody([ada, bruno], "mantis", first_seat=0), celina.open("mantis", 2)
    start([ada, bruno], table)
    playing, watching, silent = ada.socket(table), ada.socket(elsewhere), ada.socket(elsewhere, hello=False)
    others = [bruno.socket(table), celina.socket(table), watch(server.address, table)]
    for socket in (playing, *others):
        socket.until("play")
    watching.until("table")
    assert ada.http.delete("/api/me").status_code == 204
    with contextlib.suppress(ConnectionClosed):
        playing.send(type="move", turn=0, action="score")
        silent.send(type="hello")
    for socket in (playing, watching, silent):
        socket.drain(2.0)
        assert (socket.closed, socket.close_code) == ("no-identity", 4401)
    assert server.registry.tables[table].turn == 0
    for socket in others:
        assert socket.ask(type="ping")["type"] == "pong"


def test_my_tables_lists_what_i_play_and_have_played_with_a_mark_when_it_is_my_turn(
    server: Server, guests: Guests
) -> None:
    ada, bruno = guests(2)
    table = seat_everybody([ada, bruno], "mantis", first_seat=0)
    start([ada, bruno], table)
    with ada.socket(table) as socket:
        socket.until("play")
    (mine,) = ada.http.get("/api/me/tables").json()["playing"]
    (his,) = bruno.http.get("/api/me/tables").json()["playing"]
    assert (mine["id"], mine["your_seat"], mine["your_turn"]) == (table, 0, True)
    assert (his["your_seat"], his["your_turn"]) == (1, False)
    ada.do(table, "resign")
    mine_now = ada.http.get("/api/me/tables").json()
    assert mine_now["playing"] == []
    assert mine_now["finished"][0]["ending"]["winners"] == [1]
