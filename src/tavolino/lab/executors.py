"""Plays the deals in this process, in several processes, or on a Ray cluster. The figures are the same for all."""

import multiprocessing
import signal
import time
from collections.abc import Callable, Generator
from concurrent.futures import ProcessPoolExecutor

from tavolino.lab.matches import Plan, Played, Runner
from tavolino.lab.ray_cluster import ray_tasks
from tavolino.lab.workers import fitting_workers, hand_out

CHUNK_SECONDS = 0.5  # how often progress is reported and Ctrl-C is noticed
LARGEST_CHUNK = 2000

Progress = Callable[[int], None]
Parts = Generator[Played | None, None, None]  # None: everything is compiled


def play_all(
    plan: Plan, workers: int = 1, ray: str | None = None, progress: Progress = lambda deals: None
) -> tuple[list[Played], float, bool]:
    """Play all deals of a plan: the parts, the seconds it took, and whether Ctrl-C came before the end."""
    parts: list[Played] = []
    workers = fitting_workers(workers, plan.deals)
    began, is_stopped = time.perf_counter(), False
    source = _by_ray(plan, ray) if ray is not None else _alone(plan) if workers == 1 else _processes(plan, workers)
    try:
        for part in source:
            if part is None:
                began = time.perf_counter()  # everything is compiled
                continue
            parts.append(part)
            progress(sum(len(each.outcomes) for each in parts))
    except KeyboardInterrupt:
        is_stopped = True
    finally:
        source.close()
    return parts, time.perf_counter() - began, is_stopped


def _alone(plan: Plan) -> Parts:
    runner = Runner(plan)
    runner.warm()
    yield None
    first, size = 0, 1
    while first < plan.deals:
        size = min(size, plan.deals - first)
        began = time.perf_counter()
        yield runner.play(first, size)
        first += size
        size = _next_size(size, time.perf_counter() - began)


def _next_size(size: int, seconds: float) -> int:
    """As many deals as take about CHUNK_SECONDS, growing at most fourfold at a time."""
    return max(1, min(int(size * CHUNK_SECONDS / max(seconds, 1e-6)), size * 4, LARGEST_CHUNK))


# -- several processes

_runner: Runner | None = None  # of a worker process


def _begin_work(plan: Plan) -> None:
    global _runner
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the collecting process handles Ctrl-C
    _runner = Runner(plan)
    _runner.warm()


def _work(first: int, deals: int) -> tuple[Played, float]:
    assert _runner is not None
    began = time.perf_counter()
    part = _runner.play(first, deals)
    return part, time.perf_counter() - began


def _processes(plan: Plan, workers: int) -> Parts:
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, _begin_work, (plan,))
    try:
        pool.submit(_work, 0, 1).result()
        yield None
        yield from hand_out(
            plan.deals, 2 * workers, 1, lambda first, deals: pool.submit(_work, first, deals), _next_size
        )
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


# -- a Ray cluster


def _by_ray(plan: Plan, address: str) -> Parts:
    """The same chunks as tasks of a cluster."""
    with ray_tasks(address, _work_for_ray) as (submit, cores):
        submit(plan, 0, 1).result()
        yield None
        yield from hand_out(plan.deals, 2 * cores, 1, lambda first, deals: submit(plan, first, deals), _next_size)


def _work_for_ray(plan: Plan, first: int, deals: int) -> tuple[Played, float]:
    if _runner is None or _runner._plan != plan:
        _begin_work(plan)
    return _work(first, deals)
