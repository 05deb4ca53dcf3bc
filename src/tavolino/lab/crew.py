"""Does pieces of work in this process, in several ones, or on a Ray cluster; the results come in order."""

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack
from typing import Generic, TypeVar

from tavolino.lab.ray_cluster import ray_tasks
from tavolino.lab.workers import fitting_workers

Work = TypeVar("Work")
Result = TypeVar("Result")


class Crew(Generic[Work, Result]):
    """The function must be pure, and of a module: other processes import it."""

    def __init__(self, do: Callable[[Work], Result], workers: int, ray: str | None):
        self._do, self._workers, self._ray = do, fitting_workers(workers, workers), ray
        self._open = ExitStack()
        self._submit: Callable[[Work], Future[Result]] | None = None
        self._at_once = 1

    def __enter__(self) -> "Crew[Work, Result]":
        if self._ray is not None:
            self._submit, self._at_once = self._open.enter_context(ray_tasks(self._ray, self._do))
        elif self._workers > 1:
            context = multiprocessing.get_context("spawn")
            pool = ProcessPoolExecutor(self._workers, context, signal.signal, (signal.SIGINT, signal.SIG_IGN))
            self._open.callback(pool.shutdown, wait=True, cancel_futures=True)
            self._submit, self._at_once = lambda work: pool.submit(self._do, work), self._workers
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def map(self, work: Iterable[Work]) -> Iterator[Result]:
        if self._submit is None:
            yield from map(self._do, work)
            return
        under_way: deque[Future[Result]] = deque()
        for each in work:
            under_way.append(self._submit(each))
            if len(under_way) > 2 * self._at_once:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
