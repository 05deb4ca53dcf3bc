"""Attacks from one address, bounded, on loopback: what they take of the server, and what others notice.

    python -m bench.attacks [--source CHECKOUT] [--only NAME] [--rounds 4] [--seconds 1.5] [--first]

For each attack (`bench/attacker.py`) a server with default limits and 1,024 descriptors is started from a checkout,
this one or an older one to compare with. At four tables people from another address make 60 moves a second together, in
short periods of quiet and of attack by turns. Of each period the p50 and p99 from a move to its acknowledgement
count, and over all rounds the medians of these: one period that something else on the machine has disturbed does not.
It takes some four minutes, and prints a line of a table for each attack.

An attacker from outside takes no processor of the server's machine; this one does. So the server has a core of its own
where there are two, the attacker is below everybody's priority on the other, and three figures tell apart what the
server does and what the machine does: the server's processor time for each move of the others (with all that it does
for the attacker meanwhile), how long it waited for a processor, and the answers of a program that only echoes, beside
the players. Memory and descriptors are the most that were seen. At the end a newcomer from a third address asks for the
page.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import http.client
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.attacker import ADDRESS, ATTACKS
from bench.server_players import People, Table, people_at, percentile, run
from msgspec import Struct, field

ROOT = Path(__file__).parents[1]
CORES = sorted(os.sched_getaffinity(0))
IS_FIRST = "--first" in sys.argv
ATTACKERS_PRIORITY = ("chrt", "-o", "0", "nice", "-n", "-5") if IS_FIRST else ("nice", "-n", "19")
PLAYERS, NEWCOMER = "127.0.0.2", "127.0.0.3"
NEWCOMER_SECONDS = 5  # within which a newcomer must be answered
SETTLING_SECONDS = 0.5  # before and after each period
TABLES, RATE = 4, 60  # of two players each, moves a second of all together
LONGEST_SECONDS = 10.0  # after which a move counts as never answered
MOST = 2.0  # by which the others' p99 may grow
COLUMNS = (
    "attack".ljust(22),
    "p99 of others, ms".ljust(22),
    "p50, ms".ljust(20),
    "server, % of a core".ljust(20),
    "memory, MB",
    "descriptors",
    "newcomer answered",
    "p99 of an echo, ms".ljust(20),
    "waited for a core, ms a move",
)
PROGRAM = """
import resource, sys
from pathlib import Path
resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024))
import tavolino
tavolino.games = lambda: ("mantis",)
from tavolino.server.main import run
from tavolino.server.settings import ServerSettings
run(ServerSettings(port=int(sys.argv[1]), data=Path(sys.argv[2]), warm_up=False, log_level="critical", salt_seconds=0))
"""
ECHO = """
import socket, sys
listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
raw, _ = listener.accept()
raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
while data := raw.recv(1000):
    raw.sendall(data)
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((ADDRESS, 0))
        return int(probe.getsockname()[1])


def pin(task: int, is_server: bool) -> None:
    """The server has the last of two or more cores; players, echo and attacker share the others."""
    if len(CORES) > 1:
        os.sched_setaffinity(task, CORES[-1:] if is_server else CORES[:-1])
    if IS_FIRST:
        os.sched_setscheduler(task, os.SCHED_FIFO, os.sched_param(1))


class Server:
    def __init__(self, source: Path, data: Path) -> None:
        self.port = free_port()
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
        connection = http.client.HTTPConnection(ADDRESS, self.port, timeout, source_address=(source, 0))
        with contextlib.closing(connection):
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            answer = connection.getresponse()
            content = answer.read()
        if answer.status >= 300:
            raise OSError(f"{answer.status} {content[:200]!r}")
        return content

    def is_answering(self) -> bool:
        """Whether a newcomer gets an answer within five seconds."""
        try:
            self.ask("GET", "/api/games", NEWCOMER, timeout=NEWCOMER_SECONDS)
        except (OSError, http.client.HTTPException):
            return False
        return True

    def pin(self) -> None:
        for task in self._tasks():
            pin(int(task.name), is_server=True)

    def _tasks(self) -> list[Path]:
        return list(Path(f"/proc/{self._process.pid}/task").iterdir())

    def processor(self) -> tuple[float, float]:
        """The seconds that its threads have run, and have waited for a processor."""
        found = [(each / "schedstat").read_text().split() for each in self._tasks()]
        return sum(int(ran) for ran, _, _ in found) / 1e9, sum(int(waited) for _, waited, _ in found) / 1e9

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


class Others:
    """Tables of two whose moves are timed, from the move to its acknowledgement, when it is durable."""

    def __init__(self, people: People) -> None:
        self._people = people
        self._tables: list[Table] = []

    async def open_tables(self) -> None:
        """Tables in play; a new one for each game that is over."""
        for n in range(TABLES):
            if n >= len(self._tables):
                self._tables.append(await self._people.open_table(await self._people.newcomers()))
            elif self._tables[n].over:
                await self._tables[n].close()
                self._tables[n] = await self._people.open_table(self._tables[n].tokens)

    async def play(self, count: int, note: Callable[[], None]) -> list[float]:
        """Make so many moves at a steady rate, one table after the other; returns their times."""
        started = time.perf_counter()
        took: list[float] = []

        async def keep_playing(first: int) -> None:
            for n in range(first, count, TABLES):
                await asyncio.sleep(max(0.0, started + n / RATE - time.perf_counter()))
                if self._tables[first].over:
                    return
                note()
                took.append(await self._tables[first].move())

        rounds = [asyncio.create_task(keep_playing(first)) for first in range(TABLES)]
        _, unanswered = await asyncio.wait(rounds, timeout=count / RATE + LONGEST_SECONDS)
        for each in unanswered:
            each.cancel()
        return took + [LONGEST_SECONDS] * len(unanswered)


class Echo(asyncio.Protocol):
    """Sends the same commands to a program that only echoes them."""

    def __init__(self) -> None:
        self.port = free_port()
        self._process = subprocess.Popen([sys.executable, "-c", ECHO, str(self.port)])
        pin(self._process.pid, is_server=False)
        self._asked: list[float] = []
        self.took: list[float] = []
        self._transport: Any = None

    async def connect(self) -> None:
        end = time.monotonic() + 20
        while True:
            try:
                self._transport, _ = await asyncio.get_running_loop().create_connection(
                    lambda: self, ADDRESS, self.port
                )
            except OSError:
                if time.monotonic() > end:
                    raise
                await asyncio.sleep(0.05)
            else:
                return

    def ask(self) -> None:
        self._asked.append(time.perf_counter())
        self._transport.write(b"p")

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        for _ in data:
            self.took.append(now - self._asked.pop(0))

    def take(self) -> list[float]:
        took, self.took = self.took, []
        return took

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(5)


class Periods(Struct):
    """All periods of one kind, quiet or under attack, with one figure for each."""

    p50: list[float] = field(default_factory=list)
    p99: list[float] = field(default_factory=list)
    echo: list[float] = field(default_factory=list)  # p99
    work: list[float] = field(default_factory=list)  # the server's processor seconds for each move
    waited: list[float] = field(default_factory=list)  # for a processor, for each move


class Highest(Struct):
    memory: int = 0
    descriptors: int = 0


async def play(server: Server, others: Others, echo: Echo, seconds: float, into: Periods, most: Highest) -> None:
    """Moves at a steady rate for so long."""
    await others.open_tables()
    await asyncio.sleep(SETTLING_SECONDS)
    echo.take()
    ran, waited = server.processor()
    took = await others.play(int(seconds * RATE), echo.ask)
    ran_now, waited_now = server.processor()
    most.memory, most.descriptors = max(most.memory, server.memory()), max(most.descriptors, server.descriptors())
    into.p50.append(percentile(took, 0.5))
    into.p99.append(percentile(took, 0.99))
    into.echo.append(percentile(echo.take(), 0.99))
    into.work.append((ran_now - ran) / len(took))
    into.waited.append((waited_now - waited) / len(took))


async def measure(source: Path, name: str, seconds: float, rounds: int) -> bool:
    quiet, attacked, most = Periods(), Periods(), Highest()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(source, Path(folder))
        try:
            target = await finished_table(server) if name in ("5 replays", "5 reads") else "A" * 22
            async with people_at(f"http://{ADDRESS}:{server.port}", 2, PLAYERS) as people:
                others, echo = Others(people), Echo()
                await echo.connect()
                pin(0, is_server=False)
                server.pin()
                await play(server, others, echo, 1, Periods(), Highest())
                before = server.memory()
                for _ in range(rounds):
                    await play(server, others, echo, seconds, quiet, most)
                    attacker = await start_attack(name, server.port, target)
                    await play(server, others, echo, seconds, attacked, most)
                    is_answering = await asyncio.to_thread(server.is_answering)
                    attacker.terminate()
                    await attacker.wait()
                echo.stop()
        finally:
            server.stop()
    report(name, quiet, attacked, most, before, is_answering)
    return statistics.median(attacked.p99) <= MOST * statistics.median(quiet.p99)


def report(name: str, quiet: Periods, attacked: Periods, most: Highest, before: int, is_answering: bool) -> None:
    def pair(figure: str, factor: float) -> str:
        old, new = (statistics.median(getattr(each, figure)) for each in (quiet, attacked))
        return f"{old * factor:.1f} → {new * factor:.1f} ({new / old if old else 1:.1f} ×)"

    cells = [
        name,
        pair("p99", 1e3),
        pair("p50", 1e3),
        pair("work", 100 * RATE),
        f"+{(most.memory - before) / 1e6:.1f}",
        str(most.descriptors),
        "yes" if is_answering else "NO",
        pair("echo", 1e3),
        pair("waited", 1e3),
    ]
    print(row(cells), flush=True)


def row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.ljust(len(column)) for cell, column in zip(cells, COLUMNS, strict=True)) + " |"


async def start_attack(name: str, port: int, table: str) -> asyncio.subprocess.Process:
    call = [*ATTACKERS_PRIORITY, sys.executable, "-m", "bench.attacker", json.dumps([name, port, table])]
    return await asyncio.create_subprocess_exec(*call, cwd=ROOT)


async def finished_table(server: Server) -> str:
    """A finished game of two players, some moves long."""
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
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--first", action="store_true", help="before all other programs of this machine (as root)")
    args = parser.parse_args()
    print(row(COLUMNS), flush=True)
    print("|" + "|".join("-" * (len(column) + 2) for column in COLUMNS) + "|", flush=True)
    doubled = [
        name for name in ATTACKS if args.only in name and not run(measure(args.source, name, args.seconds, args.rounds))
    ]
    print(f"others' p99 more than doubled: {', '.join(doubled) or 'never'}")


if __name__ == "__main__":
    main()
