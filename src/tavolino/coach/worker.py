"""A review in a process of its own: `python -m tavolino.coach.worker`.

Reads one line of JSON from stdin (`record`, `seat`), and writes lines of JSON: the progress (`done`, `total`), and at
last the `review`, or an `error` for people. The parent process keeps stdin open: when it is closed, the work ends.
"""

import json
import os
import sys
import threading
from typing import Any, TextIO

from tavolino.engine.portable import prefer_portable_code

NICE = 15  # below the server and its bots


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
            start, record["actions"], order["seat"], progress=lambda done, total: tell(done=done, total=total)
        )
    except (tavolino.BadRecord, tavolino.IllegalAction, ValueError) as wrong:
        tell(error=str(wrong))
        return
    tell(review=review_json(found))


def _end_with_parent() -> None:
    sys.stdin.read()  # nothing more is sent: it returns when the parent has ended
    os._exit(1)


def main() -> None:
    os.nice(NICE)
    prefer_portable_code()
    order = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    work_out(order, sys.stdout)
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
