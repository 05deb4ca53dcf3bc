"""Our WebSockets beside those of libraries: memory for each socket, processor time for each move, p99.

    uv pip install --target /tmp/sockets picows granian
    PYTHONPATH=/tmp/sockets python -m bench.sockets [--tables 250] [--moves 3000] [--rounds 3]

The candidates (`bench.socket_servers`) run side by side, each in a process of its own, and take turns at the same work:
tables of four sockets, one move at a time at each table, which all four must have seen before the next. Processor time
is that of the server's processes, from /proc; p99 is from a move's sending until all four have it, at a low steady
rate. Memory is what the server's processes have written (Private_Dirty) for each idle socket.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib.util
import os
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

from bench.server_players import percentile, run
from bench.socket_servers import SERVERS
from tests.nodes.sockets import Socket, upgrade

SEATS = 4
AT_ONCE = 40  # tables that move at the same time
STEADY = 150  # moves a second
NEEDS = {"picows": "picows", "granian ASGI": "granian", "granian RSGI": "granian"}


class Candidate:
    def __init__(self, name: str) -> None:
        self.name = name
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.socket_servers", name, str(self.port)], start_new_session=True
        )
        end = time.monotonic() + 60
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 5):
                break
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"{name} did not start")
            time.sleep(0.05)
        self.tables: list[Table] = []
        self.memory_each = 0.0
        self.cpu: list[float] = []
        self.p99: list[float] = []

    def _processes(self) -> list[int]:
        """The process and its children: granian serves in one of those."""
        found = [self._process.pid]
        for pid in found:
            with contextlib.suppress(OSError):
                for task in Path(f"/proc/{pid}/task").iterdir():
                    found += map(int, (task / "children").read_text().split())
        return found

    def memory(self) -> int:
        total = 0
        for pid in self._processes():
            rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
            total += int(rollup.split("Private_Dirty:")[1].split()[0]) * 1024
        return total

    def cpu_seconds(self) -> float:
        total = 0
        for pid in self._processes():
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            total += int(fields[11]) + int(fields[12])
        return total / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        for pid in reversed(self._processes()):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, 15)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Table:
    def __init__(self, port: int, number: int) -> None:
        self._port, self._number = port, number
        self._sockets: list[Socket] = []
        self._turn = self._missing = 0
        self._all_saw: asyncio.Future[None]

    async def connect(self) -> None:
        request = upgrade(f"127.0.0.1:{self._port}", f"/t/{self._number}")
        loop = asyncio.get_running_loop()
        for _ in range(SEATS):
            _, seat = await loop.create_connection(
                lambda: Socket(request, self._on_message, hello=b""), "127.0.0.1", self._port
            )
            self._sockets.append(seat)
        while not all(seat.is_open for seat in self._sockets):
            await asyncio.sleep(0.002)

    async def move(self) -> float:
        """One move; the seconds until all four have seen it and its sender knows that it was accepted."""
        self._turn += 1
        self._missing = SEATS + 1
        self._all_saw = asyncio.get_running_loop().create_future()
        started = time.perf_counter()
        self._sockets[self._turn % SEATS].send(b'{"type":"move","turn":%d,"action":"score"}' % self._turn)
        await self._all_saw
        return time.perf_counter() - started

    def _on_message(self, content: bytes) -> None:
        self._missing -= 1
        if not self._missing:
            self._all_saw.set_result(None)


async def settle(candidate: Candidate) -> int:
    """The memory, once it no longer changes."""
    last = candidate.memory()
    for _ in range(20):
        await asyncio.sleep(0.25)
        now = candidate.memory()
        if abs(now - last) < 20_000:
            break
        last = now
    return candidate.memory()


async def connect(candidate: Candidate, count: int) -> None:
    """Open all sockets. The first few are not counted: they also load code."""
    first = [Table(candidate.port, -n) for n in range(1, 26)]
    for table in first:
        await table.connect()
    before = await settle(candidate)
    candidate.tables = [Table(candidate.port, n) for n in range(count)]
    for table in candidate.tables:
        await table.connect()
    candidate.memory_each = (await settle(candidate) - before) / (SEATS * count)


async def flat_out(candidate: Candidate, moves: int) -> None:
    each = max(1, moves // AT_ONCE)
    before = candidate.cpu_seconds()

    async def play(n: int) -> None:
        for turn in range(each):
            await candidate.tables[(n + AT_ONCE * turn) % len(candidate.tables)].move()

    # The tables that play at the same time are different ones: n, n + 40, n + 80, ...
    await asyncio.gather(*(play(n) for n in range(min(AT_ONCE, len(candidate.tables)))))
    candidate.cpu.append((candidate.cpu_seconds() - before) / (each * min(AT_ONCE, len(candidate.tables))))


async def steadily(candidate: Candidate, seconds: float) -> None:
    took: list[float] = []
    started = time.perf_counter()
    for n in range(int(seconds * STEADY)):
        await asyncio.sleep(max(0.0, started + n / STEADY - time.perf_counter()))
        took.append(await candidate.tables[n % len(candidate.tables)].move())
    candidate.p99.append(percentile(took, 0.99))


async def measure(candidates: list[Candidate], tables: int, moves: int, rounds: int, seconds: float) -> None:
    for candidate in candidates:
        await connect(candidate, tables)
    for _ in range(rounds):
        for candidate in candidates:
            await flat_out(candidate, moves)
        for candidate in candidates:
            await steadily(candidate, seconds)
    ours = candidates[0]
    print(f"{tables} tables of {SEATS} sockets, {rounds} rounds of {moves} moves in turn; medians")
    print(f"{'':28}{'memory a socket':>18}{'CPU a move':>20}{'p99':>12}")
    for each in candidates:
        cpu, p99 = statistics.median(each.cpu), statistics.median(each.p99)
        memory_ratio = each.memory_each / ours.memory_each
        cpu_ratio = cpu / statistics.median(ours.cpu)
        print(
            f"{each.name:28}{each.memory_each / 1000:8.1f} kB {memory_ratio:4.1f}x"
            f"{cpu * 1e6:10.0f} µs {cpu_ratio:4.2f}x{p99 * 1e3:9.1f} ms"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=250)
    parser.add_argument("--moves", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4)
    args = parser.parse_args()
    candidates: list[Candidate] = []
    try:
        for name in SERVERS:
            needed = NEEDS.get(name)
            if needed and importlib.util.find_spec(needed) is None:
                print(f"{name} is not installed; --help says how")
                continue
            candidates.append(Candidate(name))
        run(measure(candidates, args.tables, args.moves, args.rounds, args.seconds))
    finally:
        for candidate in candidates:
            candidate.stop()


if __name__ == "__main__":
    main()
