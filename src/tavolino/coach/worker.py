"""A review in a process of its own: `python -m tavolino.coach.worker`.

Reads one line of JSON from stdin (`record`, `seat`), and writes lines of JSON: the progress (`done`, `total`), and at
last the `review`, or an `error` for people. The parent process keeps stdin open: when it is closed, the work ends.

It works at a low priority, so that moves come first. On a machine that is always busy it would get next to nothing, and
never be done: after `PATIENCE` seconds the steps that are left are done in a thread of a higher priority, still below
the server. (A process without privileges can lower its priority, but never raise it again.)
"""

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TextIO

from tavolino.engine.portable import prefer_portable_code

NICE = 15  # below the server and its bots
LATE_NICE = 10  # when it has waited for long: like the bots
PATIENCE = 20.0  # seconds


def work_out(order: dict[str, Any], out: TextIO) -> None:
    """Review the game of an order, and report the progress."""
    import tavolino
    from tavolino.coach.review import review
    from tavolino.coach.written import review_json
    from tavolino.engine.records import begin_replay

    def tell(**line: Any) -> None:
        out.write(json.dumps(line) + "\n")
        out.flush()

    record = order["record"]
    try:
        start = begin_replay(record, tavolino.load)
        found = review(
            start,
            record["actions"],
            order["seat"],
            progress=lambda done, total: tell(done=done, total=total),
            perform=_perform_in_time(),
        )
    except (tavolino.BadRecord, tavolino.IllegalAction, ValueError) as wrong:
        tell(error=str(wrong))
        return
    tell(review=review_json(found))


def _perform_in_time() -> Callable[[Callable[[], None]], None]:
    """Steps are done here for `PATIENCE` seconds, and from then on in the thread of a higher priority."""
    late = ThreadPoolExecutor(1)
    late.submit(_lower_priority, LATE_NICE).result()
    _lower_priority(NICE)
    end = time.monotonic() + PATIENCE

    def perform(step: Callable[[], None]) -> None:
        if time.monotonic() < end:
            step()
        else:
            late.submit(step).result()

    return perform


def _lower_priority(nice: int) -> None:
    """Of this thread; where only processes have a priority, of all of it, and so for good."""
    own = threading.get_native_id() if sys.platform == "linux" else 0
    os.setpriority(os.PRIO_PROCESS, own, max(nice, os.getpriority(os.PRIO_PROCESS, own)))


def _end_with_parent() -> None:
    sys.stdin.read()  # nothing more is sent: it returns when the parent has ended
    os._exit(1)


def main() -> None:
    prefer_portable_code()
    order = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    work_out(order, sys.stdout)
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
