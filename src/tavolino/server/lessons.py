"""Lessons: an arranged game with scripted moves, told from the learner's seat.

Each game keeps its script in `tutorial.json`: players, seed, options, decks, the learner's seat, and steps
with seat, action, the key of a sentence, and the key of what to say to another choice.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from tavolino.engine.game import Game
from tavolino.server import finished
from tavolino.server import protocol as p
from tavolino.server.problems import Refused


class Step(Struct, forbid_unknown_fields=True):
    seat: int
    action: str
    text: str
    wrong: str | None = None


class Script(Struct, forbid_unknown_fields=True):
    players: int
    seed: str | int
    seat: int
    steps: list[Step]
    options: dict[str, bool | int] = {}
    decks: dict[str, list[str]] | None = None
    end: str | None = None


def script_path(game: Game) -> Path:
    return game.folder / "tutorial.json"


@cache
def tutorial(game: Game) -> bytes:
    """The whole lesson, encoded; worked out once."""
    path = script_path(game)
    if not path.is_file():
        raise Refused("no-tutorial")
    script = msgspec.json.decode(path.read_bytes(), type=Script)
    match = game.start(script.players, script.seed, script.options, script.decks)
    frames = [finished.frame(match, script.seat, 0, None, None, 0)]
    for turn, step in enumerate(script.steps, start=1):
        if match.to_act != step.seat:
            raise ValueError(f"{path}: step {turn} is of seat {step.seat}, but seat {match.to_act} is to act")
        lines = len(match.view(None)["log"])
        match.play(step.action)
        frames.append(finished.frame(match, script.seat, turn, step.seat, step.action, lines))
    keyed = [
        p.Lesson(step.seat, step.action, _full(game, step.text), step.wrong and _full(game, step.wrong))
        for step in script.steps
    ]
    end = script.end and _full(game, script.end)
    return msgspec.json.encode(p.Tutorial(game.name, script.players, script.seat, frames, keyed, end))


def _full(game: Game, key: str) -> str:
    """Keys in a script are those of the game's own catalogue."""
    return f"{game.name}.{key}"
