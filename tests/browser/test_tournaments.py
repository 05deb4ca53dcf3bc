"""A tournament in the browser: a person enters, plays a deal, and reads the standings."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tavolino.server.features.tournaments.stored import StoredTournament, StoredTournaments
from tavolino.server.storage import Storage
from tavolino.server.storage.choosing import make_storage
from tests.browser.conftest import ServerProcess
from tests.browser.player import Player
from tests.browser.strategy import choose
from tests.browser.test_practice import check

HOUR = 3_600


def in_storage(data: Path, work: Callable[[Storage], Coroutine[Any, Any, None]]) -> None:
    """Work on the storage beside the server, as the commands of operators do."""

    async def run() -> None:
        storage = make_storage(data, None, is_beside=True)
        await storage.open()
        await work(storage)
        await storage.close()

    with ThreadPoolExecutor(1) as thread:  # Playwright has a loop in this one
        thread.submit(asyncio.run, run()).result()


def make(data: Path, name: str) -> str:
    """A tournament that begins in an hour."""
    name, opens = name.ljust(22, "x"), int(time.time()) + HOUR
    made = StoredTournament(name, "Autumn ladder", "mantis", 2, 2, 1, 60, opens, opens + 24 * HOUR)
    in_storage(data, lambda storage: StoredTournaments(storage).add(made))
    return f"/tournament/{name}"


async def begin(storage: Storage) -> None:
    await storage.database.rows("UPDATE tournaments SET opens = :now", now=int(time.time()))


def test_a_person_enters_plays_and_is_in_the_standings(visitor: Callable[..., Player], server: ServerProcess) -> None:
    address = make(server.data, "entering")
    player = visitor(phone=True)
    page = player.page
    page.goto("/tournaments")
    page.get_by_test_id("tournament-list").get_by_text("Autumn ladder").first.click()
    page.goto(address)
    page.get_by_test_id("enter").click()
    expect(page.get_by_role("main")).to_contain_text("You have entered")
    in_storage(server.data, begin)
    page.get_by_test_id("play-tournament").click()  # it appears by itself when the tournament begins
    player.wait_for_cards()
    while player.wait_for_turn():
        player.act(choose(player.view or {}))
    expect(page.get_by_test_id("after")).to_be_visible()
    page.get_by_test_id("compare").click()
    page.wait_for_url(f"**{address}")
    expect(page.get_by_test_id("standings")).to_contain_text("%")
    page.get_by_test_id("show-deal").click()
    expect(page.get_by_test_id("deal").get_by_role("link")).to_have_count(1)
    check(player)


@pytest.mark.parametrize(("language", "phone"), [("it", True), ("pl", False)])
def test_standings_and_cross_table_of_many_fit_the_window(
    visitor: Callable[..., Player], server: ServerProcess, language: str, phone: bool
) -> None:
    """What the server answers is replaced: eight entrants with long names."""
    address = make(server.data, f"standings{language}")
    player = visitor(phone=phone, language=language)
    page = player.page
    shown = with_entrants(page.request.get(f"/api{address.replace('tournament', 'tournaments', 1)}").json())
    page.route("**/api/tournaments/*", lambda route: route.fulfill(json=shown))
    page.goto(address)
    expect(page.get_by_test_id("standings").locator("tbody tr")).to_have_count(8)
    expect(page.get_by_test_id("cross-table").locator("tbody tr")).to_have_count(8)
    if phone:
        page.set_viewport_size({"width": 390, "height": 664})
    check(player)


def with_entrants(tournament: dict[str, Any]) -> dict[str, Any]:
    rated = {"rating_low": 1400.0, "rating_high": None, "rating": 1500.0, "low": 0.4, "high": 0.6, "share": 0.5}
    entrants = [
        {"name": f"Entrant-with-a-name-{n}", "program": n % 3 > 0, "you": n == 2, "finished": 90, "counted": 88}
        | {**rated, "rating_high": None if n == 0 else 1600.0, "late": n // 7}
        for n in range(8)
    ]
    differences = [
        {"entrant": a, "other": b, "deals": 88, **interval((b - a) / 11)} for a in range(8) for b in range(8) if a != b
    ]
    shown = {"phase": "running", "closed_deals": 88, "deals": 100, "standings": entrants, "differences": differences}
    found: dict[str, Any] = json.loads(json.dumps({**tournament, **shown}))
    return found


def interval(mean: float) -> dict[str, float]:
    return {"mean": mean, "low": mean - 0.1, "high": mean + 0.1}
