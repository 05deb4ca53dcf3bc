"""A real server that is killed with SIGKILL while people play, and the checks after its restart.

Used by the test (50 kills) and by `bench/server_kill.py` (1,000 and more).
"""

from __future__ import annotations

import json
import logging
import os
import random
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw
import httpx
from websockets.exceptions import WebSocketException

from tests.ports import free_port
from tests.server.clients import NO_TLS, Guest, Socket, seat_everybody, socket_url, start

# Connections break on purpose here; the WebSocket library would log each as an error.
logging.getLogger("websockets.client").setLevel(logging.CRITICAL)


@dataclass
class Tally:
    kills: int = 0
    acknowledged: int = 0
    lost: int = 0
    wrong: list[str] = field(default_factory=list)


@dataclass
class PlayedTable:
    """A table that a thread plays at, with the acknowledged actions in order."""

    people: list[Guest]
    table: str
    acknowledged: list[str] = field(default_factory=list)
    unanswered: list[str] = field(default_factory=list)  # sent for the next turn without an answer: one may be stored

    def acknowledge(self, action: str) -> None:
        self.acknowledged.append(action)
        self.unanswered.clear()  # what was sent for the same turn can no longer be stored


class KillableServer:
    """A server process that can be killed and started again, on the same address and data."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        """`settings` of the node program of the tests. It offers only Mantis, so that a start loads little."""
        self.folder = folder
        port = free_port()
        self.address = f"http://127.0.0.1:{port}"
        self.http = httpx.Client(base_url=self.address, timeout=30, verify=NO_TLS)
        self._process = 0
        settings = {"port": port, "data": str(folder), "games": ["mantis"], "log_level": "error", **settings}
        self._cradle = subprocess.Popen(
            [sys.executable, "-m", "tests.nodes.program", json.dumps(settings)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._cradle.stdout is not None
        assert self._cradle.stdout.readline() == "ready\n"

    def start(self) -> None:
        assert self._cradle.stdin is not None
        assert self._cradle.stdout is not None
        print("start", file=self._cradle.stdin, flush=True)
        self._process = int(self._cradle.stdout.readline())
        end = time.monotonic() + 120
        while True:
            try:
                if self.http.get("/healthz").json()["games"]["mantis"]:
                    return
            except httpx.TransportError:
                pass
            assert time.monotonic() < end
            time.sleep(0.01)

    def send(self, number: signal.Signals) -> None:
        os.kill(self._process, number)

    def kill(self) -> None:
        self.end(signal.SIGKILL)

    def end(self, number: signal.Signals) -> None:
        """Send a signal and wait until the process is gone."""
        self.send(number)
        self.wait_for_end()

    def wait_for_end(self) -> None:
        assert self._cradle.stdout is not None
        assert self._cradle.stdout.readline() == "dead\n"

    def close(self) -> None:
        assert self._cradle.stdin is not None
        assert self._cradle.stdout is not None
        self._cradle.stdin.close()
        self._cradle.wait()
        self._cradle.stdout.close()
        self.http.close()


def open_played_table(server: KillableServer) -> PlayedTable:
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = seat_everybody(people, "mantis", first_seat=0)
    start(people, table)
    with people[0].socket(table) as waiting:
        waiting.until("play")
    return PlayedTable(people, table)


def play_until_dead(server: KillableServer, played: PlayedTable, chance: random.Random, stop: threading.Event) -> None:
    """Move as fast as moves are acknowledged, on real sockets, until the server is killed."""
    sockets: list[Socket] = []
    try:
        for person in played.people:
            sockets.append(Socket(socket_url(server.address, played.table), person.headers))
        while not stop.is_set():
            shown = [each.play or each.until("play") for each in sockets]
            seat = shown[0]["view"]["to_act"]
            if seat is None:
                return
            mover = sockets[seat]
            turn = len(played.acknowledged)
            mover.until_turn(turn)
            legal = mover.play["view"]["legal"]
            action = chance.choice(legal)
            played.unanswered.append(action)
            mover.send(type="move", turn=turn, action=action, ref="m")
            while (answer := mover.receive()).get("ref") != "m":
                pass
            assert answer["type"] == "accepted", answer
            played.acknowledge(action)
            for each in sockets:
                each.until_turn(turn + 1)
    except (WebSocketException, OSError, TimeoutError, httpx.TransportError):
        return
    finally:
        for each in sockets:
            each.abandon()


def _wait_for_first_move(tables: list[PlayedTable]) -> None:
    """Wait for a move, because a kill before any move would show nothing."""
    before = sum(len(played.acknowledged) for played in tables)
    end = time.monotonic() + 10
    while sum(len(played.acknowledged) for played in tables) == before and time.monotonic() < end:
        time.sleep(0.005)


def check(server: KillableServer, played: PlayedTable, tally: Tally) -> bool:
    """Compare a table with what was acknowledged there. True if its game is over."""
    stored = stored_actions(server, played.table)
    known = played.acknowledged
    if stored[: len(known)] != known:
        tally.lost += len(known) - next(
            (n for n, pair in enumerate(zip(known, stored, strict=False)) if pair[0] != pair[1]),
            min(len(known), len(stored)),
        )
        tally.wrong.append(f"{played.table}: acknowledged {known[-3:]}, stored {stored[-3:]}")
    elif len(stored) > len(known):
        extra = stored[len(known) :]
        if len(extra) == 1 and extra[0] in played.unanswered:
            played.acknowledge(extra[0])  # durable, but its acknowledgement did not arrive
        else:
            tally.wrong.append(f"{played.table}: nobody sent {extra}")
    play = server.http.get(f"/api/tables/{played.table}/play", headers=played.people[0].headers)
    shown: dict[str, Any] = play.json()
    if shown["turn"] != len(stored):
        tally.wrong.append(f"{played.table}: shows turn {shown['turn']} of {len(stored)}")
    return bool(shown["view"]["over"])


def stored_actions(server: KillableServer, table: str) -> list[str]:
    """The actions on disk, read without the server."""
    connection = apsw.Connection(str(server.folder / "tavolino.sqlite"), flags=apsw.SQLITE_OPEN_READONLY)
    rows = connection.execute("SELECT entry FROM entries WHERE table_id = ? ORDER BY number", (table,))
    entries = [json.loads(entry) for (entry,) in rows]
    connection.close()
    return [entry["action"] for entry in entries if entry["k"] == "moved"]


def kill_again_and_again(
    folder: Path, kills: int, tables: int, seed: int, longest: float, moves: int = 0, until: float = 1e12
) -> Tally:
    """Kill the server so many times (and until so many moves were made), a random time after each start."""
    server, tally, chance = KillableServer(folder), Tally(), random.Random(seed)
    server.start()
    played_tables = [open_played_table(server) for _ in range(tables)]
    settled = 0
    try:
        while (tally.kills < kills or tally.acknowledged < moves) and time.time() < until:
            stop = threading.Event()
            players = [
                threading.Thread(target=play_until_dead, args=(server, played, random.Random(chance.random()), stop))
                for played in played_tables
            ]
            for player in players:
                player.start()
            _wait_for_first_move(played_tables)
            time.sleep(chance.uniform(0.0, longest))
            server.kill()
            tally.kills += 1
            stop.set()
            for player in players:
                player.join(60)
            server.start()
            for n, played in enumerate(played_tables):
                is_over = check(server, played, tally)
                played.unanswered.clear()  # the process that could have stored it is gone
                if is_over:
                    settled += len(played.acknowledged)
                    for person in played.people:
                        person.close()
                    played_tables[n] = open_played_table(server)
            tally.acknowledged = settled + sum(len(played.acknowledged) for played in played_tables)
    finally:
        server.kill()
        server.close()
    return tally
