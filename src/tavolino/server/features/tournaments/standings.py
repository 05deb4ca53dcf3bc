"""Who is how good: shares of the wins, ratings and differences, with intervals over deals."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import permutations
from statistics import fmean
from typing import NamedTuple

from tavolino.bots.performance import Place, rating_of
from tavolino.coach.intervals import of_differences, over_deals
from tavolino.server.features.tournaments.stored import Tries


class Standing(NamedTuple):
    person: str
    counted: int
    share: float | None = None
    low: float | None = None
    high: float | None = None
    rating: float | None = None
    rating_low: float | None = None
    rating_high: float | None = None


class Compared(NamedTuple):
    person: str
    other: str
    deals: int
    mean: float
    low: float
    high: float


def standings(tries: Tries, closed: Collection[int], places: Mapping[int, Place]) -> list[Standing]:
    """The best first. `closed`: the numbers of the deals that count; `places`: where entrants sit in each of them. A
    game that was begun and not ended counts as lost."""
    found = [_standing(person, _scores(tries, person, closed), places) for person in tries]
    return sorted(found, key=lambda one: (one.share is None, -(one.share or 0.0), one.person))


def differences(tries: Tries, closed: Collection[int]) -> list[Compared]:
    """Of each two entrants, in the deals that both have begun."""
    scores = {person: _scores(tries, person, closed) for person in tries}
    found = []
    for person, other in permutations(tries, 2):
        if both := scores[person].keys() & scores[other].keys():
            by_deal = [scores[person][number] - scores[other][number] for number in sorted(both)]
            found.append(Compared(person, other, len(both), fmean(by_deal), *of_differences(by_deal)))
    return found


def _scores(tries: Tries, person: str, closed: Collection[int]) -> dict[int, float]:
    return {number: tried.score or 0.0 for number, tried in tries[person].items() if number in closed}


def _standing(person: str, scores: Mapping[int, float], places: Mapping[int, Place]) -> Standing:
    if not scores:
        return Standing(person, 0)
    games, share = len(scores), fmean(scores.values())
    low, high = over_deals(list(scores.values()), games)
    own = [places[number] for number in scores]
    return Standing(
        person,
        games,
        share,
        low,
        high,
        rating_of(own, share),
        rating_of(own, low) if low > 0 else None,
        rating_of(own, high) if high < 1 else None,
    )
