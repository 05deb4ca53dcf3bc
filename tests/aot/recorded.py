"""python -m tests.aot.recorded GAME FILE: a transcript of what recorded games, searches and reviews, bots and notebooks
call in compiled code; FILE is for `repeat.mjs` and `repeat.c`.

For a process whose code was compiled ahead: there every entry point is an object of one class. The outcomes are also
compared with the recorded ones, so that what is repeated elsewhere is what Numba has computed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import tavolino
from tavolino.bots import SeatMatch, make_bot
from tavolino.coach.review import review
from tavolino.engine import ahead
from tavolino.engine.records import begin_replay
from tests.aot.transcripts import Transcript, positions
from tests.bots import test_recorded_searches as searches
from tests.coach import test_recorded_reviews as reviews
from tests.coach.games import LITTLE, played, start_of
from tests.test_corpus import records

GAMES, POSITIONS = 4, 6
EVERY_SO_MANY = 25  # calls of reviews and of bots that search: they have thousands, with megabytes of trees
LEVELS = ("easy", "medium")
SEARCHING = ("hard", "expert")


@contextmanager
def noted(made: Transcript, every: int = 1) -> Iterator[None]:
    """Every call, or one of so many, by whatever calls it."""
    call, count = ahead.Entry.__call__, 0

    def note(entry: ahead.Entry, *arguments: Any) -> Any:
        nonlocal count
        count += 1
        if count % every:
            return call(entry, *arguments)
        return made.call(lambda *given: call(entry, *given), *arguments, symbol=entry.py_func.__name__)

    ahead.Entry.__call__ = note  # type: ignore[method-assign,assignment]
    try:
        yield
    finally:
        ahead.Entry.__call__ = call  # type: ignore[method-assign]


def main(name: str, file: Path) -> None:
    game, made = tavolino.load(name), Transcript()
    with noted(made):
        for rules in game.versions:
            for record in records(game, rules)[:GAMES]:
                match = begin_replay(record, tavolino.load)
                for action in record["actions"]:
                    match.play(action)
                assert match.hash() == record["hash"]
        for case in searches.CASES:
            if case[0] == name:
                assert (
                    searches.fingerprint(*case) == json.loads(searches.RECORDED.read_text())[" ".join(map(str, case))]
                )
        for match in positions(game, POSITIONS):
            for seat in range(match.players):
                match.notebook(seat)
                match.resample(seat, 1)
            for level in LEVELS:
                make_bot(level, name, 1).choose(SeatMatch(match, match.to_act))
    with noted(made, EVERY_SO_MANY):
        for match in positions(game, POSITIONS):
            for level in SEARCHING:
                make_bot(level, name, 1).choose(SeatMatch(match, match.to_act))
    whole = played(name, game.players[0], "recorded review")
    with noted(made, EVERY_SO_MANY):
        found = review(start_of(whole), whole.record()["actions"], 0, LITTLE)
    assert reviews.figures(found) == json.loads(reviews.RECORDED.read_text())[name]
    made.write(file)
    print(len(made.calls), *sorted(made.names))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
