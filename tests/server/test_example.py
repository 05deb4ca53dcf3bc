"""The example program of docs/protocol.md plays a whole game."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from tests.server.conftest import GAMES, Server

FILE = Path(__file__).parents[2] / "examples" / "play_over_http.py"


@pytest.mark.parametrize("game", GAMES)
def test_the_example_plays_a_whole_game(server: Server, game: str) -> None:
    server.ready(game)
    spec = importlib.util.spec_from_file_location("play_over_http", FILE)
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    ending = example.play(server.address, game)
    assert ending["how"] == "played"
