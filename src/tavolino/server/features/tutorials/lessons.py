"""Lessons: an arranged game with scripted moves, told from the learner's seat.

Each game keeps its script in `tutorial.json`: players, seed, options, decks, the learner's seat, and steps with seat,
action, the key of what is asked before it (the learner's steps only), the key of what is said after it, and the key of
what to say to another choice. `then` is the next chapter.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

from tavolino.engine.game import Game
from tavolino.server.errors import Refused
from tavolino.server.features.tutorials.protocol import Chapter, Lesson, Tutorial
from tavolino.server.games import replays
from tavolino.server.games.content import TUTORIAL


class Step(Struct, forbid_unknown_fields=True):
    seat: int
    action: str
    text: str | None = None
    after: str | None = None
    wrong: str | None = None


class Script(Struct, forbid_unknown_fields=True):
    players: int
    seed: str | int
    seat: int
    steps: list[Step]
    options: dict[str, bool | int] = {}
    decks: dict[str, list[str]] | None = None
    end: str | None = None
    then: Script | None = None


def script_path(game: Game) -> Path:
    return game.folder / TUTORIAL


def is_there(game: Game) -> bool:
    return script_path(game).is_file()


def check_there(game: Game) -> None:
    if not is_there(game):
        raise Refused("no-tutorial")


def tutorial(game: Game) -> Tutorial:
    """The whole lesson, with every view of the learner."""
    check_there(game)
    script: Script | None = msgspec.json.decode(script_path(game).read_bytes(), type=Script)
    chapters = []
    while script is not None:
        chapters.append(_chapter(game, script))
        script = script.then
    return Tutorial(game.name, chapters)


def _chapter(game: Game, script: Script) -> Chapter:
    """One arranged game, played as its script says."""
    match = game.start(script.players, script.seed, script.options, script.decks)
    frames = list(replays.frames(match, (step.action for step in script.steps), script.seat))
    for turn, (step, frame) in enumerate(zip(script.steps, frames[1:], strict=True), start=1):
        if frame.seat != step.seat:
            raise ValueError(f"{game.name}: step {turn} is of seat {step.seat}, but seat {frame.seat} is to act")
        if (step.text is not None) != (step.seat == script.seat):
            raise ValueError(f"{game.name}: step {turn} must have a text if it is the learner's, and only then")
    lessons = [
        Lesson(
            step.seat, step.action, _full_key(game, step.text), _full_key(game, step.after), _full_key(game, step.wrong)
        )
        for step in script.steps
    ]
    return Chapter(script.players, script.seat, frames, lessons, _full_key(game, script.end))


def _full_key(game: Game, key: str | None) -> str | None:
    """Keys in a script are those of the game's own catalogue."""
    return None if key is None else f"{game.name}.{key}"
