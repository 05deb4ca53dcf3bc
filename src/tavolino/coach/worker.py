"""A review in a process of its own: `python -m tavolino.coach.worker`.

Reads one line of JSON from stdin (`record`, `seat`), and writes lines of JSON: the progress (`done`, `total`), and
finally the `review`, or an `error` for users. The parent process keeps stdin open: when it is closed, the work ends.

Moves have priority. While the machine has idle time, the steps of a review run in a thread that gets only idle time
(SCHED_IDLE on Linux); otherwise at the highest nice value. On a machine that is always busy such a thread hardly runs:
after `PATIENCE` seconds the remaining steps run at a higher priority, still below the server. (An unprivileged process
can lower its priority, but not raise it again: therefore there is a thread for each priority.)
"""

import contextlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TextIO, TypeVar

from tavolino.engine.portable import prefer_portable_code

NICE = 19  # below the server and its bots
LATE_NICE = 15  # while libraries are loaded, and after a long wait: still below both
PATIENCE = 20.0  # seconds
IDLE = sys.platform == "linux"  # whether to use a thread with SCHED_IDLE
PROBE_SECONDS = 0.02  # the idle thread must get the processor within this time
IDLE_SECONDS = 3.0  # within which it must have done a step: on an idle machine a step takes about 1 s at most
Done = TypeVar("Done")


def work_out(order: dict[str, Any], out: TextIO) -> None:
    """Review the game of an order, and report the progress."""
    from tavolino.coach.order import carry_out

    def tell(**line: Any) -> None:
        out.write(json.dumps(line, separators=(",", ":")) + "\n")
        out.flush()

    carry_out(order, tell, _Steps().perform)


class _Steps:
    """Does the steps of a review, each at the priority that fits the moment."""

    def __init__(self) -> None:
        self._low = ThreadPoolExecutor(1, initializer=_lower_priority, initargs=(NICE,))
        self._idle = ThreadPoolExecutor(1, initializer=_become_idle) if IDLE else None
        self._probe: Future[None] | None = None
        self._end = time.monotonic() + PATIENCE

    def perform(self, step: Callable[[], Done]) -> Done:
        if time.monotonic() >= self._end:
            return step()
        if self._idle is not None and self._has_idle_time(self._idle):
            with contextlib.suppress(TimeoutError):
                return self._idle.submit(step).result(IDLE_SECONDS)
            # The machine got busy meanwhile: the idle thread may need minutes, so the step is done again elsewhere.
        return self._low.submit(step).result()

    def _has_idle_time(self, idle: ThreadPoolExecutor) -> bool:
        """Whether the idle thread gets the processor soon. On a busy machine it would never finish a step."""
        if self._probe is None or self._probe.done():
            self._probe = idle.submit(_nothing)
        try:
            self._probe.result(PROBE_SECONDS)
        except TimeoutError:
            return False
        return True


def _nothing() -> None:
    pass


def _become_idle() -> None:
    """Give this thread SCHED_IDLE: any other thread preempts it at once. With a nice value alone, others may wait."""
    _lower_priority(NICE)
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # a container may forbid it
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def _lower_priority(nice: int) -> None:
    """Lower the priority of this thread; of the whole process, permanently, where threads have no priority."""
    own = threading.get_native_id() if sys.platform == "linux" else 0
    os.setpriority(os.PRIO_PROCESS, own, max(nice, os.getpriority(os.PRIO_PROCESS, own)))


def _end_with_parent() -> None:
    sys.stdin.read()  # nothing more is sent: it returns when the parent has ended
    os._exit(1)


def main() -> None:
    _lower_priority(LATE_NICE)  # first of all: loading the libraries takes a second of the processor
    prefer_portable_code()
    order = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    work_out(order, sys.stdout)
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
