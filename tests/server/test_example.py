"""The example program of docs/protocol.md plays a whole game."""

from __future__ import annotations

import importlib.util
import threading
import urllib.error
from email.message import Message
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


def test_the_example_goes_on_when_the_answer_to_its_move_is_lost(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its move is kept, so the same one sent again is one too many."""
    server.ready("mantis")
    example, lost = load_example(), 0
    urlopen = example.urllib.request.urlopen

    def lose_one(request: Any, timeout: float) -> Any:
        nonlocal lost
        answer = urlopen(request, timeout=timeout)
        if not lost and b'"move"' in (request.data or b""):
            lost += 1
            answer.close()
            raise ConnectionResetError
        return answer

    monkeypatch.setattr(example.urllib.request, "urlopen", lose_one)
    assert example.play(server.address, "mantis")["how"] == "played"
    assert lost == 1


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_the_example_comes_back_when_a_proxy_has_no_server_for_it(
    server: Server, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    server.ready("mantis")
    example, refused = load_example(), 0
    urlopen = example.urllib.request.urlopen

    def refuse_one(request: Any, timeout: float) -> Any:
        nonlocal refused
        if not refused and b'"move"' in (request.data or b""):
            refused += 1
            raise urllib.error.HTTPError(request.full_url, status, "", Message(), None)
        return urlopen(request, timeout=timeout)

    monkeypatch.setattr(example.urllib.request, "urlopen", refuse_one)
    assert example.play(server.address, "mantis")["how"] == "played"
    assert refused == 1


@pytest.mark.slow
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
