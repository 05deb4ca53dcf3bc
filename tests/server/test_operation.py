"""Operation: health, metrics, the page, logs, a quick stop, a clear message when the server cannot start."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import HTTPConnection

from tavolino.server.access import is_local
from tavolino.server.http.static import Page
from tavolino.server.kernel import actor
from tavolino.server.settings import Limits
from tests.ports import free_port
from tests.server.clients import Guest
from tests.server.conftest import Server

Guests = Callable[[int], list[Guest]]
SERVE = "import typer; from tavolino.cli.serve import serve; app = typer.Typer(); app.command()(serve); app()"


def serve(data: Path, port: int, *options: str) -> subprocess.Popen[str]:
    arguments = ["--port", str(port), "--data", str(data), "--log-format", "json", *options]
    return subprocess.Popen([sys.executable, "-c", SERVE, *arguments], stderr=subprocess.PIPE, text=True)


def answers(port: int, path: str = "/healthz", timeout: float = 240) -> httpx.Response:
    end = time.monotonic() + timeout
    while True:
        try:
            return httpx.get(f"http://127.0.0.1:{port}{path}", timeout=30)
        except httpx.TransportError:
            assert time.monotonic() < end
            time.sleep(0.05)


def test_the_command_serves_and_stops_within_five_seconds_with_people_connected(tmp_path: Path) -> None:
    port = free_port()
    process = serve(tmp_path, port, "--log-level", "debug")
    try:
        assert answers(port).json()["status"] == "ok"
        ada = Guest(f"http://127.0.0.1:{port}")
        table = ada.open("mantis", 2)
        with ada.socket(table) as connected:
            connected.until("table")
            started = time.monotonic()
            process.send_signal(signal.SIGTERM)
            process.wait(10)
            assert time.monotonic() - started < 5
            connected.drain()
            assert connected.close_code == 1012  # "service restart": come back
    finally:
        process.kill()
        assert process.stderr is not None
        lines = process.stderr.read().splitlines()
        process.stderr.close()
    events = [json.loads(line)["event"] for line in lines]  # every line is JSON
    assert any(event.startswith(f"Tavolino is at http://127.0.0.1:{port}") for event in events)
    assert "stopped" in events
    assert ada.token not in "\n".join(lines)


def test_threat_19_a_second_server_says_why_it_does_not_start(tmp_path: Path) -> None:
    port = free_port()
    first = serve(tmp_path, port)
    try:
        answers(port)
        second = serve(tmp_path, free_port())
        _, error = second.communicate(timeout=240)
        assert second.returncode == 1
        assert "another server" in error
        assert str(first.pid) in error
    finally:
        first.terminate()
        first.communicate(timeout=120)


@pytest.mark.parametrize(
    "wrong",
    [
        "a file as folder",
        pytest.param("under a file", marks=pytest.mark.slow),
        pytest.param("no such host", marks=pytest.mark.slow),
        pytest.param("not our address", marks=pytest.mark.slow),
        "port in use",
    ],
)
def test_what_cannot_start_says_why_in_one_sentence(tmp_path: Path, wrong: str) -> None:
    folder, host, port = tmp_path / "data", "127.0.0.1", free_port()
    with socket.socket() as other:
        if wrong == "port in use":
            other.bind((host, 0))
            other.listen()
            port, expected = other.getsockname()[1], "something else listens there already"
        elif wrong == "no such host":
            host, expected = "no-such-host.invalid", "there is no such host"
        elif wrong == "not our address":
            host, expected = "192.0.2.1", "this machine does not have that address"
        else:
            folder = Path("/etc/passwd") if wrong == "a file as folder" else Path("/etc/passwd/data")
            expected = f"{folder}: that is not a folder"
        call = [sys.executable, "-m", "tavolino", "serve", "--host", host, "--port", str(port), "--data", str(folder)]
        done = subprocess.run(call, capture_output=True, text=True, timeout=240)
    assert done.returncode == 1
    assert done.stdout == ""
    (sentence,) = done.stderr.splitlines()
    assert sentence.startswith("tavolino: ")
    assert expected in sentence


def test_settings_also_come_from_the_environment(tmp_path: Path) -> None:
    port = free_port()
    environment = {**os.environ, "TAVOLINO_PORT": str(port), "TAVOLINO_DATA": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE], env=environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    try:
        assert answers(port).status_code == 200
        assert (tmp_path / "tavolino.sqlite").exists()
    finally:
        process.terminate()
        process.wait(120)


def test_a_wrong_option_is_wrong_use(tmp_path: Path) -> None:
    process = serve(tmp_path, free_port(), "--public-url", "not-a-url")
    _, error = process.communicate(timeout=240)
    assert process.returncode == 2
    assert "http" in error


def test_health_and_figures(server: Server, guests: Guests) -> None:
    (ada,) = guests(1)
    ada.open("mantis", 2)
    assert ada.http.get("/healthz").json()["status"] == "ok"
    figures = ada.http.get("/metrics").text
    assert 'tavolino_tables_opened_total{game="mantis"}' in figures
    assert "Ada" not in figures


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP"])
def test_the_figures_are_for_this_machine_unless_they_are_opened(
    start_server: Callable[..., Server], tmp_path: Path, header: str
) -> None:
    for is_open, status in ((False, 404), (True, 200)):
        server = start_server(tmp_path / str(is_open), metrics=is_open)
        assert httpx.get(f"{server.address}/metrics").status_code == 200
        for address in ("203.0.113.7", "127.0.0.1", ""):
            answer = httpx.get(f"{server.address}/metrics", headers={header: address})
            assert answer.status_code == status
            assert ("tavolino_moves" in answer.text) == is_open


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.0.1", "::1", "::ffff:127.0.0.1"])
def test_addresses_of_this_machine(host: str) -> None:
    assert is_local(HTTPConnection({"type": "http", "client": (host, 1), "headers": []}))


@pytest.mark.parametrize("client", [("192.0.2.7", 1), ("2001:db8::1", 1), ("::ffff:192.0.2.7", 1), ("", 0), None])
def test_addresses_of_other_machines(client: tuple[str, int] | None) -> None:
    assert not is_local(HTTPConnection({"type": "http", "client": client, "headers": []}))


def test_the_figures_have_the_limit_of_requests(start_server: Callable[..., Server]) -> None:
    server = start_server(limits=Limits(requests_per_second=0.01, requests_burst=5))
    codes = [httpx.get(f"{server.address}/metrics").status_code for _ in range(7)]
    assert codes == [200] * 5 + [429] * 2


def test_the_page_is_served_with_caching_packing_and_a_fallback(tmp_path: Path, server: Server) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>Tavolino</title>")
    (tmp_path / "assets" / "app-1a2b.js").write_text("export {};" + " " * 2_000)
    page = Page(tmp_path)
    assert page.is_built
    from starlette.applications import Starlette
    from starlette.routing import Route

    async def answer(request):  # type: ignore[no-untyped-def]
        return page.answer(request)

    transport = httpx.ASGITransport(Starlette(routes=[Route("/{path:path}", answer)]))

    async def get(path: str, **headers: str) -> httpx.Response:
        async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
            return await client.get(path, headers=headers)

    import asyncio

    async def look() -> None:
        script = await get("/assets/app-1a2b.js")
        assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert script.headers["content-encoding"] == "gzip"
        assert script.headers["content-type"].startswith("text/javascript")
        home = await get("/index.html")
        assert home.headers["cache-control"] == "no-cache"
        again = await get("/index.html", **{"If-None-Match": home.headers["etag"]})
        assert again.status_code == 304
        missing = await get("/nowhere/at/all", Accept="text/html,*/*")
        assert (missing.status_code, missing.text) == (404, home.text)
        assert (await get("/nowhere")).text == "Not found.\n"
        assert (await get("/assets/missing.js")).status_code == 404
        assert (await get("/../conftest.py")).status_code == 404

    asyncio.run(look())


def test_without_a_built_page_the_server_says_what_to_do(tmp_path: Path) -> None:
    page = Page(tmp_path)
    assert not page.is_built


def test_texts_come_in_three_languages_with_an_etag(server: Server, guests: Guests) -> None:
    (ada,) = guests(1)
    keys = []
    for language in ("en", "it", "pl"):
        answer = ada.http.get(f"/api/texts/{language}")
        assert answer.status_code == 200
        keys.append(set(answer.json()))
        again = ada.http.get(f"/api/texts/{language}", headers={"If-None-Match": answer.headers["etag"]})
        assert again.status_code == 304
    assert keys[0] == keys[1] == keys[2]
    assert "server.refused.stale-move" in keys[0]
    assert ada.http.get("/api/texts/de").json()["code"] == "no-such-language"


def test_the_games_are_described(server: Server, guests: Guests) -> None:
    (ada,) = guests(1)
    games = {game["game"]: game for game in ada.http.get("/api/games").json()}
    mantis = games["mantis"]
    assert mantis["players"] == [2, 3, 4, 5, 6]
    assert mantis["seat_option"] == "first"
    assert [option["name"] for option in mantis["options"]] == ["icons"]
    assert mantis["readiness"]["ready"]


def test_unknown_paths_and_methods_are_problems(server: Server, guests: Guests) -> None:
    (ada,) = guests(1)
    assert ada.http.get("/api/nothing").json()["code"] == "not-found"
    assert ada.http.put("/api/me").status_code == 405
    assert ada.http.get("/no-such-file.png").status_code == 404


@pytest.mark.parametrize("path", ["/api/docs", "/api/openapi.json"])
def test_the_description_for_programs_needs_no_other_site(server: Server, guests: Guests, path: str) -> None:
    (ada,) = guests(1)
    text = ada.http.get(path).text
    assert "/api/tables/{table}/play" in text
    assert "https://" not in text


def test_changes_that_are_stored_or_shown_late_are_logged(
    start_server: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that the log can say where the time went when a move is seen late."""
    server = start_server()  # the log of a process is that of its youngest server
    ada, bruno = Guest(server.address, "Ada"), Guest(server.address, "Bruno")
    table = ada.open("mantis", 2)
    monkeypatch.setattr(actor, "LATE_SECONDS", -1.0)
    bruno.do(table, "join")

    def logged() -> list[dict[str, Any]]:
        lines = [json.loads(line) for line in server.log.getvalue().splitlines() if table in line]
        return [line for line in lines if line["event"] == "change was stored or shown late"]

    end = time.monotonic() + 20
    while not logged() and time.monotonic() < end:  # it is written after the answer
        time.sleep(0.01)
    (late,) = logged()
    assert (late["number"], late["turn"]) == (3, 0)
    assert late["seconds_to_store"] >= 0
    assert late["seconds_to_show"] >= 0
