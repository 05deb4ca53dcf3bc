"""The result of a finished table: whether it counts, for ratings and in circles. It is counted exactly once.

Before the cards are dealt the storage is told to expect a result. After the end it is settled: by the actor,
or, if the server was stopped in between, by the next sweep, here or at another node.
"""

from __future__ import annotations

from tavolino.engine.game import Game
from tavolino.server.context import Context
from tavolino.server.features.ratings.rated_games import has_left, is_dealt_and_rated, is_rated, rated
from tavolino.server.features.ratings.stored import RatedStep, RatingsChanged, StoredRating, StoredResult, StoredResults
from tavolino.server.kernel.state import TableState

DAY_SECONDS = 86_400
MOST_TRIES = 10  # while other games of the same people end


def will_count(state: TableState) -> bool:
    """Whether the result of this table counts somewhere, as far as that is known when the cards are dealt."""
    return is_rated(state) or _is_for_circles(state)


def _is_for_circles(state: TableState) -> bool:
    return len(state.people) > 1 and state.deal is None and state.origin is None


async def _in_circles(context: Context, state: TableState) -> list[StoredResult]:
    """The results of a table for the circles that all its people are in."""
    ending = state.ending
    if ending is None or ending.how not in ("played", "resigned") or not _is_for_circles(state):
        return []
    now = int(context.clock.wall())
    return [
        StoredResult(circle, state.id, place.person, state.game, now, seat in ending.winners and not has_left(place))
        for circle in await StoredResults(context.storage).common_circles(state.people)
        for seat, place in enumerate(state.places)
        if place.person is not None
    ]


async def settle(context: Context, state: TableState, game: Game) -> None:
    """Count the result of a table that has ended. Idempotent."""
    if not will_count(state):  # nobody expects it
        return
    stored, circles = StoredResults(context.storage), await _in_circles(context, state)
    for left in reversed(range(MOST_TRIES)):
        now = context.clock.wall()
        known: dict[str, StoredRating] = {}
        recent: list[RatedStep] = []
        if is_dealt_and_rated(state):
            known = await stored.ratings(state.people, state.game)
            # Read after `known`: if a game is rated in between, its number is taken, and all this is done again.
            recent = await stored.recent_ratings(state.people, state.game, int(now) - DAY_SECONDS)
        changed = rated(state, game, known, recent, now)
        try:
            await stored.settle_result(state.id, changed, circles)
        except RatingsChanged:
            if not left:
                raise
        else:
            return
