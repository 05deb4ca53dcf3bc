"""The puzzles that come with the games: enough of them, each one reachable, solvable and explained in all languages."""

from collections import Counter
from typing import get_args

import pytest

import tavolino
from tavolino.cli.words import Words
from tavolino.coach.labels import MISTAKE
from tavolino.coach.puzzle_files import DIFFICULTIES, FILES, StoredPuzzle, explanation, puzzles_of
from tavolino.coach.reasons import PLAYED_OUT
from tavolino.engine.explanation import Theme
from tavolino.engine.records import replay
from tavolino.games import package_of

OURS = [name for name in tavolino.games() if package_of(name).startswith("tavolino.games.")]
ENOUGH = 120
MAX_BYTES = 200_000  # of the file of a game


@pytest.fixture(params=OURS)
def game(request: pytest.FixtureRequest) -> tavolino.Game:
    return tavolino.load(request.param)


def test_a_game_has_enough_puzzles_of_every_difficulty(game: tavolino.Game) -> None:
    found = puzzles_of(game)
    assert len(found) >= ENOUGH
    counted = Counter(puzzle.difficulty for puzzle in found.values())
    assert min(counted[each] for each in DIFFICULTIES) >= ENOUGH // 3
    assert [DIFFICULTIES.index(puzzle.difficulty) for puzzle in found.values()] == sorted(
        DIFFICULTIES.index(puzzle.difficulty) for puzzle in found.values()
    ), "the easiest come first"


def test_every_puzzle_is_a_position_with_one_best_action_that_medium_did_not_play(game: tavolino.Game) -> None:
    for puzzle in puzzles_of(game).values():
        match = replay(puzzle.record, tavolino.load)
        assert match.game is game
        assert match.to_act == puzzle.seat, puzzle.id
        assert sorted(each["action"] for each in puzzle.actions) == sorted(match.legal())
        assert puzzle.actions[0]["action"] == puzzle.best != puzzle.usual
        ahead = [puzzle.actions[0]["chance"] - each["chance"] for each in puzzle.actions[1:]]
        assert ahead == sorted(ahead)
        assert min(ahead) > 0
        assert puzzle.cost >= MISTAKE


def test_the_game_explains_every_puzzle_in_words(game: tavolino.Game) -> None:
    for puzzle in puzzles_of(game).values():
        match = replay(puzzle.record, tavolino.load)
        said = explanation(puzzle, game)
        assert said, puzzle.id
        assert said[0].key != PLAYED_OUT, f"{puzzle.id}: a puzzle has a reason that can be read off the table"
        for language in ("en", "it", "pl"):
            words = Words(game, language, range(match.players), puzzle.seat)
            sentences = [words.say(f"reason.{fact.key}", fact.params) for fact in said]
            assert not any(not each or "reason." in each or "{" in each for each in sentences), sentences


def test_no_position_comes_twice(game: tavolino.Game) -> None:
    found = list(puzzles_of(game).values())
    assert len({_position(puzzle) for puzzle in found}) == len(found)


def _position(puzzle: StoredPuzzle) -> str:
    return f"{puzzle.record['seed']} {puzzle.record['actions']}"


def test_a_game_has_puzzles_of_several_themes_in_a_small_file(game: tavolino.Game) -> None:
    themes = Counter(puzzle.theme for puzzle in puzzles_of(game).values())
    assert set(themes) <= set(get_args(Theme))
    assert len(themes) >= 2
    assert (game.folder / FILES[0]).stat().st_size <= MAX_BYTES
