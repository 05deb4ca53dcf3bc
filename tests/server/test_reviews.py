"""Reviews of finished tables: begun by who may see them, with progress, kept; never while a game runs."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import httpx
import pytest
import structlog

import tavolino
from tavolino.coach.labels import FIRST_VERSION, JUDGE_VERSION
from tavolino.server.features.reviews.feature import ReviewsFeature
from tavolino.server.features.reviews.reviews import Reviews
from tavolino.server.games.review_queue import MOST_OF_ONE, MOST_WAITING
from tavolino.server.storage import Appended
from tavolino.server.storage.sqlite import SqliteStorage
from tests.coach.games import played
from tests.server.clients import Guest, play_to_end, seat_everybody, start
from tests.server.conftest import Server
from tests.server.storage_contract import row

Guests = Callable[[int], list[Guest]]
QUICK = (sys.executable, "-m", "tests.review_worker")
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
    server.feature(ReviewsFeature).reviews._command = QUICK
    people = guests(3)
    players, stranger = people[:2], people[2]
    table = seat_everybody(players, "mantis", first_seat=0)
    assert refusal(players[0], table) == (409, "not-started")
    start(players, table)
    sockets = [person.socket(table) for person in players]
    codes: list[tuple[int, str]] = []

    def choose(legal: list[str]) -> str:
        if not codes:  # the cards are dealt
            codes.append(refusal(players[0], table))
        return legal[0]

    decisions = play_to_end(players, sockets, choose=choose)
    assert codes == [(409, "still-playing")]
    assert refusal(stranger, table) == (403, "not-seated")
    nobody = httpx.get(f"{server.address}/api/tables/{table}/review?seat=0")
    assert (nobody.status_code, nobody.json()["code"]) == (403, "not-seated")
    assert refusal(players[0], table, 5) == (422, "no-such-seat")
    answer = ask_until_done(players[0], table, 1)
    review = answer["review"]
    assert answer["seat"] == review["seat"] == 1
    assert len(review["steps"]) == decisions
    parts = review["parts"]
    assert sum(parts[name] for name in ("start", "luck", "own", "others")) == pytest.approx(parts["result"], abs=0.001)
    log = players[1].http.get(f"/api/tables/{table}/frames", params={"perspective": 1}).json()["frames"]
    lines = [len(frame["lines"]) for frame in log]
    for step in review["steps"]:
        assert step["line"] == sum(lines[: step["turn"]]), "a step names the first line of the log that tells of it"
    costly = [each for each in review["decisions"] if each["label"] in ("mistake", "blunder")]
    ask_until_done(players[1], table, 1)
    kept = players[1].http.get("/api/me/mistakes").json()["later"]
    assert len(kept) == min(3, len(costly)), "what cost its player clearly comes back"
    assert players[0].http.get("/api/me/mistakes").json()["later"] == [], "and for nobody else"
    starts = server.feature(ReviewsFeature).reviews.started
    again = players[1].http.get(f"/api/tables/{table}/review?seat=1")
    assert again.json()["review"] == review, "stored, for everybody who sat there"
    assert server.feature(ReviewsFeature).reviews.started == starts


def test_a_game_that_was_given_up_or_has_unknown_rules_is_not_reviewed(server: Server, guests: Guests) -> None:
    server.ready("mantis")
    people = guests(2)
    table = seat_everybody(people, "mantis")
    start(people, table)
    with people[0].socket(table) as socket:
        socket.until("play")
        assert socket.ask(type="resign")["type"] == "accepted"
        socket.until_phase("ended")
        assert refusal(people[0], table) == (409, "no-review")
        server.registry.tables[table].state.rules = "0"  # as if a later version had played it
        assert refusal(people[0], table) == (404, "no-rules")


def refusal(guest: Guest, table: str, seat: int = 0) -> tuple[int, str]:
    answer = guest.http.get(f"/api/tables/{table}/review", params={"seat": seat})
    return answer.status_code, answer.json()["code"]


def with_reviews(folder: Path, work: Callable[[Reviews], Coroutine[Any, Any, None]], **how: Any) -> None:
    """Do something with the reviews of a storage that has the finished tables "a", "b" and "c"."""

    async def run() -> None:
        storage = SqliteStorage(folder)
        await storage.open()
        reviews = Reviews(structlog.get_logger(), storage, **how)
        try:
            for table in "abc":
                await storage.append(Appended(row(table, "ended"), 1, [b"{}"]))
            await work(reviews)
        finally:
            await reviews.stop()
            await storage.close()

    asyncio.run(run())


async def done(reviews: Reviews, *tables: str) -> None:
    while any(reviews.progress((table, 0)) is not None for table in tables):
        await asyncio.sleep(0.02)


def test_a_review_that_fails_is_said_once_and_tried_again(tmp_path: Path) -> None:
    record = played("mantis", 2, "server").record()

    async def fail(broken: Reviews) -> None:
        broken.start(("a", 0), record, "me")
        await done(broken, "a")
        assert await broken.get(("a", 0)) is None
        assert broken.take_failure(("a", 0))
        assert not broken.take_failure(("a", 0)), "the next one who asks tries again"

    async def refuse(reviews: Reviews) -> None:
        reviews.start(("a", 0), {**record, "actions": record["actions"][:3]}, "me")
        await done(reviews, "a")
        assert reviews.take_failure(("a", 0))

    with_reviews(tmp_path / "broken", fail, command=(sys.executable, "-c", "print('{}', flush=True)"))
    with_reviews(tmp_path / "unfinished", refuse, command=QUICK)


def test_a_review_by_an_older_judge_is_kept_and_not_taken_for_a_new_one(tmp_path: Path) -> None:
    async def work(reviews: Reviews) -> None:
        await reviews._stored.keep("a", 0, FIRST_VERSION, zlib.compress(b"old"))
        await reviews.keep(("b", 0), b"new")
        assert [await reviews.get((table, 0)) for table in "abc"] == [b"old", b"new", None]
        assert [await reviews.get((table, 0), JUDGE_VERSION) for table in "abc"] == [None, b"new", None]

    with_reviews(tmp_path, work)


def test_a_review_is_worked_out_once_and_what_waits_is_bounded(tmp_path: Path) -> None:
    record = played("mantis", 2, "server").record()
    answer = "import sys; sys.stdin.readline(); print('{\"review\": \"' + 'x' * 100 + '\"}', flush=True)"

    async def fill(reviews: Reviews) -> None:
        for table in "abc":
            reviews.start((table, 0), record, "me")
        await done(reviews, *"abc")
        assert [await reviews.get((table, 0)) for table in "abc"] == [b'"' + b"x" * 100 + b'"'] * 3
        for number in range(MOST_WAITING):
            whose = "me" if number < MOST_OF_ONE else "somebody else"
            assert reviews.can_start(whose)
            reviews.start((f"more {number}", 0), record, whose)
            assert reviews.can_start("me") == (number + 1 < MOST_OF_ONE), "room is left for others"
        assert not reviews.can_start("a third one")

    with_reviews(tmp_path, fill, command=(sys.executable, "-c", answer))


def test_nobody_waits_for_a_child_to_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a killed child of idle priority takes many seconds to end."""
    record = played("mantis", 2, "server").record()

    may_end = threading.Event()
    wait = subprocess.Popen.wait

    def wait_for_long(process: subprocess.Popen[bytes], timeout: float | None = None) -> int:
        may_end.wait()
        return wait(process, timeout)

    async def work(reviews: Reviews) -> None:
        for table in "ab":
            reviews.start((table, 0), record, "me")
        async with asyncio.timeout(TIMEOUT):
            await done(reviews, *"ab")
        assert [await reviews.get((table, 0)) for table in "ab"] == [b"1"] * 2
        may_end.set()

    monkeypatch.setattr(subprocess.Popen, "wait", wait_for_long)
    answer = "import sys; sys.stdin.readline(); print('{\"review\": 1}', flush=True)"
    with_reviews(tmp_path, work, command=(sys.executable, "-c", answer))


def test_a_child_ends_with_the_server(tmp_path: Path) -> None:
    record, started = played("mantis", 2, "server").record(), tmp_path / "started"
    endless = f"import os, pathlib, time; pathlib.Path({str(started)!r}).write_text(str(os.getpid())); time.sleep(600)"

    async def work(reviews: Reviews) -> None:
        for table in "ab":  # the second one waits for its turn
            reviews.start((table, 0), record, "me")
        async with asyncio.timeout(TIMEOUT):
            while not started.exists() or not started.read_text():
                await asyncio.sleep(0.02)

    with_reviews(tmp_path / "data", work, command=(sys.executable, "-c", endless))
    with pytest.raises(ProcessLookupError):
        os.kill(int(started.read_text()), 0)


@pytest.mark.slow
def test_what_is_stored_of_a_decision_holds_nothing_that_the_seat_could_not_know(tmp_path: Path) -> None:
    """Two games with the same first cards: the bytes of the judgements up to there are the same."""
    game = tavolino.load("mantis")
    cards = list(game.parts["cards"])[:14]
    records = []
    for seed in ("this", "that"):
        match = game.start(2, seed, decks={"draw": cards})
        while not match.over:
            match.advance(match.legal()[0])
        records.append(match.record())
    stored: list[Any] = []

    async def review_both(reviews: Reviews) -> None:
        for table, record in zip("ab", records, strict=True):
            reviews.start((table, 0), record, "me")
        await done(reviews, "a", "b")
        stored.extend([json.loads(await reviews.get((table, 0)) or b"null") for table in "ab"])

    with_reviews(tmp_path, review_both, command=QUICK)
    # Eight cards are dealt, one lies on top: five more are the same, whatever the seed.
    early = [[each for each in review["decisions"] if each["turn"] <= 5] for review in stored]
    assert early[0]
    assert json.dumps(early[0]) == json.dumps(early[1])
    assert stored[0]["decisions"] != stored[1]["decisions"]
