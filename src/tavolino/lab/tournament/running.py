"""Plays what is missing of a tournament, in this process or in several, and writes each deal when it has ended."""

import multiprocessing
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait

from tavolino.lab.tournament.journal import Journal
from tavolino.lab.tournament.plan import Deal, Plan
from tavolino.lab.tournament.tables import Hall, Table
from tavolino.lab.workers import fitting_workers

Progress = Callable[[int], None]


def run(plan: Plan, journal: Journal, workers: int = 1, progress: Progress = lambda deals: None) -> bool:
    """Play the deals that have not ended yet; returns whether Ctrl-C came before the end."""
    left = [deal for deal in plan.all_deals() if deal.key not in journal.ended]
    progress(len(journal.ended))
    workers = fitting_workers(workers, len(left))
    hall = Hall(plan)
    source = _alone(hall, journal, left) if workers == 1 else _processes(plan, journal, left, workers)
    try:
        hall.open()  # in any case: a class that cannot be loaded is named before a deal is begun
        if workers > 1:
            hall.close()
        for _ in source:
            progress(len(journal.ended))
    except KeyboardInterrupt:
        return True
    finally:
        hall.close()
    return False


def _alone(hall: Hall, journal: Journal, left: list[Deal]) -> Iterator[None]:
    for deal in left:
        journal.end(deal.key, hall.play(deal, journal.begin(deal.key)))
        yield


# -- several processes

_hall: Hall | None = None  # of a worker process


def _begin_work(plan: Plan) -> None:
    global _hall
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the collecting process handles Ctrl-C
    _hall = Hall(plan)


def _work(deal: Deal, attempt: int) -> list[Table]:
    assert _hall is not None
    return _hall.play(deal, attempt)


def _processes(plan: Plan, journal: Journal, left: list[Deal], workers: int) -> Iterator[None]:
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin_work, (plan,))
    under_way: dict[Future[list[Table]], Deal] = {}
    waiting = iter(left)
    try:
        while True:
            while len(under_way) < 2 * workers and (deal := next(waiting, None)) is not None:
                under_way[pool.submit(_work, deal, journal.begin(deal.key))] = deal
            if not under_way:
                return
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                journal.end(under_way.pop(future).key, future.result())
                yield
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
