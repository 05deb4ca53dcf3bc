"""The result of a finished table: whether it counts, for ratings and in circles. It is counted exactly once.

Before the cards are dealt the storage is told to expect a result (`journal.py`). After the end it is settled: by the
actor, or, if the server was stopped in between, by the next sweep, here or at another node.
"""

from __future__ import annotations

from typing import NamedTuple

from tavolino.engine.game import Game
from tavolino.server import protocol as p
from tavolino.server.context import Context
from tavolino.server.games import ratings
from tavolino.server.games.ratings import NEW, Rating, Side
from tavolino.server.kernel.deal import deal_seed, first_seat
from tavolino.server.kernel.state import Place, TableState
from tavolino.server.storage import RatingsChanged, StoredRating, StoredResult

MOST_TRIES = 10  # while other games of the same people end


class RankedSide(NamedTuple):
    seats: list[int]
    rank: int
    is_one: bool  # the one who plays against all others


def will_count(state: TableState) -> bool:
    """Whether the result of this table counts somewhere, as far as that is known when the cards are dealt."""
    return _is_rated(state) or _is_for_circles(state)


def _is_rated(state: TableState) -> bool:
    return state.settings.rated and state.deal is None and state.origin is None and not state.settings.hints


def _is_for_circles(state: TableState) -> bool:
    return len(state.people) > 1 and state.deal is None and state.origin is None


def has_left(place: Place) -> bool:
    """A player whose game was finished by a bot has not won it."""
    return place.resigned or place.stand_in


def ranking(state: TableState, game: Game) -> list[RankedSide] | None:
    """The sides of a rated game and their ranks; None if it does not count."""
    ending = state.ending
    if ending is None or not _is_rated(state) or state.taken_back or not state.is_dealt or ending.how == "closed":
        return None
    is_alone = len(state.people) == 1  # against bots: a player who does not finish has lost
    if ending.how in ("agreed", "abandoned") and not is_alone:
        return None
    gave_up = is_alone and ending.how != "played"
    sides = []
    for seats, is_one in _sides(state, game):
        people = [state.places[seat] for seat in seats if state.places[seat].person]
        left = bool(people) and (gave_up or all(has_left(place) for place in people))
        won = any(seat in ending.winners for seat in seats) or (not ending.winners and ending.how != "played")
        sides.append(RankedSide(seats, 2 if left else 0 if won else 1, is_one))
    return sides if len({side.rank for side in sides}) > 1 else None


def _sides(state: TableState, game: Game) -> list[tuple[list[int], bool]]:
    seats = range(len(state.places))
    if game.meta.teams is None:
        return [([seat], False) for seat in seats]
    one = first_seat(state, deal_seed(state))
    return [([one], True), ([seat for seat in seats if seat != one], False)]


def rated(
    state: TableState, game: Game, ranked: list[RankedSide], known: dict[str, StoredRating], now: float
) -> list[StoredRating]:
    """The new ratings of the people at a table."""

    def rating_of(place: Place) -> Rating:
        if place.person is None:
            return ratings.of_bot(game, place.level or "medium")
        stored = known.get(place.person)
        return NEW if stored is None else Rating(stored.mu, stored.sigma)

    before = [[rating_of(state.places[seat]) for seat in side.seats] for side in ranked]
    after = ratings.rate(
        [
            Side(members, side.rank, ratings.bonus_of_one(game) if side.is_one else 0.0)
            for side, members in zip(ranked, before, strict=True)
        ]
    )
    found = []
    for side, old_ones, new_ones in zip(ranked, before, after, strict=True):
        for seat, old, new in zip(side.seats, old_ones, new_ones, strict=True):
            place = state.places[seat]
            if place.person is None:
                continue
            mu = min(old.mu, new.mu) if has_left(place) else new.mu
            number = known[place.person].number + 1 if place.person in known else 1
            found.append(StoredRating(place.person, state.game, number, state.id, int(now), mu, new.sigma))
    return sorted(found)  # in the same order at all nodes, to avoid deadlocks


async def _in_circles(context: Context, state: TableState) -> list[StoredResult]:
    """The results of a table for the circles that all its people are in."""
    ending = state.ending
    if ending is None or ending.how not in ("played", "resigned") or not _is_for_circles(state):
        return []
    now = int(context.clock.wall())
    return [
        StoredResult(circle, state.id, place.person, state.game, now, seat in ending.winners and not has_left(place))
        for circle in await context.storage.common_circles(state.people)
        for seat, place in enumerate(state.places)
        if place.person is not None
    ]


async def settle(context: Context, state: TableState, game: Game) -> None:
    """Count the result of a table that has ended. Idempotent."""
    if not will_count(state):  # nobody expects it
        return
    ranked = ranking(state, game)
    circles = await _in_circles(context, state)
    for left in reversed(range(MOST_TRIES)):
        known = await context.storage.ratings(state.people, state.game) if ranked else {}
        changed = rated(state, game, ranked, known, context.clock.wall()) if ranked else []
        try:
            await context.storage.settle_result(state.id, changed, circles)
        except RatingsChanged:
            if not left:
                raise
        else:
            context.ratings.forget(state.people, state.game)
            return


async def rating_change(context: Context, state: TableState, game: Game, person: str) -> p.RatingChange | None:
    """What a table that has ended has changed of a person's rating. None if it does not count."""
    if ranking(state, game) is None:
        return None
    if (found := await context.ratings.change(person, state.id)) is None:
        await settle(context, state, game)  # the end is shown before it is counted
        found = await context.ratings.change(person, state.id)
    return found
