"""The example program of docs/protocol.md plays a whole game."""

from __future__ import annotations

import importlib.util
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.server.conftest import GAMES, Server
from tests.server.killing import KillableServer

FILE = Path(__file__).parents[2] / "examples" / "play_over_http.py"


def load_example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("play_over_http", FILE)
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    return example


@pytest.mark.parametrize("game", GAMES)
def test_the_example_plays_a_whole_game(server: Server, game: str) -> None:
    server.ready(game)
    assert load_example().play(server.address, game)["how"] == "played"


@pytest.mark.timeout(180)
def test_the_example_outlives_a_server_that_is_killed_and_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, example, asked = KillableServer(tmp_path), load_example(), 0
    starting = threading.Thread(target=server.start)
    server.start()

    def kill_at_the_third(view: dict[str, Any]) -> str:
        nonlocal asked
        asked += 1
        if asked == 3:
            server.kill()
            starting.start()
        action: str = view["legal"][0]
        return action

    monkeypatch.setattr(example, "choose", kill_at_the_third)
    try:
        assert example.play(server.address, "mantis")["how"] == "played"
        assert asked > 3
        starting.join()
    finally:
        server.kill()
        server.close()
