"""Puzzles: found, confirmed, explained, and written as data that replays to the position."""

import json

import pytest

import tavolino
from tavolino.coach.puzzle_files import written
from tavolino.coach.puzzles import Puzzle, find_puzzles, puzzle_at
from tavolino.engine.records import replay


@pytest.fixture(scope="module")
def found() -> list[Puzzle]:
    """The first one that turns up; seed 0 has one in its first games."""
    for puzzle in find_puzzles(tavolino.load("infinity-gauntlet"), [2], 0, range(20)):
        return [puzzle]
    return []


def test_a_puzzle_has_one_best_action_that_medium_does_not_find(found: list[Puzzle]) -> None:
    (puzzle,) = found
    assert puzzle.best != puzzle.usual
    assert puzzle.cost >= 0.05
    assert puzzle.cost > 2.5 * puzzle.cost_error
    assert puzzle.reasons
    assert 0 < puzzle.found_by < 1


def test_its_record_leads_to_the_position_and_it_is_found_there_again(found: list[Puzzle]) -> None:
    (puzzle,) = found
    match = replay(json.loads(json.dumps(puzzle.record)), tavolino.load)
    assert match.to_act == puzzle.seat
    assert sorted(each.action for each in puzzle.actions) == sorted(match.legal())
    assert puzzle_at(match, puzzle.seat, puzzle.usual) == puzzle


def test_where_medium_plays_the_best_action_there_is_no_puzzle(found: list[Puzzle]) -> None:
    (puzzle,) = found
    match = replay(puzzle.record, tavolino.load)
    assert puzzle_at(match, puzzle.seat, puzzle.best) is None


def test_a_puzzle_is_written_as_data(found: list[Puzzle]) -> None:
    (puzzle,) = found
    data = json.loads(json.dumps(written(puzzle)))
    assert data["best"] != data["usual"]
    assert data["actions"][0]["action"] == data["best"]
    assert all(fact["key"].startswith("reason.") for fact in data["reasons"])
