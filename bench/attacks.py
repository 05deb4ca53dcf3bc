"""Attacks from one address, bounded, on loopback: what they take of the server, and what others notice.

    python -m bench.attacks [--source CHECKOUT] [--only NAME] [--rounds 3]

For each attack a server with default limits and 1,024 descriptors is started from a checkout (this one, or an older one
to compare with). Four players from another address send commands over their sockets, 60 a second together; how long
their answers take is measured in stretches of quiet and of attack by turns. Memory and descriptors are the most that
were seen. At the end a newcomer from a third address asks for the page.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.server_players import KEY, Line, percentile, run

ROOT = Path(__file__).parents[1]
ATTACKER, PLAYERS, NEWCOMER = "127.0.0.1", "127.0.0.2", "127.0.0.3"
NEWCOMER_SECONDS = 5  # within which a newcomer must be answered
RATE = 60  # commands a second, of all four
MOST_SENT = 24 * 1024 * 1024  # by one attack: it must not take the machine's memory
PROGRAM = """
import resource, sys
from pathlib import Path
resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024))
import tavolino
tavolino.games = lambda: ("mantis",)
from tavolino.server.main import run
from tavolino.server.settings import ServerSettings
run(ServerSettings(port=int(sys.argv[1]), data=Path(sys.argv[2]), warm_up=False, log_level="critical"))
"""


# -- the attacker, in a process of its own


def dial(port: int) -> socket.socket:
    return socket.create_connection((ATTACKER, port), 5, source_address=(ATTACKER, 0))


def pour(port: int, begin: bytes, more: bytes, end: float) -> None:
    """One connection that sends the same for ever; again, when it is closed."""
    sent = 0
    while time.monotonic() < end and sent < MOST_SENT:
        with contextlib.suppress(OSError), dial(port) as raw:
            raw.sendall(begin)
            while time.monotonic() < end and sent < MOST_SENT:
                raw.sendall(more)
                sent += len(more)
        time.sleep(0.01)
    time.sleep(max(0.0, end - time.monotonic()))


def header_lines(port: int, end: float, table: str) -> None:
    pour(port, b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"x: y\r\n" * 2_000, end)


def endless_address(port: int, end: float, table: str) -> None:
    pour(port, b"GET /", b"x" * 16_384, end)


def hold(port: int, end: float, count: int, say: Callable[[socket.socket], None]) -> None:
    """Open connections, say something on each, and be silent."""
    held: list[socket.socket] = []
    while time.monotonic() < end:
        if len(held) < count:
            with contextlib.suppress(OSError):
                raw = dial(port)
                held.append(raw)
                raw.settimeout(0.5)
                say(raw)
        else:
            time.sleep(0.05)


def held_bodies(port: int, end: float, table: str) -> None:
    def say(raw: socket.socket) -> None:
        raw.sendall(b"GET /api/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
        raw.recv(1_000)
        raw.sendall(b"1")

    hold(port, end, 1_100, say)


def hanging_handshakes(port: int, end: float, table: str) -> None:
    many = "".join(f"x-{n}: y\r\n" for n in range(130))
    request = (
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\n{many}\r\n"
    )
    hold(port, end, 1_100, lambda raw: raw.sendall(request.encode()))


def flood_of_connections(port: int, end: float, table: str) -> None:
    hold(port, end, 10**6, lambda raw: None)


def connect_and_leave(port: int, end: float, table: str) -> None:
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            dial(port).close()


def replays(port: int, end: float, table: str) -> None:
    """Frames of a finished game, as many as the limits allow."""
    connection = http.client.HTTPConnection(ATTACKER, port, source_address=(ATTACKER, 0))
    while time.monotonic() < end:
        with contextlib.suppress(OSError, http.client.HTTPException):
            connection.request("GET", f"/api/tables/{table}/frames?eyes=open")
            connection.getresponse().read()
        time.sleep(0.05)


ATTACKS: dict[str, Callable[[int, float, str], None]] = {
    "12.1 header lines": header_lines,
    "12.1 endless address": endless_address,
    "12.2 held bodies": held_bodies,
    "12.3 hanging handshakes": hanging_handshakes,
    "12.4 flood of connections": flood_of_connections,
    "12.4 connect and leave": connect_and_leave,
    "12.5 replays": replays,
}


# -- the server, and the others


class Server:
    def __init__(self, source: Path, data: Path) -> None:
        with socket.socket() as probe:
            probe.bind((ATTACKER, 0))
            self.port = int(probe.getsockname()[1])
        environment = {**os.environ, "PYTHONPATH": str(source / "src")}
        call = [sys.executable, "-c", PROGRAM, str(self.port), str(data)]
        self._process = subprocess.Popen(call, env=environment, cwd=data, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 120
        while not self._is_ready():
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError("the server did not start")
            time.sleep(0.1)

    def _is_ready(self) -> bool:
        with contextlib.suppress(OSError, http.client.HTTPException):
            answer = json.loads(self.ask("GET", "/healthz", PLAYERS))
            return bool(answer["games"]["mantis"])
        return False

    def ask(self, method: str, path: str, source: str, body: Any = None, token: str = "", timeout: float = 20) -> bytes:
        connection = http.client.HTTPConnection(ATTACKER, self.port, timeout, source_address=(source, 0))
        with contextlib.closing(connection):
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            answer = connection.getresponse()
            content = answer.read()
        if answer.status >= 300:
            raise OSError(f"{answer.status} {content[:200]!r}")
        return content

    def is_answering(self) -> bool:
        """Whether somebody new gets an answer within five seconds."""
        try:
            self.ask("GET", "/api/games", NEWCOMER, timeout=NEWCOMER_SECONDS)
        except (OSError, http.client.HTTPException):
            return False
        return True

    def memory(self) -> int:
        rollup = Path(f"/proc/{self._process.pid}/smaps_rollup").read_text()
        return int(rollup.split("Private_Dirty:")[1].split()[0]) * 1024

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self._process.pid}/fd"))

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(8)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Player:
    """A socket that sends commands and times their answers."""

    def __init__(self) -> None:
        self.took: list[float] = []
        self._asked: dict[bytes, float] = {}
        self.line: Line

    async def connect(self, port: int, table: str, token: str) -> None:
        request = (
            f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: localhost:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\n"
            f"Authorization: Bearer {token}\r\n\r\n"
        )
        _, self.line = await asyncio.get_running_loop().create_connection(
            lambda: Line(request, self._hear), ATTACKER, port, local_addr=(PLAYERS, 0)
        )

    def ask(self, ref: bytes) -> None:
        self._asked[ref] = time.perf_counter()
        self.line.send(b'{"type":"ping","ref":"%b"}' % ref)

    def _hear(self, content: bytes) -> None:
        if content.startswith(b'{"type":"pong"'):
            ref = content.split(b'"ref":"')[1].split(b'"')[0]
            self.took.append(time.perf_counter() - self._asked.pop(ref))

    def unanswered(self) -> list[float]:
        now = time.perf_counter()
        return [now - asked for asked in self._asked.values()]


class Watched:
    """The most that was seen while others played."""

    def __init__(self) -> None:
        self.memory = self.descriptors = 0
        self.quiet: list[float] = []
        self.attacked: list[float] = []


async def play(server: Server, players: list[Player], seconds: float, watched: Watched) -> list[float]:
    """Commands at a steady rate for so long; what their answers took, those that never came included."""
    started = time.perf_counter()
    for player in players:
        player.took.clear()
    for n in range(int(seconds * RATE)):
        await asyncio.sleep(max(0.0, started + n / RATE - time.perf_counter()))
        players[n % len(players)].ask(b"%d" % n)
        if n % RATE == 0:
            watched.memory = max(watched.memory, server.memory())
            watched.descriptors = max(watched.descriptors, server.descriptors())
    await asyncio.sleep(1)
    return [each for player in players for each in player.took + player.unanswered()]


async def measure(source: Path, name: str, seconds: float, rounds: int) -> None:
    watched = Watched()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(source, Path(folder))
        try:
            before = server.memory()
            token = json.loads(server.ask("POST", "/api/me", PLAYERS, {"name": "Ada", "program": True}))["token"]
            table = json.loads(server.ask("POST", "/api/tables", PLAYERS, {"game": "mantis", "seats": 2}, token))["id"]
            finished = await _finished(server) if "replays" in name else table
            players = [Player() for _ in range(4)]
            for player in players:
                await player.connect(server.port, table, token)
            for _ in range(rounds):
                watched.quiet += await play(server, players, seconds, watched)
                attacker = await start_attack(name, server.port, seconds + NEWCOMER_SECONDS + 2, finished)
                await asyncio.sleep(0.5)
                watched.attacked += await play(server, players, seconds, watched)
                is_answering = await asyncio.to_thread(server.is_answering)
                attacker.terminate()
                await attacker.wait()
        finally:
            server.stop()
    quiet, attacked = (percentile(took, 0.99) * 1e3 for took in (watched.quiet, watched.attacked))
    half = [percentile(took, 0.5) * 1e3 for took in (watched.quiet, watched.attacked)]
    print(
        f"{name:28} memory +{(watched.memory - before) / 1e6:7.1f} MB  descriptors {watched.descriptors:5}  "
        f"others' p50 {half[0]:6.1f} -> {half[1]:7.1f} ms  p99 {quiet:6.1f} -> {attacked:8.1f} ms  "
        f"({attacked / quiet:5.1f}x)  "
        f"newcomer {'answered' if is_answering else 'NOT ANSWERED'}",
        flush=True,
    )


async def start_attack(name: str, port: int, seconds: float, table: str) -> asyncio.subprocess.Process:
    """In a process of its own, below the others' priority: the processor is not what it is to take from them."""
    attack = json.dumps([name, port, seconds, table])
    call = ["nice", "-n", "10", sys.executable, "-m", "bench.attacks", f"--attack={attack}"]
    return await asyncio.create_subprocess_exec(*call, cwd=ROOT)


async def _finished(server: Server) -> str:
    """A game that two players have ended, some moves long."""
    tokens = [
        json.loads(server.ask("POST", "/api/me", PLAYERS, {"name": name, "program": True}))["token"] for name in "AB"
    ]
    table: str = json.loads(
        server.ask("POST", "/api/tables", PLAYERS, {"game": "mantis", "seats": 2, "first_seat": 0}, tokens[0])
    )["id"]
    at = f"/api/tables/{table}"
    server.ask("POST", f"{at}/commands", PLAYERS, {"type": "join"}, tokens[1])
    for seat, token in enumerate(tokens):
        server.ask("POST", f"{at}/commands", PLAYERS, {"type": "salt", "salt": f"{seat:064x}"}, token)
    server.ask("POST", f"{at}/commands", PLAYERS, {"type": "start"}, tokens[0])
    for turn in range(200):
        await asyncio.sleep(0.12)  # the limit of requests is 20 a second
        view = json.loads(server.ask("GET", f"{at}/play", PLAYERS, token=tokens[0]))["view"]
        if view["over"]:
            break
        move = {"type": "move", "turn": turn, "action": "score"}
        server.ask("POST", f"{at}/commands", PLAYERS, move, tokens[view["to_act"]])
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=Path, default=ROOT)
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--attack", type=json.loads, help=argparse.SUPPRESS)
    wish = parser.parse_args()
    if wish.attack:
        name, port, seconds, table = wish.attack
        ATTACKS[name](port, time.monotonic() + seconds, table)
        return
    for name in ATTACKS:
        if wish.only in name:
            run(measure(wish.source, name, wish.seconds, wish.rounds))


if __name__ == "__main__":
    main()
