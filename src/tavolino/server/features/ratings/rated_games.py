"""What a finished rated game changes of its people's ratings (decision 088). Functions without I/O."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tavolino.engine.game import Game
from tavolino.server.features.ratings import ratings
from tavolino.server.features.ratings.ratings import NEW, Rating, Side
from tavolino.server.features.ratings.stored import RatedStep, StoredRating
from tavolino.server.kernel.deal import deal_seed, first_seat
from tavolino.server.kernel.state import Place, TableState
from tavolino.server.programs import is_program

LEFT = 2  # the rank of a side whose people have all left
# Without accounts somebody can play against themselves.
MIN_DECISIONS = 6  # of every person of a side that gives up, before others gain from it
NEWCOMER_GAMES = 10  # rated games of the same title, before the last day
MAX_LIMITED_GAIN = 60.0  # points in a day from newcomers, and from people beaten already that day, together


class RankedSide(NamedTuple):
    seats: list[int]
    rank: int
    is_one: bool  # the one who plays against all others


def is_rated(state: TableState) -> bool:
    return state.settings.rated and state.deal is None and state.origin is None and not state.settings.hints


def is_mixed(state: TableState) -> bool:
    """Whether people and programs sit at a rated table. They are rated apart (decision 124)."""
    return state.settings.rated and len({is_program(person) for person in state.people}) > 1


def has_left(place: Place) -> bool:
    """A player whose game was finished by a bot has not won it."""
    return place.resigned or place.stand_in


def ranking(state: TableState, game: Game) -> list[RankedSide] | None:
    """The sides of a rated game and their ranks; None if it counts for nobody who has stayed."""
    ending = state.ending
    if ending is None or not is_dealt_and_rated(state) or ending.how == "closed":
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
        sides.append(RankedSide(seats, LEFT if left else 0 if won else 1, is_one))
    return sides if len({side.rank for side in sides}) > 1 else None


def is_dealt_and_rated(state: TableState) -> bool:
    return state.is_dealt and is_rated(state) and not state.taken_back


def _sides(state: TableState, game: Game) -> list[tuple[list[int], bool]]:
    seats = range(len(state.places))
    if game.meta.teams is None:
        return [([seat], False) for seat in seats]
    one = first_seat(state, deal_seed(state))
    return [([one], True), ([seat for seat in seats if seat != one], False)]


def rated(
    state: TableState, game: Game, known: dict[str, StoredRating], recent: Sequence[RatedStep], now: float
) -> list[StoredRating]:
    """The new ratings of the people at a table. `recent`: their rated games of the last day."""
    ranked = ranking(state, game)
    new = _after_giving_up(state, game, ranked, known)
    if ranked is not None:
        for seat, after in _after_playing(state, game, ranked, known).items():
            new.setdefault(seat, after)
    found = []
    for seat, after in new.items():
        person = state.places[seat].person
        assert person is not None
        before, number = _rating_of(state.places[seat], game, known), _games_of(person, known) + 1
        gain, limited = after.mu - before.mu, 0.0
        if gain > 0 and ranked is not None and _is_limited(person, _beaten(state, ranked, seat), known, recent):
            used = sum(each.limited for each in recent if each.person == person)
            gain = limited = min(gain, max(0.0, MAX_LIMITED_GAIN - used))
        found.append(
            StoredRating(person, state.game, number, state.id, int(now), before.mu + gain, after.sigma, limited)
        )
    return sorted(found)  # in the same order at all nodes, to avoid deadlocks


def _after_giving_up(
    state: TableState, game: Game, ranked: list[RankedSide] | None, known: dict[str, StoredRating]
) -> dict[int, Rating]:
    """The ratings of those who have left, by seat. Who resigns always pays, however the game ends for the others."""
    if not is_dealt_and_rated(state):
        return {}
    left = {seat for side in ranked or () if side.rank == LEFT for seat in side.seats if state.places[seat].person}
    for seat, place in enumerate(state.places):
        if place.person and (place.resigned or (place.stand_in and ranked is not None)):
            left.add(seat)
    sides = [RankedSide(seats, 0, is_one) for seats, is_one in _sides(state, game)]
    rateable = _rateable(state, game, sides, known)
    found = {}
    for number, side in enumerate(sides):
        if left.intersection(side.seats):
            after = dict(zip(side.seats, ratings.rate_defeat(rateable, number), strict=True))
            found.update({seat: after[seat] for seat in side.seats if seat in left})
    return found


def _after_playing(
    state: TableState, game: Game, ranked: list[RankedSide], known: dict[str, StoredRating]
) -> dict[int, Rating]:
    """The ratings of the people by seat, without the sides that gave up before they had really played."""
    counted = [side for side in ranked if side.rank != LEFT or _has_played(state, side)]
    if len({side.rank for side in counted}) < 2:
        return {}
    after = ratings.rate(_rateable(state, game, counted, known))
    return {
        seat: rating
        for side, new_ones in zip(counted, after, strict=True)
        for seat, rating in zip(side.seats, new_ones, strict=True)
        if state.places[seat].person
    }


def _has_played(state: TableState, side: RankedSide) -> bool:
    people = [state.places[seat] for seat in side.seats if state.places[seat].person]
    return all(place.decisions >= MIN_DECISIONS for place in people)


def _rateable(state: TableState, game: Game, sides: Sequence[RankedSide], known: dict[str, StoredRating]) -> list[Side]:
    return [
        Side(
            [_rating_of(state.places[seat], game, known) for seat in side.seats],
            side.rank,
            ratings.bonus_of_one(game) if side.is_one else 0.0,
        )
        for side in sides
    ]


def _rating_of(place: Place, game: Game, known: dict[str, StoredRating]) -> Rating:
    if place.person is None:
        return ratings.of_bot(game, place.level or "medium")
    stored = known.get(place.person)
    return NEW if stored is None else Rating(stored.mu, stored.sigma)


def _games_of(person: str, known: dict[str, StoredRating]) -> int:
    return known[person].number if person in known else 0


def _beaten(state: TableState, ranked: list[RankedSide], seat: int) -> list[str]:
    """The people of the other sides that came out no better than the side of this seat."""
    own = next(side for side in ranked if seat in side.seats)
    return [
        person
        for side in ranked
        if side is not own and side.rank >= own.rank
        for other in side.seats
        if (person := state.places[other].person)
    ]


def _is_limited(person: str, beaten: list[str], known: dict[str, StoredRating], recent: Sequence[RatedStep]) -> bool:
    """Whether a gain counts towards the limit of a day: it comes from newcomers, or again from the same people."""
    won = {each.table for each in recent if each.person == person and _change(each) > 0}
    lost_to = {each.person for each in recent if each.table in won and _change(each) < 0}
    return any(_is_newcomer(other, known, recent) or other in lost_to for other in beaten)


def _is_newcomer(person: str, known: dict[str, StoredRating], recent: Sequence[RatedStep]) -> bool:
    """Games of the last day do not count: a program could play ten in a minute."""
    return _games_of(person, known) - sum(each.person == person for each in recent) < NEWCOMER_GAMES


def _change(step: RatedStep) -> float:
    return step.after - (NEW.mu if step.before is None else step.before)
