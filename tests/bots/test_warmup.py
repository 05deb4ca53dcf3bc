"""Compiling in advance: its order, what happens after a failure, and that no child process outlives its parent."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tavolino.bots import warmup
from tavolino.bots.warmup import CompileQueue, Part, WarmupFailed, parts_for

GONE_WITHIN = 20.0


class Recorded(CompileQueue):
    """Starts no child process: each part ends when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.started: list[Part] = []
        self.ends: dict[Part, asyncio.Future[None]] = {}

    async def _run(self, part: Part) -> None:
        self.started.append(part)
        self.ends[part] = asyncio.get_running_loop().create_future()
        await self.ends[part]


@pytest.fixture(autouse=True)
def nothing_is_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(warmup, "is_compiled", lambda part: False)
    monkeypatch.setenv("TAVOLINO_CACHE", str(tmp_path))


async def until(is_so: Callable[..., bool], *about: Part) -> None:
    while not is_so(*about):
        await asyncio.sleep(0.005)


A, B, C, D = (Part(game, part) for game in ("one", "two") for part in ("rules", "medium"))


def test_two_at_a_time_in_the_order_in_which_they_came() -> None:
    async def steps() -> None:
        queue = Recorded()
        tasks = []
        for part in (A, B, C, D):
            tasks.append(asyncio.create_task(queue.compile(part)))
            await until(lambda part: part in queue._waiting or part in queue._running, part)
        await until(lambda: len(queue.started) == 2)
        assert queue.started == [A, B]
        queue.ends[A].set_result(None)
        await until(lambda: len(queue.started) == 3)
        assert queue.started == [A, B, C]
        for part in (B, C, D):
            await until(queue.ends.__contains__, part)
            queue.ends[part].set_result(None)
        await asyncio.gather(*tasks)

    asyncio.run(asyncio.wait_for(steps(), 20))


def test_a_game_that_somebody_waits_for_starts_at_once() -> None:
    async def steps() -> None:
        queue = Recorded()
        tasks = [asyncio.create_task(queue.compile(part)) for part in (A, B)]
        await until(lambda: len(queue.started) == 2)
        tasks += [asyncio.create_task(queue.compile(part)) for part in (C, D)]
        await until(lambda: len(queue._waiting) == 2)
        queue.prefer("two")
        await until(lambda: len(queue.started) == 4)
        for end in queue.ends.values():
            end.set_result(None)
        await asyncio.gather(*tasks)

    asyncio.run(asyncio.wait_for(steps(), 20))


def test_a_part_is_compiled_once_for_all_who_ask_and_again_after_a_failure() -> None:
    async def steps() -> None:
        queue = Recorded()
        tasks = [asyncio.create_task(queue.compile(A)) for _ in range(3)]
        await until(lambda: A in queue.ends)
        queue.ends[A].set_exception(WarmupFailed("the disk is full"))
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        assert [str(outcome) for outcome in outcomes] == ["the disk is full"] * 3
        assert queue.started == [A]
        again = asyncio.create_task(queue.compile(A))
        await until(lambda: queue.started == [A, A])
        queue.ends[A].set_result(None)
        await again

    asyncio.run(asyncio.wait_for(steps(), 20))


def test_a_child_that_fails_says_why_in_a_sentence() -> None:
    with pytest.raises(WarmupFailed, match=r"no-such-game could not be compiled: .*There is no game 'no-such-game'"):
        asyncio.run(CompileQueue().compile(Part("no-such-game", "rules")))


PARENT = """
import asyncio
from tavolino.bots.warmup import CompileQueue, Part
queue = CompileQueue(on_start=lambda part: print("started", flush=True))
asyncio.run(queue.compile(Part("infinity-gauntlet", "rules")))
"""


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="reads /proc")
def test_a_child_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    settings = {**os.environ, "TAVOLINO_CACHE": str(tmp_path / "cold")}
    parent = subprocess.Popen([sys.executable, "-c", PARENT], env=settings, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    with parent.stdout as output:
        assert output.readline() == "started\n"
        (child,) = children(parent.pid)
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    end = time.monotonic() + GONE_WITHIN
    while Path(f"/proc/{child}").exists():
        assert time.monotonic() < end, "the child goes on compiling for nobody"
        time.sleep(0.05)


def test_what_the_levels_need() -> None:
    assert parts_for([]) == ["rules", "worlds"]
    assert parts_for(["random"]) == ["rules", "worlds"]
    assert parts_for(["easy", "medium"]) == ["rules", "medium", "worlds"]
    assert parts_for(["hard", "easy"]) == ["rules", "medium", "worlds", "hard"]
