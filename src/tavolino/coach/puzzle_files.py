"""Puzzles as data: one line of JSON each, in the file `puzzles.jsonl` of a game's folder. A game without it has none.

Difficulty is relative: the third of a game's puzzles that most players would find is easy, the last third is hard.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from tavolino.coach.puzzles import Puzzle
from tavolino.coach.reasons import played_out, reasons
from tavolino.coach.written import candidate_json, fact_json, round_number
from tavolino.engine.explanation import Fact
from tavolino.engine.game import Game
from tavolino.engine.records import replay

FILE = "puzzles.jsonl"
ID_LENGTH = 12
Difficulty = Literal["easy", "medium", "hard"]
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard")


@dataclass(frozen=True)
class StoredPuzzle:
    """A puzzle as it was found. Its costs are stored; its reasons are computed when it is shown."""

    id: str
    record: dict[str, Any]
    seat: int
    best: str
    usual: str
    cost: float
    difficulty: Difficulty
    actions: list[dict[str, Any]]


@cache
def puzzles_of(game: Game) -> dict[str, StoredPuzzle]:
    """The puzzles of a game by their ids, the easiest first."""
    path = game.folder / FILE
    if not path.is_file():
        return {}
    found = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
    found.sort(key=lambda data: -data["found_by"])
    read = [_read(data, DIFFICULTIES[len(DIFFICULTIES) * nth // len(found)]) for nth, data in enumerate(found)]
    return {each.id: each for each in read}


def _read(data: dict[str, Any], difficulty: Difficulty) -> StoredPuzzle:
    kept = {key: data[key] for key in ("record", "seat", "best", "usual", "cost", "actions")}
    return StoredPuzzle(id=str(data["record"]["chain"])[:ID_LENGTH], difficulty=difficulty, **kept)


def explanation(puzzle: StoredPuzzle, game: Game) -> tuple[Fact, ...]:
    """Why the best action is best, as the game explains it now; if it gives no reason, how often the actions win."""
    said = reasons(replay(puzzle.record, lambda _: game), puzzle.seat, puzzle.best, puzzle.usual)
    chances = {each["action"]: each["chance"] for each in puzzle.actions}
    return said or (played_out(chances[puzzle.best], chances[puzzle.usual]),)


def written(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle as JSON."""
    return {
        "record": {key: value for key, value in puzzle.record.items() if key != "hash"},  # the chain binds it
        "seat": puzzle.seat,
        "best": puzzle.best,
        "usual": puzzle.usual,
        "cost": round_number(puzzle.cost),
        "cost_error": round_number(puzzle.cost_error),
        "found_by": round_number(puzzle.found_by),
        "actions": [candidate_json(each) for each in puzzle.actions],
        "reasons": [fact_json(fact) for fact in puzzle.reasons],
    }


def append(path: Path, puzzle: Puzzle) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(written(puzzle), separators=(",", ":"), ensure_ascii=False) + "\n")


class NoPuzzle(ValueError):
    """A line of a file that is no puzzle of the game."""


def games_done(path: Path, game: Game, seed: int) -> int:
    """How many games a search had done at the last puzzle of a file; it continues from there."""
    if not path.is_file():
        return 0
    done = 0
    for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
        if line:
            of, searched = _source(path, number, line, game)
            done = max(done, searched + 1) if of == str(seed) else done
    return done


def _source(path: Path, number: int, line: str, game: Game) -> tuple[str, int]:
    """The seed and the game of the search that found a puzzle."""
    try:
        record = json.loads(line)["record"]
        named = record["game"]
        _, of, searched = str(record["seed"]).split()
        found = of, int(searched)
    except (ValueError, KeyError, TypeError):
        raise NoPuzzle(f"{path}, line {number}: this is no puzzle. Remove the line, or choose another file.") from None
    if named != game.name:
        raise NoPuzzle(f"{path}, line {number}: a puzzle of {named}, not of {game.name}. Choose another file.")
    return found
