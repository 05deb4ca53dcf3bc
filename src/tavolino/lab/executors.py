"""Plays the deals in this process, in several processes, or on a Ray cluster. The figures are the same for all."""

import multiprocessing
import os
import secrets
import signal
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tavolino.engine.extras import require
from tavolino.lab.matches import Plan, Played, Runner
from tavolino.lab.workers import fitting_workers

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
        yield from _hand_out(plan, 2 * workers, lambda first, deals: pool.submit(_work, first, deals))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _hand_out(
    plan: Plan, at_once: int, submit: Callable[[int, int], "Future[tuple[Played, float]]"]
) -> Iterator[Played]:
    """Keep so many chunks under way, of a size that takes about CHUNK_SECONDS."""
    first, size = 0, 1
    under_way: set[Future[tuple[Played, float]]] = set()
    while first < plan.deals or under_way:
        while first < plan.deals and len(under_way) < at_once:
            size = min(size, plan.deals - first)
            under_way.add(submit(first, size))
            first += size
        done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
        for future in done:
            part, seconds = future.result()
            size = _next_size(len(part.outcomes), seconds)
            yield part


# -- a Ray cluster


@contextmanager
def _ray_session(address: str) -> Iterator[Any]:
    require("ray", "ray")
    import ray

    where = {} if address == "local" else {"address": address}
    with _token_for(address):
        ray.init(include_dashboard=False, log_to_driver=False, configure_logging=False, **where)
        try:
            yield ray
        finally:
            ray.shutdown()


@contextmanager
def _token_for(address: str) -> Iterator[None]:
    """A cluster of our own gets a token of its own: Ray would leave one in the home directory."""
    if address != "local" or "RAY_AUTH_TOKEN_PATH" in os.environ or "RAY_AUTH_TOKEN" in os.environ:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="tavolino-ray-") as folder:
        token = Path(folder) / "token"
        token.touch(mode=0o600)
        token.write_text(secrets.token_hex(32))
        os.environ["RAY_AUTH_TOKEN_PATH"] = str(token)
        try:
            yield
        finally:
            del os.environ["RAY_AUTH_TOKEN_PATH"]


def _by_ray(plan: Plan, address: str) -> Parts:
    """The same chunks as tasks of a cluster; `local` starts one on this machine."""
    with _ray_session(address) as ray:
        remote = ray.remote(_work_for_ray)
        ray.get(remote.remote(plan, 0, 1))
        yield None
        cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
        yield from _hand_out(plan, 2 * cores, lambda first, deals: remote.remote(plan, first, deals).future())


def _work_for_ray(plan: Plan, first: int, deals: int) -> tuple[Played, float]:
    if _runner is None or _runner._plan != plan:
        _begin_work(plan)
    return _work(first, deals)
