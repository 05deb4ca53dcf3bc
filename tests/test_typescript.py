"""The page's types and facts are generated from the games, and the games' views are what their types say."""

import subprocess
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import msgspec
import pytest

import tavolino
from tavolino.engine import typescript
from tavolino.engine.match import COMMON_KEYS
from tavolino.engine.testing import random_game, viewers
from tavolino.games import packages

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / typescript.FOLDER


@pytest.fixture(params=typescript.drawn_games(FOLDER))
def game(request: pytest.FixtureRequest) -> tavolino.Game:
    """Each game that the page draws."""
    return tavolino.load(request.param)


def view_module(game: tavolino.Game) -> ModuleType:
    return import_module(f"{packages()[game.name]}.view")


def test_the_generated_files_are_not_committed(game: tavolino.Game) -> None:
    """`scripts/build-page` writes them."""
    for name in typescript.files(game.name):
        path = FOLDER / game.name / name
        ignored = subprocess.run(["git", "check-ignore", "--quiet", path], cwd=ROOT, check=False)
        assert ignored.returncode == 0, path


def test_views_and_notebooks_have_exactly_the_keys_and_values_of_their_types(game: tavolino.Game) -> None:
    module = view_module(game)
    for players in game.players:
        for match in random_game(game, players, seed=players):
            for viewer in viewers(match):
                view = {key: value for key, value in match.view(viewer).items() if key not in COMMON_KEYS}
                check(view, module.View)
                check(match.notebook(viewer), module.Notebook)


def check(value: dict[str, Any], kind: Any) -> None:
    """TypedDicts take unknown keys; what comes back has only the known ones."""
    assert msgspec.convert(value, kind, strict=True) == value


def test_parts_are_what_their_type_says(game: tavolino.Game) -> None:
    module = view_module(game)
    parts = msgspec.json.decode(msgspec.json.encode(dict(game.parts)))
    typed = msgspec.convert(parts, module.Parts, strict=True)
    assert typed == {key: parts[key] for key in typed}


def test_the_named_words_are_those_of_the_facts(game: tavolino.Game) -> None:
    """`Literal` types must repeat the words of facts.py: here they are compared."""
    module = view_module(game)
    for key, words in (("Colour", "colours"), ("Token", "tokens")):
        if hasattr(module, key):
            assert list(get_args(getattr(module, key))) == list(game.parts[words]), key
