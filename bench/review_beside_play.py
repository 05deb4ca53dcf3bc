"""Moves beside a review: `python -m bench.review_beside_play [--tables 60] [--seconds 6] [--rounds 4]`.

How long moves take to be acknowledged at a steady rate: without a review, beside one at its usual low priority, and
beside one that has waited for long and goes on at a higher one. The periods take turns, so that whatever else the
machine does meets all of them alike.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.review_figures import play
from bench.server_load import open_tables, steadily
from bench.server_players import people_at, percentile, run
from bench.server_process import ServerProcess

RATE = 100.0  # moves a second
PATIENCE = {"without a review": None, "beside a review": 1e9, "beside one that is late": 0.0}
WORKER = "import sys; from tavolino.coach import worker; worker.PATIENCE = float(sys.argv[1]); worker.main()"


def begin_review(record: dict[str, object], patience: float) -> subprocess.Popen[bytes]:
    child = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(patience)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ.copy(),
    )
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(json.dumps({"record": record, "seat": 0}).encode() + b"\n")
    child.stdin.flush()
    child.stdout.readline()  # it has begun
    return child


async def measure(server: ServerProcess, tables: int, seconds: float, rounds: int) -> None:
    *_, match = await asyncio.to_thread(lambda: list(play("splendor-marvel", "beside play")))
    took: dict[str, list[float]] = {name: [] for name in PATIENCE}
    async with people_at(server.address) as people:
        playing = await open_tables(people, tables)
        for _ in range(rounds):
            for name, patience in PATIENCE.items():
                child = None
                if patience is not None:
                    child = await asyncio.to_thread(begin_review, match.record(), patience)
                took[name] += await steadily(people, playing, seconds, RATE)
                if child is not None:
                    child.kill()
                    child.wait()
    for name, each in took.items():
        middle, late = (percentile(each, share) * 1e3 for share in (0.5, 0.99))
        print(f"{name}: {len(each)} moves, p50 {middle:.1f} ms, p99 {late:.1f} ms", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--rounds", type=int, default=4)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder))
        try:
            run(measure(server, wanted.tables, wanted.seconds, wanted.rounds))
        finally:
            server.stop()


if __name__ == "__main__":
    main()
