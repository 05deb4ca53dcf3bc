"""A tournament of programs over HTTP on this machine: `python -m bench.ladder [--programs N] [--games N]`.

Starts a server with the limits that the guide names for many programs of one address, and a process with the programs,
which choose the first legal action. Prints the time from the first deal to the last, the CPU time of the server, and
how many requests were refused.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
from bench.attacks import free_port
from bench.server_process import processor_seconds

LIMITS = ("requests_per_second=500", "requests_burst=1000", "work_per_second=2000", "loop_per_second=2000")
GAME = "mantis"


class Program:
    """A declared program: one stream of events, and a task for each turn."""

    def __init__(self, address: str, number: int, refusals: Counter[str]) -> None:
        self._number, self._refusals, self._tasks = number, refusals, set[asyncio.Task[None]]()
        self._http = httpx.AsyncClient(base_url=address, timeout=60)
        self.requests = 0

    async def call(self, method: str, path: str, body: Any = None) -> Any:
        self.requests += 1
        answer = await self._http.request(method, path, json=body)
        if answer.status_code >= 400:
            self._refusals[answer.json()["code"]] += 1
        return answer.json()

    async def enter(self, tournament: str) -> None:
        me = await self.call("POST", "/api/me", {"name": f"Program {self._number}", "program": True})
        self._http.headers["Authorization"] = f"Bearer {me['token']}"
        await self.call("POST", f"/api/tournaments/{tournament}/enter")

    async def play(self) -> None:
        async with self._http.stream("GET", "/api/me/events") as stream:
            async for line in stream.aiter_lines():
                if line.startswith("data: ") and (event := json.loads(line[6:]))["type"] == "turn":
                    task = asyncio.create_task(self._decide(event["table"]))
                    self._tasks.add(task)
                    task.add_done_callback(self._tasks.discard)

    async def _decide(self, table: str) -> None:
        shown = await self.call("GET", f"/api/tables/{table}/play")
        if shown["view"]["legal"]:
            move = {"type": "move", "turn": shown["turn"], "action": shown["view"]["legal"][0]}
            await self.call("POST", f"/api/tables/{table}/commands", move)

    async def close(self) -> None:
        await self._http.aclose()


async def follow(address: str, tournament: str, programs: list[Program], games: int) -> float:
    """Let the programs play; the seconds from the first deal to the last."""
    playing = [asyncio.create_task(program.play()) for program in programs]
    begun = 0.0
    async with httpx.AsyncClient(base_url=address, timeout=60) as http:
        while True:
            shown = (await http.get(f"/api/tournaments/{tournament}")).json()
            finished = sum(entrant["finished"] for entrant in shown["standings"])
            if not begun and shown["phase"] == "running" and finished:
                begun = time.monotonic()
            print(f"{finished} of {games} games", file=sys.stderr)
            if finished >= games:
                break
            await asyncio.sleep(2)
    for task in playing:
        task.cancel()
    return time.monotonic() - begun


async def measure(address: str, tournament: str, count: int, games: int, server: int) -> dict[str, Any]:
    refusals: Counter[str] = Counter()
    programs = [Program(address, number, refusals) for number in range(1, count + 1)]
    for program in programs:
        await program.enter(tournament)
    before = processor_seconds(server)
    seconds = await follow(address, tournament, programs, games)
    figures = {
        "programs": count,
        "games": games,
        "seconds": round(seconds, 1),
        "server_cpu_seconds": round(processor_seconds(server) - before, 1),
        "requests": sum(program.requests for program in programs),
        "refusals": dict(refusals),
    }
    for program in programs:
        await program.close()
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=8)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--at-once", type=int, default=8)
    arguments = parser.parse_args()
    deals = arguments.games // arguments.programs
    tavolino = str(Path(sys.executable).with_name("tavolino"))
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        address = f"http://127.0.0.1:{port}"
        limits = [word for limit in LIMITS for word in ("--limit", limit)]
        server = subprocess.Popen([tavolino, "serve", "--port", str(port), "--data", folder, *limits])
        try:
            wait_until_ready(address)
            words = [GAME, "--players", "2", "--deals", str(deals), "--at-once", str(arguments.at_once)]
            words += ["--begins-in", "1m", "--data", folder]
            made = subprocess.run(
                [tavolino, "open-tournament", *words], check=True, capture_output=True, text=True
            ).stdout
            tournament = made.splitlines()[0].rpartition("/")[2]
            games = deals * arguments.programs
            print(json.dumps(asyncio.run(measure(address, tournament, arguments.programs, games, server.pid))))
        finally:
            server.terminate()
            server.wait()


def wait_until_ready(address: str) -> None:
    while True:
        try:
            games = httpx.get(f"{address}/api/games", timeout=60).json()
        except httpx.TransportError:
            games = []
        if any(game["game"] == GAME and game["readiness"]["ready"] for game in games):
            return
        time.sleep(0.5)


if __name__ == "__main__":
    main()
