"""Ratings of the players of an arena, by openskill's Plackett-Luce model."""

from collections.abc import Sequence
from typing import Any

from tavolino.engine.extras import require
from tavolino.lab.seatings import Seating


def rate(seatings: Sequence[Seating], outcomes: Any) -> dict[str, dict[str, float]]:
    """For each side: mu, sigma, and the ordinal mu - 3 sigma that a table is sorted by.

    All games count, in the order of the deals. Sides that win together are equal; losers are equal too.
    """
    require("lab", "openskill")
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    ratings = {name: model.rating(name=name) for seating in seatings for name, _ in seating.sides}
    for deal in outcomes:
        for seating, (winners, _, _) in zip(seatings, deal, strict=True):
            names = [name for name, _ in seating.sides]
            if len(set(names)) < 2 or not winners:
                continue
            ranks = [0.0 if any(winners >> seat & 1 for seat in seats) else 1.0 for _, seats in seating.sides]
            rated = model.rate([[ratings[name]] for name in names], ranks=ranks)
            _take_over(ratings, names, [team[0] for team in rated])
    return {
        name: {"mu": rating.mu, "sigma": rating.sigma, "ordinal": rating.ordinal()} for name, rating in ratings.items()
    }


def _take_over(ratings: dict[str, Any], names: Sequence[str], rated: Sequence[Any]) -> None:
    """If a player has several seats, its rating changes by the mean over these seats."""
    for name in set(names):
        own = [rating for each, rating in zip(names, rated, strict=True) if each == name]
        ratings[name].mu = sum(rating.mu for rating in own) / len(own)
        ratings[name].sigma = sum(rating.sigma for rating in own) / len(own)
