"""Puzzles: found, confirmed, explained, and written as data that replays to the position."""

import json

import pytest

import tavolino
from tavolino.cli.puzzles import written
from tavolino.coach.puzzles import Puzzle, find_puzzles, puzzle_at
from tavolino.engine.records import replay


@pytest.fixture(scope="module")
def found() -> list[Puzzle]:
    """The first one that turns up; seed 0 has one in its first games."""
    for puzzle in find_puzzles(tavolino.load("infinity-gauntlet"), 2, 0, 20):
        return [puzzle]
    return []


def test_a_puzzle_has_one_best_action_that_medium_does_not_find(found: list[Puzzle]) -> None:
    (puzzle,) = found
    judged = puzzle.judgement
    assert judged.best != judged.chosen == judged.usual
    assert judged.is_told_apart
    assert judged.cost >= 0.05
    assert puzzle.reasons
    assert puzzle.difficulty in ("easy", "medium", "hard")


def test_its_record_leads_to_the_position_and_it_is_found_there_again(found: list[Puzzle]) -> None:
    (puzzle,) = found
    match = replay(json.loads(json.dumps(puzzle.record)), tavolino.load)
    assert match.to_act == puzzle.seat
    assert puzzle.judgement.best in match.legal()
    assert puzzle_at(match, puzzle.seat, puzzle.judgement.chosen) == puzzle


def test_where_medium_plays_the_best_action_there_is_no_puzzle(found: list[Puzzle]) -> None:
    (puzzle,) = found
    match = replay(puzzle.record, tavolino.load)
    assert puzzle_at(match, puzzle.seat, puzzle.judgement.best) is None


def test_a_puzzle_is_written_as_data(found: list[Puzzle]) -> None:
    (puzzle,) = found
    data = json.loads(json.dumps(written(puzzle)))
    assert data["best"] != data["usual"]
    assert data["actions"][0]["action"] == data["best"]
    assert all(fact["key"].startswith("reason.") for fact in data["reasons"])
