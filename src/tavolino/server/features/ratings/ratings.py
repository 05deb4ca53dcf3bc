"""Ratings of people by openskill's Plackett-Luce model, on the scale of the bots' fixed ratings (`bots/anchors.py`).

A side is as strong as its members are on average, so that one can play against many (decision 088).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from openskill.models import PlackettLuce

from tavolino.bots.anchors import MEDIUM, POINTS, anchors_of
from tavolino.engine.game import Game
from tavolino.server import protocol as p

NEW_SIGMA = 250.0
ANCHOR_SIGMA = 1.0  # a bot's strength does not change
SURE = 75.0  # the standard error below which a rating is shown as one number
BETA = POINTS / sqrt(2)  # so that the odds follow Elo's scale if both ratings are known
_model = PlackettLuce(mu=MEDIUM, sigma=NEW_SIGMA, beta=BETA, tau=NEW_SIGMA / 100)


class Rating(NamedTuple):
    mu: float
    sigma: float


NEW = Rating(MEDIUM, NEW_SIGMA)


class Side(NamedTuple):
    members: Sequence[Rating]
    rank: int  # the lowest is the best; equal ones are a draw
    bonus: float = 0.0  # the value of playing this side


def rate(sides: Sequence[Side]) -> list[list[Rating]]:
    """The ratings of the members of each side after a game."""
    # openskill adds up the members of a team; divided by their number, that is the mean. A bonus is not skill.
    teams = [
        [
            _model.rating((each.mu + side.bonus) / len(side.members), each.sigma / len(side.members))
            for each in side.members
        ]
        for side in sides
    ]
    rated = _model.rate(teams, ranks=[float(side.rank) for side in sides])
    return [
        [Rating(len(team) * each.mu - side.bonus, len(team) * each.sigma) for each in team]
        for side, team in zip(sides, rated, strict=True)
    ]


def rate_defeat(sides: Sequence[Side], own: int) -> list[Rating]:
    """The ratings of the members of a side that gives up: last, behind all others in the order of their strength.

    No defeat costs more, whoever wins and whoever shares a rank: so giving up never saves points.
    """

    def strength(number: int) -> float:
        side = sides[number]
        return sum(each.mu for each in side.members) / len(side.members) + side.bonus

    others = sorted((number for number in range(len(sides)) if number != own), key=strength, reverse=True)
    ranks = {number: rank for rank, number in enumerate([*others, own])}
    return rate([side._replace(rank=ranks[number]) for number, side in enumerate(sides)])[own]


def of_bot(game: Game, level: str) -> Rating:
    """A bot's rating, which never changes."""
    return Rating(anchors_of(game.folder).levels[level], ANCHOR_SIGMA)


def bonus_of_one(game: Game) -> float:
    """What playing as the one is worth in a game of one against all."""
    return anchors_of(game.folder).one


def shown(rating: Rating, games: int) -> p.Rating:
    """A rating as people see it: a range of two standard errors to both sides until it is sure."""
    reach = 2 * rating.sigma
    return p.Rating(
        value=round(rating.mu),
        low=round(rating.mu - reach),
        high=round(rating.mu + reach),
        sure=rating.sigma <= SURE,
        games=games,
    )
