"""Notebooks are calculated once for a seat and an entry of the journal, beside the event loop, and charged."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

import tavolino
from tavolino.engine.match import Match
from tavolino.server.features.advice import Advice
from tavolino.server.features.advice.notebooks import HIT_MILLISECONDS, Notebooks
from tavolino.server.kernel import messages
from tavolino.server.rate_limit import RateLimit
from tests.server.clients import Guest, people_in_play
from tests.server.conftest import GENEROUS, Server

StartServer = Callable[..., Server]


@pytest.fixture
def calculated(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Match, threading.Thread]]:
    """The matches for which notebooks were calculated, and in which threads."""
    found: list[tuple[Match, threading.Thread]] = []
    build = messages.notebook

    def noted(match: Match, viewer: int) -> dict[str, Any]:
        found.append((match, threading.current_thread()))
        return build(match, viewer)

    monkeypatch.setattr(messages, "notebook", noted)
    return found


def ask(guest: Guest, table: str) -> Any:
    return guest.do(table, "notebook")["notebook"]


def test_a_notebook_is_calculated_once_for_a_seat_and_an_entry(
    server: Server, calculated: list[tuple[Match, threading.Thread]]
) -> None:
    (ada, bruno), table = people_in_play(server.address)
    first = ask(ada, table)
    assert ask(ada, table) == first
    assert len(calculated) == 1
    ask(bruno, table)
    assert len(calculated) == 2, "another seat has a notebook of its own"
    ada.do(table, "move", turn=0, action="score")
    changed = ask(ada, table)
    assert len(calculated) == 3
    actor = server.registry.tables[table]
    assert actor.match is not None
    assert changed == actor.match.notebook(0)
    assert all(match is not actor.match and thread is not server._thread for match, thread in calculated)


def test_a_turn_that_is_played_again_after_a_take_back_has_another_notebook(server: Server) -> None:
    server.ready("splendor-marvel")
    ada = Guest(server.address)
    game = {"game": "splendor-marvel", "seats": 2, "level": "easy", "first": True}
    table = ada.http.post("/api/play-now", json=game).json()["id"]
    ada.do(table, "salt", salt="0" * 64)
    with ada.socket(table) as socket:
        socket.until("play")
        actor = server.registry.tables[table]
        before = ask(ada, table)
        ada.do(table, "move", turn=0, action="take yellow blue red")
        socket.until_turn(2)  # the bot has answered: otherwise it may do so before the request
        ada.do(table, "take-back", turn=2)
    assert ask(ada, table) == before
    assert actor.match is not None
    assert before == actor.match.notebook(0)


def test_who_has_no_seat_gets_no_notebook_that_is_kept(server: Server) -> None:
    people, table = people_in_play(server.address)
    stranger = Guest(server.address, "Celina")
    ask(people[0], table)
    assert stranger.command(table, "notebook").json()["code"] == "not-seated"


def test_threat_61_notebooks_are_charged_to_the_person_at_every_address(start_server: StartServer) -> None:
    limits = replace(GENEROUS, work_per_second=0.001, work_burst=20 * HIT_MILLISECONDS)
    server = start_server(limits=limits).ready("mantis")
    people, table = people_in_play(server.address)
    codes = []
    for n in range(60):
        elsewhere = {"X-Forwarded-For": f"198.51.100.{n}"}
        answer = people[0].http.post(f"/api/tables/{table}/commands", json={"type": "notebook"}, headers=elsewhere)
        codes.append(answer.json().get("code", "answered"))
    assert codes[0] == "answered"
    assert set(codes[30:]) == {"too-fast"}, "a kept one is charged too"
    elsewhere = {"X-Forwarded-For": "203.0.113.9"}
    other = people[1].http.post(f"/api/tables/{table}/commands", json={"type": "notebook"}, headers=elsewhere)
    assert other.status_code == 200


def test_notebooks_are_dropped_with_their_table(server: Server) -> None:
    people, table = people_in_play(server.address)
    ask(people[0], table)
    advice = server.registry.features.by_name["advice"]
    assert isinstance(advice, Advice)
    kept = advice.notebooks
    assert (table, 0) in kept._kept
    server.run(lambda: server.registry.discard(table))
    assert (table, 0) not in kept._kept


def test_notebooks_have_room_for_so_many_bytes() -> None:
    limit = RateLimit(1e6, 1e6, "too-fast", lambda: 0.0)
    match = tavolino.load("mantis").start(players=2, seed=1)

    async def fill() -> Notebooks:
        notebooks = Notebooks(limit, max_bytes=1_000)
        for n in range(20):
            await notebooks.get(f"t{n}", 1, 0, match, lambda match, seat: {"text": "x" * 200}, ["ada"])
            assert notebooks.bytes == sum(len(content) for _, content in notebooks._kept.values()) <= 1_000
        await notebooks.get("large", 1, 0, match, lambda match, seat: {"text": "x" * 2_000}, ["ada"])
        return notebooks

    assert asyncio.run(fill()).bytes == 0
