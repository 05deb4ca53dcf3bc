"""`tavolino mcp` with the SDK's own client: whole games, refusals, two worlds, sessions over HTTP."""

import asyncio
import contextlib
import inspect
import json
import os
import random
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn
from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

import tavolino
from tavolino.agents.local_table import LocalTable
from tavolino.agents.mcp_http import Players, application, new_tokens
from tavolino.agents.mcp_server import MAX_TABLES, Player, make_server
from tavolino.agents.tables import MAX_WAIT_SECONDS
from tavolino.cli.commands import run as run_command
from tavolino.cli.mcp import mcp as mcp_command
from tests.agents.sessions import OVER, call, local_client, play_to_the_end, refused

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "language-models.md"
TOOLS = {
    "list_games", "rules", "cards", "new_game", "join", "observe", "act", "wait", "notebook", "hint", "resign",
    "review",
}  # fmt: skip


@pytest.mark.parametrize("name", tavolino.games())
def test_an_agent_plays_a_whole_game(name: str) -> None:
    async def play() -> None:
        async with local_client() as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
            assert name in await call(client, "list_games")
            rules = await call(client, "rules", game=name)
            first = re.findall(r"^[A-Z]{2}-\d+", rules, re.M)[0]
            assert await call(client, "rules", game=name, ids=[first]) in rules
            assert await call(client, "cards", game=name)
            text = await call(client, "new_game", game=name, opponents="easy,random")
            assert re.match(r"Table \S+\.\n", text)
            assert await call(client, "notebook")
            text = await play_to_the_end(client, text, random.Random(name))
            assert re.search(rf"\[{tavolino.load(name).meta.rule_prefix}-\d+\]$", text)
            assert (await call(client, "observe", whole_log=True)).count("\n- ") > text.count("\n- ")
            assert await refused(client, "act", choice=1) == OVER

    asyncio.run(play())


def test_over_stdio_it_is_a_process_of_its_own() -> None:
    async def play() -> None:
        command = StdioServerParameters(command=sys.executable, args=["-m", "tavolino", "mcp"], env=dict(os.environ))
        async with stdio_client(command) as streams, ClientSession(*streams) as session:
            await session.initialize()
            text = await call(session, "new_game", game="mantis", players=2, opponents="random")
            assert OVER in await play_to_the_end(session, text, random.Random(1))

    asyncio.run(play())


def test_the_program_of_the_guide_plays_a_whole_game(tmp_path: Path) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text("utf-8"), re.S)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    words = [sys.executable, "-c", example]
    ended = subprocess.run(words, env={**os.environ, "PATH": path}, cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert OVER in ended.stdout


def test_the_settings_of_the_guide_are_json() -> None:
    settings = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", GUIDE.read_text("utf-8"), re.S)]
    servers = [each["mcpServers"]["tavolino"] for each in settings]
    port = inspect.signature(mcp_command).parameters["port"].default
    assert [(each.get("command"), each.get("url")) for each in servers] == [
        ("tavolino", None),
        (None, f"http://127.0.0.1:{port}/mcp"),
    ]


def test_what_cannot_be_done_is_a_sentence_and_changes_nothing() -> None:
    async def play() -> None:
        async with local_client() as client:
            assert "begin with new_game" in await refused(client, "act", choice=1)
            assert "Games: infinity-gauntlet" in await refused(client, "new_game", game="chess")
            assert "is for 2 to 6 players" in await refused(client, "new_game", game="mantis", players=9)
            assert "no level 'best'" in await refused(client, "new_game", game="mantis", opponents="best")
            assert "no seat 5" in await refused(client, "new_game", game="mantis", players=3, seat=5)
            assert "option" in await refused(client, "new_game", game="mantis", options={"colour": 1})
            assert "plays without a server" in await refused(client, "join", table="abcdefgh")
            assert "has no rule XX-1" in await refused(client, "rules", game="mantis", ids=["XX-1"])
            before = await call(client, "new_game", game="mantis", players=3, opponents="random")
            shown = before.partition("\n")[2]
            assert "numbered 1 to" in await refused(client, "act", choice=99)
            assert "numbered 1 to" in await refused(client, "act", choice="0")
            assert re.search(r"\[MA-\d+\]$", await refused(client, "act", choice="steal 0"))
            for malformed in ("", "steal", "score " * 500, "²", "\x00", "9" * 5000):
                assert await refused(client, "act", choice=malformed)
            assert await refused(client, "act", choice={"number": 1})
            assert "played to its end" in await refused(client, "review")
            assert "no table of that name" in await refused(client, "observe", table="other")
            assert await call(client, "observe") == shown
            assert "resigned" in await call(client, "resign")
            assert "resigned" in await refused(client, "act", choice=1)
            assert "resigned" in await refused(client, "hint")

    asyncio.run(play())


def test_a_player_has_only_so_many_tables() -> None:
    player = Player("en", None)
    names = [player.new_game("mantis", 2, "random", 0, {}).split()[1] for _ in range(MAX_TABLES + 2)]
    assert len(player._tables) == MAX_TABLES
    assert list(player._tables) == [name.removesuffix(".") for name in names[2:]]


def test_a_finished_game_is_reviewed_and_a_hint_is_one_of_the_choices() -> None:
    async def play() -> None:
        async with local_client() as client:
            text = await call(client, "new_game", game="mantis", players=2, opponents="random")
            hint = await call(client, "hint")
            assert hint.partition(":")[0] in text
            await play_to_the_end(client, text, random.Random(2))
            review = await call(client, "review")
            assert review.startswith("Result ")
            assert "Decision 1: " in review or "Decision 2: " in review

    asyncio.run(play())


class StuckTable(LocalTable):
    """A table whose others take their time."""

    def __init__(self, go_on: threading.Event):
        super().__init__("mantis", 2, 0, ["random"])
        self._go_on = go_on

    def wait(self, seconds: float) -> str:
        self._go_on.wait()
        return self.observe()


def test_a_player_who_waits_many_times_holds_nobody_up() -> None:
    async def play() -> None:
        go_on = threading.Event()
        ada, bo = Player("en", None), Player("en", None)
        ada._tables["table"] = StuckTable(go_on)
        async with local_client(ada) as of_ada, local_client(bo) as of_bo:
            waiting = [asyncio.create_task(call(of_ada, "wait")) for _ in range(50)]  # more than there are threads
            try:
                await asyncio.sleep(0)
                async with asyncio.timeout(60):
                    assert await call(of_bo, "new_game", game="mantis", players=2, opponents="random")
            finally:
                go_on.set()
            assert len(set(await asyncio.gather(*waiting))) == 1

    asyncio.run(play())


def test_the_wait_is_limited_as_the_guide_says() -> None:
    async def play() -> None:
        async with local_client() as client:
            await call(client, "new_game", game="mantis", players=2, opponents="random")
            assert await call(client, "wait", seconds=MAX_WAIT_SECONDS)
            for wrong in (MAX_WAIT_SECONDS + 1, -1, "NaN"):
                assert "seconds" in await refused(client, "wait", seconds=wrong)

    asyncio.run(play())
    assert f"at most {MAX_WAIT_SECONDS} seconds" in GUIDE.read_text()


# -- what a tool says depends on nothing that the seat cannot know


class FrozenTable(LocalTable):
    """A table whose bots wait, so that a match can be exchanged between calls."""

    def _let_bots_play(self) -> None:
        pass


@pytest.mark.parametrize("name", tavolino.games())
def test_threat_77_every_tool_says_the_same_in_two_worlds_that_the_seat_cannot_tell_apart(name: str) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("list_games", {}),
        ("rules", {"game": name}),
        ("cards", {"game": name}),
        ("join", {"table": "abcdefgh"}),
        ("observe", {}),
        ("observe", {"whole_log": True}),
        ("wait", {"seconds": 0}),
        ("notebook", {}),
        ("act", {"choice": 999}),
        ("act", {"choice": "no such action"}),
        ("hint", {}),
        ("review", {}),
        ("resign", {}),
        ("new_game", {"game": "no such game"}),
    ]
    assert {tool for tool, _ in calls} == TOOLS

    async def everything(match: tavolino.Match, seat: int) -> list[str]:
        table = FrozenTable(name, match.players, seat, ["random"])
        table.match = match
        player = Player("en", None)
        player._tables["table"] = table
        async with local_client(player) as client:
            answers: list[Any] = [await client.call_tool(tool, arguments) for tool, arguments in calls]
            return [answer.content[0].text for answer in answers]

    chance = random.Random(name)
    match = tavolino.load(name).start(3, chance.getrandbits(32))
    compared = 0
    while not match.over and compared < 2:
        if chance.random() < 0.15:
            compared += 1
            seat = match.to_act
            assert seat is not None
            world = match.resample(seat, chance.getrandbits(32))
            true = asyncio.run(everything(match.clone(), seat))
            assert [text.encode() for text in asyncio.run(everything(world, seat))] == [text.encode() for text in true]
        match.play(chance.choice(match.legal()))
    assert compared


# -- over HTTP


@contextlib.contextmanager
def listening(tokens: list[str]) -> Iterator[str]:
    players = Players(tokens, lambda: Player("en", None))
    app = application(make_server(players.of), players, [])
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", log_config=None))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


@contextlib.asynccontextmanager
async def http_session(address: str, token: str) -> AsyncIterator[ClientSession]:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60, trust_env=False) as http,
        streamable_http_client(address, http_client=http) as streams,
        ClientSession(streams[0], streams[1]) as session,
    ):
        await session.initialize()
        yield session


def test_threat_76_sessions_over_http_know_nothing_of_each_other() -> None:
    async def play() -> None:
        async with http_session(address, tokens[0]) as ada, http_session(address, tokens[1]) as bo:
            text = await call(ada, "new_game", game="mantis", players=2, opponents="random")
            name = text.split()[1].removesuffix(".")
            unknown = await refused(bo, "observe", table=name)
            assert unknown == await refused(bo, "observe", table="no-such-table")
            assert name not in unknown
            await call(bo, "new_game", game="mantis", players=2, opponents="random")
            assert name not in await refused(bo, "observe", table=name)
            assert OVER in await play_to_the_end(ada, text, random.Random(3))
        async with http_session(address, tokens[0]) as again:  # the same player comes back
            assert OVER in await call(again, "observe", table=name)

    tokens = new_tokens(2)
    with listening(tokens) as address:
        asyncio.run(play())


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": "Basic TOKEN"}, 401),
        ({"Authorization": "Bearer TOKEN", "Host": "example.org"}, 421),
        ({"Authorization": "Bearer TOKEN", "Origin": "https://example.org"}, 403),
        ({"Authorization": "Bearer TOKEN", "Origin": "http://127.0.0.1.example.org"}, 403),
    ],
)
def test_threat_76_a_request_without_token_or_from_elsewhere_is_refused(headers: dict[str, str], status: int) -> None:
    tokens = new_tokens(1)
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_games", "arguments": {}}}
    sent = {name: value.replace("TOKEN", tokens[0]) for name, value in headers.items()}
    accept = {"Accept": "application/json, text/event-stream"}
    with listening(tokens) as address, httpx2.Client(trust_env=False) as http:
        answer = http.post(address, json=body, headers=accept | sent)
    assert answer.status_code == status
    assert "mantis" not in answer.text


def test_listening_beyond_this_machine_needs_the_names_of_hosts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["mcp", "--http", "--host", "0.0.0.0"]) == 2
    assert "--allow-host" in capsys.readouterr().err
    assert run_command(["mcp", "--server", "ftp://example.org"]) == 2
    assert "is not the address of a server" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("tokens", "sentence"),
    [("secret", "at least 22 characters"), (f"{'a' * 30},b", "at least"), ("a" * 30 + "," + "a" * 30, "one player")],
)
def test_threat_76_tokens_that_can_be_guessed_or_are_shared_are_refused(
    tokens: str, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TAVOLINO_MCP_TOKENS", tokens)
    assert run_command(["mcp", "--http", "--port", "0"]) == 2
    assert sentence in capsys.readouterr().err


def test_threat_76_an_id_of_a_session_opens_nothing() -> None:
    """A client may send an id of a session, its own or that of another one: only the token counts."""
    tokens = new_tokens(2)
    accept = {"Accept": "application/json, text/event-stream"}

    def ask(http: httpx2.Client, token: str, tool: str, session: str = "", **arguments: Any) -> str:
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        headers = {**accept, "Authorization": f"Bearer {token}", **({"Mcp-Session-Id": session} if session else {})}
        return str(http.post(address, json=body, headers=headers).text)

    with listening(tokens) as address, httpx2.Client(trust_env=False, timeout=60) as http:
        begun = ask(http, tokens[0], "new_game", game="mantis", players=2, opponents="random")
        table = re.findall(r"Table (\S+)\.", begun)[0]
        for session in ("", tokens[0], table, "1"):
            assert "You sit at no table" in ask(http, tokens[1], "observe", session, table=table)
        assert "You are Seat 0" in ask(http, tokens[0], "observe", tokens[1], table=table)


def test_it_listens_on_a_free_port_of_this_machine_and_says_which() -> None:
    command = [sys.executable, "-m", "tavolino", "mcp", "--http", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            token, address = process.stderr.readline().split()[-1], process.stderr.readline().strip()
            assert re.fullmatch(r"http://127\.0\.0\.1:[1-9]\d+/mcp", address)
            port = address.rpartition(":")[2].removesuffix("/mcp")
            taken = subprocess.run([*command[:-1], port], capture_output=True, text=True, timeout=60)
            assert taken.returncode == 1
            assert f"Cannot listen on 127.0.0.1, port {port}" in taken.stderr

            async def look() -> None:
                async with http_session(address, token) as session:
                    assert "mantis" in await call(session, "list_games")

            asyncio.run(look())
        finally:
            process.terminate()
