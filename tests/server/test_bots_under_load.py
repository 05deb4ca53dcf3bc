"""Bots under load (threat 25 of docs/threats.md)."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable

import pytest
import structlog

import tavolino
from tavolino.engine.match import Match
from tavolino.server.games.bot_runner import BotRunner
from tavolino.server.settings import Pace
from tests.server.clients import Guest, people_in_play
from tests.server.conftest import Server

StartServer = Callable[..., Server]


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


@pytest.mark.slow
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
    people, table = people_in_play(server.address)
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
