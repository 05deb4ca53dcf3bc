"""Puzzles as data: one line of JSON each, in the file `puzzles.jsonl.gz` (or `puzzles.jsonl`) of a game's folder.

A game without it has none. A server may have more, in a file of its own for each game (`with_more`).

Difficulty is relative: the third of a game's puzzles that most players would find is easy, the last third is hard.
"""

import gzip
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from tavolino.coach.puzzles import Puzzle
from tavolino.coach.reasons import played_out, reasons
from tavolino.coach.written import candidate_json, fact_json, round_number
from tavolino.engine.errors import BadRecord, IllegalAction
from tavolino.engine.explanation import Fact, Theme
from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.engine.records import replay

FILES = ("puzzles.jsonl.gz", "puzzles.jsonl")  # the first one that is there
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
    theme: Theme | None
    actions: list[dict[str, Any]]


Puzzles = dict[str, StoredPuzzle]  # by their ids, the easiest first
Row = dict[str, Any]  # a puzzle as it is written


@cache
def puzzles_of(game: Game) -> Puzzles:
    """The puzzles that come with a game."""
    return _arrange(_shipped(game))


def with_more(game: Game, path: Path, refuse: Callable[[str], None]) -> Puzzles:
    """The puzzles that come with a game, and those of another file.

    What is no puzzle of this game is left out: `refuse` gets a sentence for each such line.
    """
    more: list[Row] = []
    for number, line in enumerate(path.read_text("utf-8", "replace").splitlines() if path.is_file() else (), 1):
        if line:
            try:
                more.append(_check(path, number, line, game))
            except NoPuzzle as refusal:
                refuse(str(refusal))
    return _arrange([*_shipped(game), *more])


def _shipped(game: Game) -> list[Row]:
    path = next((game.folder / name for name in FILES if (game.folder / name).is_file()), None)
    if path is None:
        return []
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in content.decode().splitlines() if line]


def _arrange(rows: list[Row]) -> Puzzles:
    rows.sort(key=lambda row: -row["found_by"])
    read = [_read(row, DIFFICULTIES[len(DIFFICULTIES) * nth // len(rows)]) for nth, row in enumerate(rows)]
    return {each.id: each for each in read}


def _read(row: Row, difficulty: Difficulty) -> StoredPuzzle:
    kept = {key: row[key] for key in ("record", "seat", "best", "usual", "cost", "actions")}
    theme = row.get("theme")
    return StoredPuzzle(id=str(row["record"]["chain"])[:ID_LENGTH], difficulty=difficulty, theme=theme, **kept)


def explanation(puzzle: StoredPuzzle, game: Game) -> tuple[Fact, ...]:
    """Why the best action is best, as the game explains it now; if it gives no reason, how often the actions win."""
    return explained(replay(puzzle.record, lambda _: game), puzzle.seat, puzzle.best, puzzle.usual, puzzle.actions)


def explained(match: Match, seat: int, best: str, usual: str, actions: Sequence[Row]) -> tuple[Fact, ...]:
    chances = {each["action"]: each["chance"] for each in actions}
    return reasons(match, seat, best, usual) or (played_out(chances[best], chances[usual]),)


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
        "theme": puzzle.theme,
        "actions": [candidate_json(each) for each in puzzle.actions],
        "reasons": [fact_json(fact) for fact in puzzle.reasons],
    }


def append(path: Path, puzzle: Puzzle) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(written(puzzle), separators=(",", ":"), ensure_ascii=False) + "\n")


class NoPuzzle(ValueError):
    """A line of a file that is no puzzle of the game."""


def _check(path: Path, number: int, line: str, game: Game) -> Row:
    """A line of a file that somebody else has written: its position is played, and its actions must be those there."""
    row = _row(path, number, line, game)
    where = f"{path}, line {number}"
    try:
        match = replay(row["record"], lambda _: game)
        actions = [each["action"] for each in row["actions"]]
        chances = [float(each["chance"]) for each in row["actions"]]
        told = [*chances, float(row["found_by"]), float(row["cost"])]
        told += [float(each["error"]) for each in row["actions"]]
        usual, theme = row["usual"], row.get("theme")
    except (BadRecord, IllegalAction, ValueError, KeyError, TypeError) as wrong:
        raise NoPuzzle(f"{where}: this position cannot be played ({wrong}). The line is left out.") from None
    is_best = actions[:1] == [row.get("best")] and all(chance < chances[0] for chance in chances[1:])
    is_choice = sorted(actions) == sorted(match.legal()) and usual in actions[1:]
    if match.to_act != row.get("seat") or not is_choice or not is_best:
        raise NoPuzzle(f"{where}: the actions do not fit the position. The line is left out.")
    if not all(0.0 <= each <= 1.0 for each in told) or theme not in (None, *get_args(Theme)):
        raise NoPuzzle(f"{where}: chances are from 0 to 1, and themes are known words. The line is left out.")
    return row


def games_done(path: Path, game: Game, seed: int) -> int:
    """How many games a search had done at the last puzzle of a file; it continues from there."""
    if not path.is_file():
        return 0
    done = 0
    for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
        if line:
            of, searched = _source(_row(path, number, line, game))
            done = max(done, searched + 1) if of == str(seed) else done
    return done


def _row(path: Path, number: int, line: str, game: Game) -> Row:
    """A line of a file, if it claims to be a puzzle of the game."""
    try:
        row: Row = json.loads(line)
        named = row["record"]["game"]
    except (ValueError, KeyError, TypeError):
        raise NoPuzzle(f"{path}, line {number}: this is no puzzle. Remove the line, or choose another file.") from None
    if named != game.name:
        raise NoPuzzle(f"{path}, line {number}: a puzzle of {named}, not of {game.name}. Choose another file.")
    return row


def _source(row: Row) -> tuple[str, int]:
    """The seed and the game of the search that found a puzzle; a position from elsewhere has none."""
    match str(row["record"].get("seed")).split():
        case _, of, searched if searched.isdecimal():
            return of, int(searched)
    return "", -1
