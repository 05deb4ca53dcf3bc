"""Work that would make a table wait: searches of bots, hints and reviews. In a browser a second worker does it, which
runs the same Python; orders and answers are texts.

An order has the record of the game: played again, it gives the same match as at the table, with the same logs, so a
hint here is the one that a review repeats.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tavolino.bots import SeatMatch, make_bot
from tavolino.bots.policies import settings_of
from tavolino.coach.judge import advise
from tavolino.coach.order import carry_out
from tavolino.engine.match import Match
from tavolino.engine.records import begin_replay
from tavolino.games import load

Hear = Callable[[str], None]


def work(text: str, hear: Hear = lambda line: None) -> str:
    """Carry out an order; its answer. `hear` gets lines about the progress."""
    order = json.loads(text)
    return _WORK[order["work"]](order, hear)


def _search(order: dict[str, Any], hear: Hear) -> str:
    level, seat, record = order["level"], order["seat"], order["record"]
    iterations = settings_of(level, record["game"]).iterations
    bot = make_bot(level, record["game"], order["seed"], iterations, order["seconds"])
    return bot.choose(SeatMatch(_replayed(record), seat))


def _hint(order: dict[str, Any], hear: Hear) -> str:
    advice = advise(_replayed(order["record"]), order["seat"])
    return json.dumps([advice.action, advice.chance])


def _review(order: dict[str, Any], hear: Hear) -> str:
    found: dict[str, Any] = {}

    def tell(**line: Any) -> None:
        if "done" in line:
            hear(json.dumps(line))
        else:
            found.update(line)

    carry_out(order, tell)
    return json.dumps(found, separators=(",", ":"))


def _replayed(record: dict[str, Any]) -> Match:
    match = begin_replay(record, load)
    for action in record["actions"]:
        match.advance(action)
    return match


_WORK: dict[str, Callable[[dict[str, Any], Hear], str]] = {"search": _search, "hint": _hint, "review": _review}
