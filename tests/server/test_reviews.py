"""Reviews of finished tables: begun by who may see them, with progress, kept; never while a game runs."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest
import structlog

from tavolino.server.games.reviews import MOST_WAITING, Reviews
from tests.coach.games import played
from tests.server.clients import Guest, play_to_end, seat_everybody, start
from tests.server.conftest import Server

Guests = Callable[[int], list[Guest]]
TIMEOUT = 240.0  # seconds: a child on a loaded machine, which may have to compile


def ask_until_done(guest: Guest, table: str, seat: int) -> dict[str, Any]:
    """Ask as the page does, until the review is there."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        got = guest.http.get(f"/api/tables/{table}/review", params={"seat": seat})
        answer: dict[str, Any] = got.json()
        if got.status_code != 200 or answer["review"] is not None:
            return answer
        assert 0 <= answer["done"] <= answer["total"]
        time.sleep(0.3)
    raise AssertionError("the review never came")


def test_a_finished_table_is_reviewed_for_who_sat_there(server: Server, guests: Guests) -> None:
    server.ready("mantis")
    people = guests(3)
    players, stranger = people[:2], people[2]
    table = seat_everybody(players, "mantis", first_seat=0)
    early = players[0].http.get(f"/api/tables/{table}/review?seat=0").json()
    assert early["code"] == "not-started"
    start(players, table)
    sockets = [person.socket(table) for person in players]
    codes: list[str] = []

    def choose(legal: list[str]) -> str:
        if not codes:  # the cards are dealt
            codes.append(players[0].http.get(f"/api/tables/{table}/review?seat=0").json()["code"])
        return legal[0]

    decisions = play_to_end(players, sockets, choose=choose)
    assert codes == ["still-playing"]
    assert stranger.http.get(f"/api/tables/{table}/review?seat=0").json()["code"] == "not-seated"
    assert players[0].http.get(f"/api/tables/{table}/review?seat=5").json()["code"] == "no-such-seat"
    answer = ask_until_done(players[0], table, 1)
    review = answer["review"]
    assert answer["seat"] == review["seat"] == 1
    assert len(review["steps"]) == decisions
    parts = review["parts"]
    assert sum(parts[name] for name in ("start", "luck", "own", "others")) == pytest.approx(parts["result"], abs=0.001)
    log = players[1].http.get(f"/api/tables/{table}/frames", params={"eyes": 1}).json()["frames"]
    lines = [len(frame["lines"]) for frame in log]
    for step in review["steps"]:
        assert step["line"] == sum(lines[: step["turn"]]), "a step names the first line of the log that tells of it"
    costly = [each for each in review["decisions"] if each["label"] in ("mistake", "blunder")]
    ask_until_done(players[1], table, 1)
    kept = players[1].http.get("/api/me/mistakes").json()["later"]
    assert len(kept) == min(3, len(costly)), "what cost its player clearly comes back"
    assert players[0].http.get("/api/me/mistakes").json()["later"] == [], "and for nobody else"
    again = players[1].http.get(f"/api/tables/{table}/review?seat=1")
    assert again.json()["review"] == review, "kept, for everybody who sat there"


def test_a_review_that_fails_is_said_once_and_tried_again() -> None:
    record = played("mantis", 2, "server").record()

    async def try_both() -> None:
        broken = Reviews(structlog.get_logger(), command=(sys.executable, "-c", "print('{}', flush=True)"))
        broken.start(("table", 0), record)
        while broken.progress(("table", 0)) is not None:
            await asyncio.sleep(0.01)
        assert broken.get(("table", 0)) is None
        assert broken.take_failure(("table", 0))
        assert not broken.take_failure(("table", 0)), "the next one who asks tries again"
        unfinished = Reviews(structlog.get_logger())
        unfinished.start(("table", 0), {**record, "actions": record["actions"][:3]})
        while unfinished.progress(("table", 0)) is not None:
            await asyncio.sleep(0.05)
        assert unfinished.take_failure(("table", 0))

    asyncio.run(try_both())


def test_what_is_kept_and_what_waits_is_bounded() -> None:
    record = played("mantis", 2, "server").record()
    answer = "import sys; sys.stdin.readline(); print('{\"review\": \"' + 'x' * 100 + '\"}', flush=True)"

    async def fill() -> None:
        reviews = Reviews(structlog.get_logger(), most_bytes=250, command=(sys.executable, "-c", answer))
        for number in range(3):
            reviews.start((f"table {number}", 0), record)
        while any(reviews.progress((f"table {number}", 0)) is not None for number in range(3)):
            await asyncio.sleep(0.01)
        kept = [number for number in range(3) if reviews.get((f"table {number}", 0)) is not None]
        assert kept == [1, 2], "the oldest one went"
        for number in range(MOST_WAITING):
            assert reviews.can_start
            reviews.start((f"more {number}", 0), record)
        assert not reviews.can_start
        reviews.stop()
        await asyncio.sleep(0)

    asyncio.run(fill())
