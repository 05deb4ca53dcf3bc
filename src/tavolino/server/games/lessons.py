"""Lessons: an arranged game with scripted moves, told from the learner's seat.

Each game keeps its script in `tutorial.json`: players, seed, options, decks, the learner's seat, and steps
with seat, action, the key of a sentence, and the key of what to say to another choice. `then` is the next chapter.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from tavolino.engine.game import Game
from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.games import replays as finished
from tavolino.server.http.static import Served, served


class Step(Struct, forbid_unknown_fields=True):
    seat: int
    action: str
    text: str | None = None
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
    return game.folder / "tutorial.json"


@cache
def tutorial(game: Game) -> Served:
    """The whole lesson; worked out once."""
    path = script_path(game)
    if not path.is_file():
        raise Refused("no-tutorial")
    script: Script | None = msgspec.json.decode(path.read_bytes(), type=Script)
    chapters = []
    while script is not None:
        chapters.append(_chapter(game, script))
        script = script.then
    return served(msgspec.json.encode(p.Tutorial(game.name, chapters)), "application/json")


def _chapter(game: Game, script: Script) -> p.Chapter:
    """One arranged game, played as its script says."""
    match = game.start(script.players, script.seed, script.options, script.decks)
    frames = [finished.frame(match, script.seat, 0, None, None, 0)]
    for turn, step in enumerate(script.steps, start=1):
        if match.to_act != step.seat:
            raise ValueError(f"{game.name}: step {turn} is of seat {step.seat}, but seat {match.to_act} is to act")
        lines = match.lines
        match.play(step.action)
        frames.append(finished.frame(match, script.seat, turn, step.seat, step.action, lines))
    lessons = [
        p.Lesson(step.seat, step.action, _full(game, step.text), _full(game, step.wrong)) for step in script.steps
    ]
    return p.Chapter(script.players, script.seat, frames, lessons, _full(game, script.end))


def _full(game: Game, key: str | None) -> str | None:
    """Keys in a script are those of the game's own catalogue."""
    return None if key is None else f"{game.name}.{key}"
