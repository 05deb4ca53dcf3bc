"""Puzzles: positions with one clearly best action that `medium` does not find and that can be explained.

Positions come from games of `medium` bots. A position that looks like a puzzle is judged again, in other worlds and
with more of them, so that none is found by chance.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Any, Literal

from tavolino.bots import SeatMatch, make_bot
from tavolino.coach.decision import Effort, Judgement, judge
from tavolino.coach.labels import BLUNDER, MISTAKE
from tavolino.coach.reasons import reasons
from tavolino.coach.worlds import LEVEL
from tavolino.engine.explanation import Fact
from tavolino.engine.game import Game
from tavolino.engine.match import Match

Difficulty = Literal["easy", "medium", "hard"]

CLEAR = 3.0  # standard errors between the best action and every other one
CONFIRMED = Effort(500_000, 2_000_000, 4_000_000, 4_000_000, 0, 0.007, 0.01)
FIRST_LOOK = Effort(60_000, 120_000, 200_000, 200_000, 0, 0.02, 0.03)
MANY = 8  # actions: with this many a puzzle is one step harder


@dataclass(frozen=True)
class Puzzle:
    """A position (a game up to it), its best action, and by how much it is best."""

    record: dict[str, Any]
    seat: int
    judgement: Judgement
    reasons: tuple[Fact, ...]

    @property
    def difficulty(self) -> Difficulty:
        """From the lead of the best action, and the number of actions."""
        step = (self.judgement.cost < 2 * BLUNDER) + (len(self.judgement.candidates) >= MANY)
        steps: tuple[Difficulty, ...] = ("easy", "medium", "hard")
        return steps[step]


def find_puzzles(game: Game, players: int, seed: int, games: int) -> Iterator[Puzzle]:
    """Yield the puzzles in so many games of `medium` bots."""
    for number in range(games):
        match = game.start(players, f"puzzles {seed} {number}")
        bots = [make_bot(LEVEL, game.name, seed + number * players + seat) for seat in range(players)]
        while (seat := match.to_act) is not None:
            action = bots[seat].choose(SeatMatch(match, seat))
            if len(match.legal()) > 1 and (found := puzzle_at(match, seat, action)) is not None:
                yield found
            match.advance(action)


def puzzle_at(match: Match, seat: int, usual: str) -> Puzzle | None:
    """The puzzle of a position in which `medium` plays `usual`, if it is one."""
    if judge(match, seat, usual, FIRST_LOOK).cost < MISTAKE:
        return None
    judged = judge(match, seat, usual, CONFIRMED, salt="puzzle")
    if judged.cost < MISTAKE or not judged.is_told_apart or not _is_alone(judged):
        return None
    facts = reasons(match, seat, judged.best, usual)
    return Puzzle(match.record(), seat, judged, facts) if facts else None


def _is_alone(judged: Judgement) -> bool:
    """Whether the best action is clearly ahead of every other one that was played to the end."""
    best, *others = (each for each in judged.candidates if not each.is_estimate)
    return all(best.chance - other.chance > CLEAR * sqrt(best.error**2 + other.error**2) for other in others)
