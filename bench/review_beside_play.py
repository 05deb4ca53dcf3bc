"""Moves beside a review: `python -m bench.review_beside_play [--tables 60] [--seconds 3] [--rounds 10]`.

Measures how long moves take to be acknowledged at a steady rate: without a review, beside one at its usual priority,
beside one at only a nice value, and beside one that has waited for long and continues at a higher priority. The periods
alternate, so that other load on the machine affects all of them. The output includes the CPU time of each review,
because a review that got none proves nothing. At the end: p99 beside each kind of review as a ratio to p99 without one.
Takes about three minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
from collections.abc import Sequence

from bench.review_figures import play
from bench.server_load import open_tables, steadily
from bench.server_players import people_at, percentile, run
from bench.server_process import ServerProcess, processor_seconds, running_server

RATE = 100.0  # moves a second
DRAWN = 500  # bootstrap samples of the rounds, for the interval
KINDS: dict[str, tuple[float, bool] | None] = {  # patience, and whether it is idle while it has some
    "without a review": None,
    "beside a review": (1e9, True),
    "beside one at nice 15 alone": (1e9, False),
    "beside one that is late": (0.0, True),
}
WORKER = """
import sys
from tavolino.coach import worker
worker.PATIENCE, worker.IDLE = float(sys.argv[1]), sys.argv[2] == "True"
worker.main()
"""


def begin_review(record: dict[str, object], patience: float, idle: bool) -> subprocess.Popen[bytes]:
    child = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(patience), str(idle)],
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


def end_review(child: subprocess.Popen[bytes]) -> None:
    """Not in the event loop: the idle thread needs the processor to end, which takes 15 s and more on a busy machine,
    and the server would close players who do not answer for so long."""
    child.kill()
    child.wait()


Rounds = Sequence[list[float]]  # the times of moves, for each round


async def measure(server: ServerProcess, tables: int, seconds: float, rounds: int) -> None:
    *_, match = await asyncio.to_thread(lambda: list(play("splendor-marvel", "beside play")))
    took: dict[str, list[list[float]]] = {name: [] for name in KINDS}
    had = dict.fromkeys(KINDS, 0.0)
    async with people_at(server.address) as people:
        playing = await open_tables(people, tables)
        for _ in range(rounds):
            for name, kind in KINDS.items():
                child = None
                if kind is not None:
                    child = await asyncio.to_thread(begin_review, match.record(), *kind)
                    had[name] -= processor_seconds(child.pid)
                took[name].append(await steadily(people, playing, seconds, RATE))
                if child is not None:
                    had[name] += processor_seconds(child.pid)
                    await asyncio.to_thread(end_review, child)
    alone, *beside = KINDS
    for name, each in took.items():
        middle, late = (percentile(_all(each), share) * 1e3 for share in (0.5, 0.99))
        share = 100 * had[name] / (rounds * seconds)
        print(
            f"{name}: {len(_all(each))} moves, p50 {middle:.1f} ms, p99 {late:.1f} ms; review {share:.0f} % of a core",
            flush=True,
        )
    for name in beside:
        low, high = interval(took[name], took[alone])
        print(f"p99 {name} / {alone}: {ratio(took[name], took[alone]):.2f} (95 %: {low:.2f} to {high:.2f})")


def ratio(beside: Rounds, alone: Rounds) -> float:
    return percentile(_all(beside), 0.99) / percentile(_all(alone), 0.99)


def interval(beside: Rounds, alone: Rounds) -> tuple[float, float]:
    """The interval of the ratio, by a bootstrap over rounds: late moves come in groups, so moves are not
    independent."""
    chance = random.Random(14)
    pairs = list(zip(beside, alone, strict=True))
    drawn = sorted(ratio(*zip(*chance.choices(pairs, k=len(pairs)), strict=True)) for _ in range(DRAWN))
    return percentile(drawn, 0.025), percentile(drawn, 0.975)


def _all(rounds: Rounds) -> list[float]:
    return [each for one in rounds for each in one]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--rounds", type=int, default=10)
    wanted = parser.parse_args()
    with running_server(sheds_load=False) as server:
        run(measure(server, wanted.tables, wanted.seconds, wanted.rounds))


if __name__ == "__main__":
    main()
