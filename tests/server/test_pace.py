"""When bots answer: the time reveals nothing, neither about their cards nor about other tables."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from statistics import fmean
from typing import Any, TypeVar

import pytest
import structlog

import tavolino
from tavolino.server.games import bot_runner
from tavolino.server.games.bot_runner import BotRunner
from tavolino.server.settings import Pace
from tests.server.virtual_time import VirtualLoop, VirtualWorkers

Answer = TypeVar("Answer")
PACE = Pace(0.4, 0.3, search=0.4)
TRIALS = 400
MATCH = tavolino.load("mantis").start(players=2, seed=1)


async def at_once(game: str, level: str) -> None:
    """Nothing has to be compiled first."""


class Table:
    """Bots on virtual time. A search takes what the test says, and finds "thought"; a heuristic choice takes 1 ms."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, cost: Callable[[int], float], seed: int = 1) -> None:
        def search(match: Any, seat: int, seed: int, level: str, left: Callable[[], float]) -> str:
            if left() < bot_runner.MARGIN_SECONDS:
                raise bot_runner.NoTimeLeft
            return "thought"

        monkeypatch.setattr(bot_runner, "_search", search)
        monkeypatch.setattr(bot_runner, "_choose", lambda *rest: "heuristic")
        monkeypatch.setattr(bot_runner, "_chance", random.Random(seed))
        self.loop = VirtualLoop()
        self.bots = BotRunner(1, PACE, at_once, structlog.get_logger())
        self.bots._pool = VirtualWorkers(self.loop, 1, lambda match, seat, *rest: cost(seat))
        self.bots._quick_pool = VirtualWorkers(self.loop, 1, lambda *rest: 0.001)

    def run(self, work: Callable[[], Any]) -> Any:
        async def call() -> Any:
            return await work()

        try:
            return self.loop.run_until_complete(call())
        finally:
            self.loop.close()


@pytest.mark.parametrize("thought", [0.0, 0.3, 0.7, 0.79])
def test_threat_05_a_bot_answers_at_the_drawn_moment_however_long_it_thought(
    monkeypatch: pytest.MonkeyPatch, thought: float
) -> None:
    table = Table(monkeypatch, lambda seat: thought, seed=7)
    expected = 0.4 + 0.4 + 0.3 * random.Random(7).random()
    assert table.run(lambda: table.bots.choose(MATCH, 0, "hard")) == "thought"
    assert table.loop.time() == pytest.approx(expected)
    assert table.bots.too_late == 0


def test_threat_05_a_search_that_is_not_done_at_its_moment_is_answered_for_by_habit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Table(monkeypatch, lambda seat: 30.0, seed=7)
    assert table.run(lambda: table.bots.choose(MATCH, 0, "hard")) == "heuristic"
    assert table.loop.time() == pytest.approx(0.8 + 0.3 * random.Random(7).random())
    assert table.bots.too_late == 1


OTHERS, OWN = 1, 0


def answer_times(monkeypatch: pytest.MonkeyPatch, others_think: float, level: str, seed: int) -> list[float]:
    """How long a bot takes, again and again, while another table's bots get the one worker first."""
    table = Table(monkeypatch, lambda seat: others_think if seat == OTHERS else 0.05, seed)
    times = []

    async def play() -> None:
        for _ in range(TRIALS):
            others = [asyncio.ensure_future(table.bots.choose(MATCH, OTHERS, "hard")) for _ in range(4)]
            await asyncio.sleep(0)
            begun = table.loop.time()
            await table.bots.choose(MATCH, OWN, level)  # type: ignore[arg-type]
            times.append(table.loop.time() - begun)
            await asyncio.gather(*others)

    table.run(play)
    return times


@pytest.mark.parametrize("level", ["hard", "medium", "random"])
@pytest.mark.parametrize(
    "others_think", [pytest.param(0.05, marks=pytest.mark.long), pytest.param(0.2, marks=pytest.mark.long), 0.8]
)
def test_threat_60_ones_own_bots_do_not_tell_whether_other_tables_bots_think(
    monkeypatch: pytest.MonkeyPatch, level: str, others_think: float
) -> None:
    """The same draws make the same moments, whatever is in the queue; other draws, the same distribution."""
    quiet = answer_times(monkeypatch, 0.0, level, seed=1)
    busy = answer_times(monkeypatch, others_think, level, seed=1)
    assert busy == pytest.approx(quiet, abs=1e-6)
    other = answer_times(monkeypatch, others_think, level, seed=2)
    assert abs(fmean(other) - fmean(quiet)) < 4 * PACE.spread / (12 * TRIALS / 2) ** 0.5
    assert kolmogorov_smirnov(quiet, other) < 1.95 * (2 / TRIALS) ** 0.5, "p > 0.001"


def kolmogorov_smirnov(one: list[float], other: list[float]) -> float:
    """The largest difference between two empirical distributions."""
    values = sorted({*one, *other})
    below = [[sum(each <= value for each in times) / len(times) for value in values] for times in (one, other)]
    return max(abs(a - b) for a, b in zip(*below, strict=True))


@pytest.mark.slow
def test_a_queue_as_it_was_would_have_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The measure above can fail: it tells apart answers that wait for their own search."""

    async def wait_for_search(self: BotRunner, *rest: Any) -> str:
        return await self._search_at_once(*rest[:3])

    monkeypatch.setattr(BotRunner, "_search_until", wait_for_search)
    quiet = answer_times(monkeypatch, 0.0, "hard", seed=1)
    busy = answer_times(monkeypatch, 0.2, "hard", seed=1)
    assert busy != pytest.approx(quiet, abs=1e-6)
    assert kolmogorov_smirnov(quiet, busy) > 0.9


@pytest.fixture(name="log")
def _log() -> Iterator[list[Any]]:
    with structlog.testing.capture_logs() as lines:
        yield lines


@pytest.mark.parametrize("fails", ["search", "compiling"])
def test_a_bot_that_fails_plays_by_habit_says_so_and_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, log: list[Any], fails: str
) -> None:
    table = Table(monkeypatch, lambda seat: 0.01)
    table.bots._log = structlog.get_logger()
    is_broken = True

    def search(*rest: Any) -> str:
        if is_broken:
            raise OSError("too many open files")
        return "thought"

    async def prepare(game: str, level: str) -> None:
        if is_broken:
            raise OSError("too many open files")

    if fails == "search":
        monkeypatch.setattr(bot_runner, "_search", search)
    else:
        table.bots._prepare = prepare

    async def play() -> list[str]:
        nonlocal is_broken
        first = await table.bots.choose(MATCH, 0, "hard")
        is_broken = False
        return [first, await table.bots.choose(MATCH, 0, "hard")]

    assert table.run(play) == ["heuristic", "thought"]
    assert table.bots.failed == 1
    assert [line["event"] for line in log] == ["bot failed"]


def test_a_bot_moves_by_habit_if_its_search_is_not_compiled_in_time(
    monkeypatch: pytest.MonkeyPatch, log: list[Any]
) -> None:
    """And the log says that it was late: people would wait for as long as the compiler takes on a busy machine."""
    table = Table(monkeypatch, lambda seat: 0.01)
    table.bots._log = structlog.get_logger()

    async def prepare(game: str, level: str) -> None:
        await asyncio.sleep(24)

    table.bots._prepare = prepare
    assert table.run(lambda: table.bots.choose(MATCH, 0, "hard")) == "heuristic"
    assert table.loop.time() < bot_runner.COMPILING_SECONDS + PACE.longest
    assert (table.bots.too_late, table.bots.failed) == (1, 0)
    (late,) = log
    assert (late["event"], late["level"]) == ("bot answered late", "hard")
    assert 0 < late["seconds_late"] < bot_runner.COMPILING_SECONDS


def test_a_bot_without_even_a_habit_makes_a_legal_move(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(monkeypatch, lambda seat: 0.01)

    def fail(*rest: Any) -> str:
        raise ValueError

    monkeypatch.setattr(bot_runner, "_search", fail)
    monkeypatch.setattr(bot_runner, "_choose", fail)
    assert table.run(lambda: table.bots.choose(MATCH, 0, "hard")) in MATCH.legal()
    assert table.bots.failed == 2


def test_threat_60_hints_do_not_wait_for_other_tables_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that thinks for long delays none of the others: each has a thread of its own."""
    loop = VirtualLoop()
    bots = BotRunner(1, PACE, at_once, structlog.get_logger())
    monkeypatch.setattr(bot_runner, "_hint", lambda *rest: ("score", 0.5))
    workers = bots._hint_pool._max_workers  # type: ignore[attr-defined]
    bots._hint_pool = VirtualWorkers(loop, workers, lambda match, seat, *rest: 0.8 if seat == OTHERS else 0.05)

    async def ask() -> float:
        others = [asyncio.ensure_future(bots.hint(MATCH, OTHERS, 10)) for _ in range(bot_runner.MOST_HINTS - 1)]
        await asyncio.sleep(0)
        begun = loop.time()
        await bots.hint(MATCH, OWN, 10)
        took = loop.time() - begun
        await asyncio.gather(*others)
        return took

    assert loop.run_until_complete(ask()) == pytest.approx(bot_runner.HINT_SECONDS)
    loop.close()
