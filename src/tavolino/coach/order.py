"""An order for a review, carried out: the progress and the result as lines of JSON objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tavolino
from tavolino.coach.review import Perform, review
from tavolino.coach.written import review_json
from tavolino.engine.records import begin_replay

Tell = Callable[..., None]


def carry_out(order: dict[str, Any], tell: Tell, perform: Perform = lambda step: step()) -> None:
    """Review the game of an order (`record`, `seat`). What is told: the progress (`done`, `total`), and finally the
    `review`, or an `error` for users."""
    record = order["record"]
    try:
        start = begin_replay(record, tavolino.load)
        found = review(
            start,
            record["actions"],
            order["seat"],
            progress=lambda done, total: tell(done=done, total=total),
            perform=perform,
        )
    except (tavolino.BadRecord, tavolino.IllegalAction, ValueError) as wrong:
        tell(error=str(wrong))
        return
    tell(review=review_json(found))
