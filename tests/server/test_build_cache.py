"""The cost of finished games: built once, cached within bounds, and limited for each address."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from tavolino.server.games import replays
from tavolino.server.games.build_cache import BuildCache
from tests.server.clients import Guest, play_to_end, seat_everybody, start, watch
from tests.server.conftest import GENEROUS, Server

Guests = Callable[[int], list[Guest]]


def finished(people: list[Guest]) -> str:
    table = seat_everybody(people, "mantis", first_seat=0)
    start(people, table)
    sockets = [person.socket(table) for person in people]
    play_to_end(people, sockets)
    for socket in sockets:
        socket.close()
    return table


class Counted:
    """Counts how often frames are built, and in which threads."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.threads: list[str] = []
        real = replays.frames

        def frames(*arguments: Any) -> Any:
            self.threads.append(threading.current_thread().name)
            return real(*arguments)

        monkeypatch.setattr(replays, "frames", frames)


def test_threat_61_frames_of_a_finished_game_are_built_once_beside_the_loop(
    server: Server, guests: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = guests(2)
    table = finished(people)
    counted = Counted(monkeypatch)
    path = f"{server.address}/api/tables/{table}/frames?perspective=open"
    answers: list[httpx.Response] = []
    threads = [threading.Thread(target=lambda: answers.append(httpx.get(path, timeout=30))) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({answer.content for answer in answers}) == 1
    assert len(counted.threads) == 1
    assert counted.threads[0].startswith("builder")
    people[1].http.post("/api/me", json={"name": "Countess"})
    assert people[0].http.get(path).json()["names"] == ["Ada", "Countess"], "names are not kept"
    people[1].http.delete("/api/me")
    assert people[0].http.get(path).json()["names"] == ["Ada", None]
    assert len(counted.threads) == 1


def test_threat_61_records_and_views_of_finished_games_are_built_once(server: Server, guests: Guests) -> None:
    people = guests(2)
    table = finished(people)
    for path in ("record", "play"):
        first = people[0].http.get(f"/api/tables/{table}/{path}")
        assert first.status_code == 200
        cache = server.run(lambda: server.context.build_cache.bytes)
        assert people[0].http.get(f"/api/tables/{table}/{path}").content == first.content
        assert server.run(lambda: server.context.build_cache.bytes) == cache
    hands = [person.http.get(f"/api/tables/{table}/play").json()["view"] for person in people]
    assert [view["seat"] for view in hands] == [0, 1], "each seat its own"
    assert httpx.get(f"{server.address}/api/tables/{table}/play").json()["view"]["seat"] is None


def test_threat_61_the_work_that_one_address_asks_for_is_limited_not_only_its_requests(
    start_server: Callable[..., Server],
) -> None:
    server = start_server(limits=replace(GENEROUS, work_per_second=0.001, work_burst=30)).ready("mantis")
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    tables = [finished(people) for _ in range(4)]
    asked = [
        f"/api/tables/{table}/frames?perspective={perspective}"
        for table in tables
        for perspective in ("0", "1", "open", "spectator")
    ]
    with contextlib.ExitStack() as watching:  # so the tables stay in memory, and what is counted is the frames alone
        for table in tables:
            watching.enter_context(watch(server.address, table)).until("table")
        work = server.context.limits.work
        server.run(lambda: work.renew("127.0.0.1"))  # what it took to come so far
        server.run(lambda: work.charge("127.0.0.1", 25))  # the rest is enough for a few frames, on a fast machine too
        answers = [people[0].http.get(path) for path in asked]
        assert answers[0].status_code == 200
        refused = [answer for answer in answers if answer.status_code == 429]
        assert len(refused) > 4
        assert all(answer.headers["retry-after"] for answer in refused)
        assert people[0].http.get(asked[0]).status_code == 200, "what is there is given all the same"
    assert people[0].http.get("/api/me").status_code == 200


def run(work: Callable[[BuildCache], Any], most_bytes: int = 1_000) -> Any:
    async def call() -> Any:
        cache = BuildCache(most_bytes)
        try:
            return await work(cache)
        finally:
            cache.stop()

    return asyncio.run(call())


def test_threat_61_what_is_kept_has_a_bound_in_bytes_and_the_least_used_goes_first() -> None:
    async def fill(cache: BuildCache) -> None:
        for number in range(10):
            await cache.get(number, lambda: bytes(300))
            await cache.get(0, lambda: bytes(300))
            assert cache.bytes <= 1_000
        assert [number for number in range(10) if cache.has(number)] == [0, 8, 9]
        assert len((await cache.get("big", lambda: bytes(5_000))).content) == 5_000
        assert not cache.has("big")
        assert cache.bytes == 900

    run(fill)


def test_what_could_not_be_built_is_tried_again_and_who_goes_away_stops_nobody() -> None:
    def fail() -> bytes:
        raise OSError("too many open files")

    async def try_twice(cache: BuildCache) -> None:
        with pytest.raises(OSError, match="too many"):
            await cache.get("it", fail)
        assert (await cache.get("it", lambda: b"built")).content == b"built"
        release = threading.Event()
        first = asyncio.create_task(cache.get("slow", lambda: b"slow" if release.wait(20) else b""))
        await asyncio.sleep(0)
        second = asyncio.create_task(cache.get("slow", fail))
        await asyncio.sleep(0)
        first.cancel()
        release.set()
        assert (await second).content == b"slow"

    run(try_twice)
