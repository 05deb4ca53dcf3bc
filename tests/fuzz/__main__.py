"""`python -m tests.fuzz --inputs 1000000 --seed 1`: many inputs for every target; says what was tried and what grew."""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import random
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import structlog

from tests.fuzz import targets
from tests.fuzz.mutations import mutated, read_corpus

SHARES = {"frames": 0.7, "heads": 0.12, "commands": 0.15, "records": 0.03}


class Tally(NamedTuple):
    tried: dict[str, int]
    seconds: dict[str, float]
    grown: float  # megabytes of memory, after the first tenth of the inputs
    changed: bool


def _megabytes() -> float:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


async def run(inputs: int, seed: int, folder: Path) -> Tally:
    chance = random.Random(seed)
    tried, seconds = dict.fromkeys(SHARES, 0), dict.fromkeys(SHARES, 0.0)
    async with targets.serve(folder) as server:
        found: dict[str, targets.Target] = {
            "frames": targets.frames,
            "heads": server.head,
            "commands": server.command,
            "records": targets.record,
        }
        known = {name: read_corpus(name) for name in SHARES}
        before, first = await server.counts(), 0.0
        for _ in range(10):
            for name, target in found.items():
                begun = time.perf_counter()
                for _ in range(max(1, int(inputs * SHARES[name] / 10))):
                    data = mutated(known[name], chance)
                    try:
                        await target(data, chance)
                    except BaseException:
                        print(f"{name} fails, seed {seed}, input {data!r}", file=sys.stderr)
                        raise
                    tried[name] += 1
                    if tried[name] % 100 == 0:
                        await asyncio.sleep(0)
                seconds[name] += time.perf_counter() - begun
            await asyncio.sleep(0.1)
            first = first or _megabytes()
        after = await server.counts()
        return Tally(tried, seconds, _megabytes() - first, before != after)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    args = parser.parse_args()
    logging.basicConfig(level=logging.CRITICAL)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    print(f"seed {args.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        tally = asyncio.run(run(args.inputs, args.seed, Path(folder) / "data"))
    for name, tried in tally.tried.items():
        print(f"{name:9} {tried:9,} inputs, {tried / tally.seconds[name]:9,.0f} a second")
    print(f"{sum(tally.tried.values()):,} inputs, no 5xx, no exception")
    stored = "CHANGED" if tally.changed else "as before"
    print(f"memory grew by {tally.grown:.1f} MB after the first tenth; stored: {stored}")
    if tally.changed or tally.grown > 20:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
