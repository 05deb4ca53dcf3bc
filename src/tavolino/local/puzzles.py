"""The puzzles that come with the games, on this device. Which of them are solved is kept by the page."""

from __future__ import annotations

from typing import Any

from tavolino.coach.puzzle_files import puzzles_of
from tavolino.engine.game import Game
from tavolino.local import answers
from tavolino.server.errors import Refused, declare
from tavolino.server.games import positions

declare((("no-such-puzzle", 404),))


def answer(game: Game, rest: list[str], body: str | None) -> Any:
    """The list of a game's puzzles, a position, or what a try was worth."""
    puzzles = puzzles_of(game)
    if not rest:
        return positions.cards(puzzles, {})
    if len(rest) > 1:
        raise Refused("not-found")
    found = positions.puzzle(puzzles, rest[0])
    if not body:
        return positions.position(game, found.id, found.record, found.seat)
    tried: positions.Try = answers.decoded(body, positions.Try)
    said = positions.reasons_of(game, found)
    return positions.solution(tried.action, found.best, found.usual, found.actions, said)
