"""Positions to solve, by a server and on a device without one: a game as it stood, and what the seat that had to decide
knew of it.

The record that leads there stays where it is: what is sent is that seat's view, log and notebook, as in play.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta

from tavolino.coach.puzzle_files import Puzzles, StoredPuzzle, explanation
from tavolino.coach.written import fact_json
from tavolino.engine.explanation import Theme
from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.engine.records import replay
from tavolino.server import protocol as p
from tavolino.server.errors import Refused

Difficulty = Literal["easy", "medium", "hard"]


class PuzzleCard(p.Body):
    """A puzzle in a list."""

    id: str
    difficulty: Difficulty
    players: int
    solved: bool | None  # by you; null: not tried yet
    theme: Theme | None = None  # what it is about; null where the game has no themes


class Position(p.Body):
    """A moment of a game as the seat that must decide sees it: what would you do?"""

    id: str
    game: str
    players: int
    seat: int
    view: p.View
    lines: list[p.Line]
    notebook: dict[str, Any]


class Try(p.Body):
    """What you would do."""

    action: Annotated[str, Meta(max_length=200)]


class Worth(p.Body):
    """An action, and the chance to win after it, over what the seat could know."""

    action: str
    chance: float
    error: float  # standard error
    estimate: bool  # from shortened playouts: it says how the action compares, and not more


class Solution(p.Body):
    """What came of a try. `usual` is what was played instead: by a medium bot, or by you in that game."""

    solved: bool
    chosen: str
    best: str
    usual: str
    cost: float  # of what you chose, in chance to win
    actions: list[Worth]  # the best one first
    reasons: list[p.Reason]
    due: int | None  # when the position comes back, in seconds since 1970; null: never


def cards(puzzles: Puzzles, solved: dict[str, bool]) -> list[PuzzleCard]:
    """All puzzles of a game, the easiest first."""
    return [
        PuzzleCard(each.id, each.difficulty, each.record["players"], solved.get(each.id), each.theme)
        for each in puzzles.values()
    ]


def puzzle(puzzles: Puzzles, name: str) -> StoredPuzzle:
    found = puzzles.get(name)
    if found is None:
        raise Refused("no-such-puzzle")
    return found


def position(game: Game, name: str, record: dict[str, Any], seat: int) -> Position:
    """Play a record to its end, and show what the seat sees there."""
    return seen(replay(record, lambda _: game), name, seat)


def seen(match: Match, name: str, seat: int) -> Position:
    """What a seat sees of a match."""
    view = match.view(seat)
    log: list[Any] = view.pop("log")
    return Position(name, match.game.name, match.players, seat, view, log, match.notebook(seat))  # type: ignore[arg-type]


def reasons_of(game: Game, found: StoredPuzzle) -> list[p.Reason]:
    """Why the best action of a puzzle is best, as the game explains it now."""
    return [p.Reason(**fact_json(fact)) for fact in explanation(found, game)]


def solution(
    chosen: str,
    best: str,
    usual: str,
    actions: Sequence[dict[str, Any]],
    said: list[p.Reason],
    due: int | None = None,
) -> Solution:
    """What a try was worth, against the best action."""
    worth = {each["action"]: each["chance"] for each in actions}
    if chosen not in worth:
        raise Refused("illegal-move")
    return Solution(
        solved=chosen == best,
        chosen=chosen,
        best=best,
        usual=usual,
        cost=max(0.0, round(worth[best] - worth[chosen], 4)),
        actions=[Worth(each["action"], each["chance"], each["error"], each["estimate"]) for each in actions],
        reasons=said,
        due=due,
    )
