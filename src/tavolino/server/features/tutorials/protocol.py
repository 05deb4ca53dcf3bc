"""A tutorial as it is sent."""

from __future__ import annotations

from tavolino.server import protocol as p


class Lesson(p.Body):
    """What the learner, or a scripted opponent, does after the frame of the same position."""

    seat: int
    action: str
    text: str | None  # catalogue key: what the learner is asked, before the step; null for an opponent's step
    after: str | None  # catalogue key: what came of the step, once it has been shown
    wrong: str | None  # catalogue key: what to say when another choice is tried


class Chapter(p.Body):
    """An arranged game told from the learner's seat: frame 0, then lesson 0, then frame 1, ..."""

    players: int
    seat: int
    frames: list[p.Frame]
    lessons: list[Lesson]
    end: str | None  # catalogue key of the closing sentence


class Tutorial(p.Body):
    """A lesson: one arranged game, or several one after the other (for instance one for each side)."""

    game: str
    chapters: list[Chapter]
