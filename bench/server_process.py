"""A server in a process of its own, for the benchmarks: the same code as `tavolino serve`, with room for load."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx

PROGRAM = """
import sys
from pathlib import Path
import tavolino
from tavolino.server import load
from tavolino.server.main import run
from tavolino.server.settings import Limits, Pace, ServerSettings
games = tuple(sys.argv[6].split(","))
tavolino.games = lambda: games  # nothing else is loaded or compiled while we measure
port, data, pace, workers = int(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
if sys.argv[5] == "refuses-nothing":
    load.MOST_LAG_SECONDS = float("inf")
room = Limits(messages_per_second=1e6, messages_burst=10**6, requests_per_second=1e6, requests_burst=10**6,
    files_per_second=1e6, files_burst=10**6, work_per_second=1e9, work_burst=1e9,
    loop_per_second=1e3, loop_burst=1e9,
    changes_per_minute=1e6, changes_burst=10**6, tables_per_person=10**6, tables_per_hour=1e6,
    program_changes_per_minute=1e6, program_changes_burst=10**6, tables_per_program=10**6, program_tables_per_hour=1e6,
    people_per_hour=1e6, sockets_per_address=10**6, connections_per_address=10**6, connections_per_second=1e6,
    connections_burst=10**6)
limits = room if sys.argv[7] == "room" else Limits()
run(ServerSettings(port=port, data=data, limits=limits, pace=Pace(pace, 0), bot_workers=workers,
    warm_up=False, log_level="error", salt_seconds=0))
"""


class ServerProcess:
    def __init__(
        self,
        data: Path,
        pace: float = 0.0,
        workers: int = 1,
        game: str | None = "mantis",
        sheds_load: bool = True,
        games: Sequence[str] = ("mantis",),
        has_room: bool = True,
    ) -> None:
        """Waits for `game`, if given. Without `has_room` the limits are those of every server."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        arguments = [str(self.port), str(data), str(pace), str(workers), "" if sheds_load else "refuses-nothing"]
        arguments += [",".join(games), "room" if has_room else "limits"]
        started = time.monotonic()
        self._process = subprocess.Popen([sys.executable, "-c", PROGRAM, *arguments], env=os.environ.copy())
        self.first_answer = self._wait_for("/healthz", started)
        self.game_ready = 0.0
        while game is not None and not httpx.get(f"{self.address}/healthz").json()["games"][game]:
            time.sleep(0.02)
            self.game_ready = time.monotonic() - started

    def _wait_for(self, path: str, started: float) -> float:
        while True:
            try:
                httpx.get(self.address + path, timeout=10)
                return time.monotonic() - started
            except httpx.TransportError:
                if self._process.poll() is not None:
                    raise RuntimeError("the server did not start") from None
                time.sleep(0.01)

    @property
    def process(self) -> int:
        return self._process.pid

    def memory(self) -> int:
        """The memory that the process has written, in bytes. Pages of program files are not counted: whether they are
        shared depends on other programs."""
        rollup = Path(f"/proc/{self._process.pid}/smaps_rollup").read_text()
        return int(rollup.split("Private_Dirty:")[1].split()[0]) * 1024

    def processor_seconds(self) -> float:
        return processor_seconds(self._process.pid)

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


@contextmanager
def running_server(
    workers: int = 1,
    sheds_load: bool = True,
    folder: Path | None = None,
    games: Sequence[str] = ("mantis",),
    has_room: bool = True,
) -> Iterator[ServerProcess]:
    """A server with a data folder of its own (below `folder`), stopped at the end."""
    with tempfile.TemporaryDirectory(dir=folder) as data:
        server = ServerProcess(
            Path(data), workers=workers, game=games[-1], sheds_load=sheds_load, games=games, has_room=has_room
        )
        try:
            yield server
        finally:
            server.stop()


def processor_seconds(process: int) -> float:
    """The CPU time that a process has used."""
    return sum(_times(process)[:2]) / os.sysconf("SC_CLK_TCK")


def family_seconds(process: int) -> float:
    """The same with its children, those that have ended included."""
    running = 0.0
    for thread in Path(f"/proc/{process}/task").iterdir():
        for child in (thread / "children").read_text("ascii").split():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
                running += processor_seconds(int(child))
    return running + sum(_times(process)) / os.sysconf("SC_CLK_TCK")


def machine_seconds() -> float:
    """The CPU time that all processes and the kernel have used."""
    user, nice, system, _, _, interrupts, soft = map(int, Path("/proc/stat").read_text("ascii").split()[1:8])
    return (user + nice + system + interrupts + soft) / os.sysconf("SC_CLK_TCK")


def _times(process: int) -> tuple[int, ...]:
    """User and system time of a process, and of its children that have ended."""
    return tuple(map(int, Path(f"/proc/{process}/stat").read_text("ascii").rsplit(")", 1)[1].split()[11:15]))
