"""/readyz, for proxies, is not /healthz, for operators; /livez is neither. And which addresses are pages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tavolino.server import features
from tavolino.server.http.static import Page
from tavolino.server.storage import StorageError
from tavolino.server.tables import health
from tests.server.conftest import GAMES, Server

StartServer = Callable[..., Server]


def ready(server: Server) -> tuple[int, list[str]]:
    answer = httpx.get(f"{server.address}/readyz")
    return answer.status_code, answer.json()["reasons"]


def status(server: Server, path: str) -> int:
    return httpx.get(server.address + path).status_code


def all_ready(server: Server) -> Server:
    for game in GAMES:
        server.ready(game)
    return server


def test_a_server_is_ready_when_each_game_is_ready_or_has_failed_once(server: Server) -> None:
    library = all_ready(server).context.library
    assert ready(server) == (200, [])
    library._ready["mantis"].clear()
    try:
        assert ready(server) == (503, ["the game mantis is being made ready"])
        library.failed["mantis"] = "it cannot be compiled"
        assert ready(server) == (200, [])
        assert httpx.get(f"{server.address}/readyz").json()["failed_games"] == ["mantis"]
        assert status(server, "/healthz") == 503
    finally:
        library.failed.clear()
        library._ready["mantis"].set()


def test_a_damaged_table_keeps_no_server_out(server: Server) -> None:
    all_ready(server).registry.damaged.add("x")
    try:
        assert (status(server, "/healthz"), ready(server)) == (503, (200, []))
    finally:
        server.registry.damaged.clear()


def test_a_server_that_stops_is_not_ready(server: Server) -> None:
    all_ready(server).registry.is_stopping = True
    try:
        assert ready(server) == (503, ["the server is stopping"])
        assert status(server, "/livez") == 200
    finally:
        server.registry.is_stopping = False


def test_a_server_whose_storage_fails_or_does_not_answer_is_not_ready(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail() -> Any:
        raise StorageError("gone")

    async def hang() -> Any:
        await asyncio.sleep(1e6)

    all_ready(server)
    monkeypatch.setattr(health, "READY_SECONDS", 0.1)
    for broken in (fail, hang):
        with monkeypatch.context() as patched:
            patched.setattr(server.context.storage, "last_moment", broken)
            assert ready(server) == (503, ["the storage does not answer"])
            assert status(server, "/livez") == 200
    assert ready(server) == (200, [])


@pytest.mark.parametrize("path", ["/", "/table/x", "/puzzles/mantis/3", "/learn/mantis/rules", "/you/", "/learn"])
def test_pages(path: str) -> None:
    assert Page(pages=features.pages()).is_page(path)


def test_the_pages_of_a_feature_that_is_off_are_not_found() -> None:
    page = Page(pages=features.pages(without=("circles",)))
    assert [page.is_page(path) for path in ("/circles", "/circle/x", "/daily")] == [False, False, True]


@pytest.mark.parametrize("path", ["/health", "/ready", "/table", "/table/x/y", "/wp-admin", "/learn/mantis", "/status"])
def test_an_address_that_is_no_page_is_not_found(server: Server, path: str) -> None:
    assert not Page(pages=features.pages()).is_page(path)
    assert status(server, path) == 404
    assert httpx.get(server.address + path, headers={"Accept": "text/html"}).status_code == 404
