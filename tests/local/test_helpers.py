"""What runs beside local tables: searches of bots, hints and reviews."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from tavolino.coach.order import carry_out
from tavolino.local import helpers, reviews
from tavolino.local.helpers import Helper, Start
from tavolino.local.worker import Worker
from tests.local.playing import Memory, Message, Page, ThreadHelper, ask, begin, opened

GAME = "mantis"


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Helpers start beside the first messages of a table."""
    monkeypatch.setattr(helpers, "WARM_SECONDS", 0.0)


def starting(*those: Helper) -> Start:
    """Starts these, one after the other; then none can be started."""
    left = list(those)

    async def start() -> Helper:
        if not left:
            raise OSError("no more workers")
        return left.pop(0)

    return start


class Stuck(ThreadHelper):
    """Begins a review, and never ends it."""

    async def work(self, order: str, hear: Callable[[str], None]) -> str:
        hear(json.dumps({"done": 3, "total": 9}))
        await asyncio.Event().wait()
        return ""


class Broken(ThreadHelper):
    async def work(self, order: str, hear: Callable[[str], None]) -> str:
        await super().work(order, hear)
        raise OSError("the worker has ended")


async def finished(worker: Worker, level: str = "medium") -> str:
    table, page = await begin(worker, GAME, level)
    assert (await page.play())["view"]["over"]
    return table


async def reviewed(worker: Worker, table: str, seat: int | str = 0) -> tuple[int, Any]:
    """Ask as the page does, until there is a review or a refusal."""
    while True:
        status, answer = await ask(worker, "GET", f"/api/tables/{table}/review?seat={seat}")
        if status != 200 or answer["review"] is not None:
            return status, answer
        assert 0 <= answer["done"] <= answer["total"]
        await asyncio.sleep(0.05)


async def test_a_review_is_the_same_as_elsewhere_and_kept() -> None:
    memory, thinking, reviewing = Memory(), ThreadHelper(), ThreadHelper()
    worker = await opened(memory, starting(thinking, reviewing))
    table = await finished(worker)
    status, answer = await reviewed(worker, table)
    assert status == 200, answer
    _, record = await ask(worker, "GET", f"/api/tables/{table}/record")
    lines: list[Message] = []
    carry_out({"record": record, "seat": 0}, lambda **line: lines.append(line))
    assert answer["review"] == json.loads(json.dumps(lines[-1]["review"]))
    assert reviewing.is_ended
    assert thinking.is_ended  # its memory was wanted
    again = await opened(memory)  # without helpers
    assert await reviewed(again, table) == (200, answer)
    await ask(again, "DELETE", f"/api/tables/{table}")
    assert memory.reviews == {}


async def test_a_review_that_nobody_waits_for_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "PATIENCE", 0.05)
    first, second = Stuck(), Stuck()
    worker = await opened(Memory(), starting(ThreadHelper(), first, second))
    table = await finished(worker)
    for helper in (first, second):
        path = f"/api/tables/{table}/review?seat=1"
        _, answer = await ask(worker, "GET", path)
        while answer["done"] != 3:
            await asyncio.sleep(0.001)
            _, answer = await ask(worker, "GET", path)
        assert answer["total"] == 9
        assert not helper.is_ended
        while not helper.is_ended:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0)


async def test_a_review_without_a_helper_is_refused() -> None:
    worker = await opened(Memory(), starting(ThreadHelper(), Broken()))
    table = await finished(worker)
    for _ in range(2):  # the helper fails, and then none can be started
        status, problem = await reviewed(worker, table)
        assert (status, problem["code"]) == (409, "no-review")


async def test_a_running_game_has_no_review() -> None:
    worker = await opened(Memory())
    table, page = await begin(worker, GAME)
    await page.question()
    status, problem = await ask(worker, "GET", f"/api/tables/{table}/review?seat=0")
    assert (status, problem["code"]) == (409, "still-playing")


@pytest.mark.parametrize(("seat", "code"), [("9", "no-such-seat"), ("-1", "no-such-seat"), ("x", "bad-message")])
async def test_a_review_of_no_seat(seat: str, code: str) -> None:
    worker = await opened(Memory())
    table = await finished(worker)
    assert (await reviewed(worker, table, seat))[1]["code"] == code


async def test_a_helper_is_started_only_after_the_first_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helpers, "WARM_SECONDS", 3600.0)
    started: list[ThreadHelper] = []

    async def start() -> Helper:
        started.append(ThreadHelper())
        return started[-1]

    worker = await opened(Memory(), start)
    _, page = await begin(worker, GAME, "easy")
    await page.question()
    assert not started
    worker.services.thinker.rest()  # as a review does: there is nothing to end, and nothing is started later
    _, page = await begin(worker, GAME, "hard")
    await page.play()
    assert len(started) == 1  # the first search did not wait for it


async def test_a_helper_is_started_without_a_search() -> None:
    started = asyncio.Event()

    async def start() -> Helper:
        started.set()
        return ThreadHelper()

    worker = await opened(Memory(), start)
    _, page = await begin(worker, GAME, "easy")
    await page.question()
    await asyncio.wait_for(started.wait(), 60)


async def test_a_helper_that_could_not_be_started_is_tried_again_at_the_next_connection() -> None:
    tried: list[str] = []
    thinking = ThreadHelper()

    async def start() -> Helper:
        tried.append("")
        if len(tried) == 1:
            raise OSError("there is no connection")
        return thinking

    worker = await opened(Memory(), start)
    table, page = await begin(worker, GAME, "hard")
    await page.play(most=3)
    assert len(tried) == 1  # not at every search
    page.leave()
    page = await Page.at(worker, table)
    await page.play()
    assert len(tried) == 2
    assert thinking.orders


async def test_bots_and_hints_search_in_the_helper() -> None:
    memory, thinking = Memory(), ThreadHelper()
    worker = await opened(memory, starting(thinking))
    table, page = await begin(worker, GAME, "hard")
    question = await page.question()
    kept = list(memory.tables[table])
    page.say(type="hint", ref="h")
    hint = await page.until(ref="h")
    assert hint["action"] in question["view"]["legal"]
    await page.play(question, most=3)
    assert {order["work"] for order in thinking.orders} == {"search", "hint"}

    memory.tables[table] = kept
    page = await Page.at(await opened(memory), table)  # the same position, without a helper
    await page.question()
    page.say(type="hint", ref="h")
    assert await page.until(ref="h") == hint


async def test_the_next_search_starts_a_helper_again() -> None:
    first, reviewing, second = ThreadHelper(), ThreadHelper(), ThreadHelper()
    worker = await opened(Memory(), starting(first, reviewing, second))
    await reviewed(worker, await finished(worker))
    assert first.is_ended
    _, page = await begin(worker, GAME, "hard")
    await page.play()
    assert second.orders
    assert not second.is_ended


async def test_a_helper_that_ends_leaves_the_game_going_on() -> None:
    worker = await opened(Memory(), starting(Broken()))
    _, page = await begin(worker, GAME, "hard")
    assert (await page.play())["view"]["over"]
    assert worker.services.bots.failed == 0


async def test_playing_on_from_a_finished_game() -> None:
    worker = await opened(Memory())
    table = await finished(worker)
    status, opened_table = await ask(worker, "POST", f"/api/tables/{table}/play-on", {"seat": 0, "turn": 2})
    assert status == 201
    assert opened_table["origin"] == {"table": table, "turn": 2}
    page = await Page.at(worker, opened_table["id"])
    assert (await page.play())["view"]["over"]
    for body, code in (({"seat": 9, "turn": 0}, "no-such-seat"), ({"seat": 0, "turn": 9999}, "no-such-turn")):
        assert (await ask(worker, "POST", f"/api/tables/{table}/play-on", body))[1]["code"] == code
