"""Reasons for an action: the facts of a game's module `explain`, for a position as its seat saw it."""

from tavolino.engine.explanation import Fact
from tavolino.engine.match import Match
from tavolino.games import part_of

MOST = 3  # facts for one decision


def reasons(match: Match, seat: int, better: str, chosen: str | None = None) -> tuple[Fact, ...]:
    """Why an action is good for a seat (and another one is not), from what this seat could know at that moment."""
    module = part_of(match.game.name, "explain")
    if module is None:
        return ()
    found: list[Fact] = module.explain(match.view(seat), match.notebook(seat), better, chosen)
    return tuple(found[:MOST])
