"""Answers about people: their finished games, figures and ratings."""

from __future__ import annotations

from tavolino.server.protocol.common import Body, HowEnded, Rating


class PlayedGame(Body):
    """A finished game of yours."""

    table: str
    game: str
    ended: int  # seconds since 1970
    players: int
    people: int  # among the others
    against: list[str | None]  # names; null for a bot, or for somebody who was forgotten
    how: HowEnded
    won: bool
    given_away: float | None  # chance to win, over all decisions; null: not reviewed for you
    decisions: int | None  # yours, in the review


class GameFigures(Body):
    """Your figures in one game."""

    game: str
    games: int
    decided: int  # of them were won or lost: the others were given up by agreement, left or closed
    wins: int
    low: float  # Wilson's 95 % interval of the share of wins
    high: float
    cost: float | None  # of a decision, on average, in chance to win; null: nothing is reviewed yet
    costs: list[float]  # the same for each of the last reviewed games, the oldest first
    streak: int  # wins in a row, now
    longest: int


class RatedGame(Body):
    """Your rating after a rated game."""

    table: str
    ended: int  # seconds since 1970
    rating: Rating


class RatingHistory(Body):
    game: str
    rating: Rating  # now
    games: list[RatedGame]  # the oldest first


class Profile(Body):
    figures: list[GameFigures]
    games: list[PlayedGame]  # the newest first
    ratings: list[RatingHistory]  # of the games that you have played rated
