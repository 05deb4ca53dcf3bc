"""The long kill test: a real server, real sockets, SIGKILL again and again; every acknowledged move must be there.

    python -m bench.server_kill [--kills 1000] [--moves 100000] [--tables 8] [--minutes 60] [--tally FILE]

Runs until both numbers are reached or the time is up, and prints what was reached. With `--tally` it can be done in
several runs, each on new data and with a seed of its own: the file keeps the sums.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests import tallies
from tests.server.killing import Tally, kill_again_and_again


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1_000)
    parser.add_argument("--moves", type=int, default=100_000)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--tally", type=Path)
    args = parser.parse_args()
    print(f"seed {args.seed}", flush=True)
    started = time.time()
    with tempfile.TemporaryDirectory() as folder:
        until = started + args.minutes * 60
        tally = kill_again_and_again(
            Path(folder), args.kills, args.tables, args.seed, longest=1.0, moves=args.moves, until=until
        )
    minutes = (time.time() - started) / 60
    print(f"{tally.kills} kills, {tally.acknowledged} acknowledged moves in {minutes:.1f} minutes; lost: {tally.lost}")
    for wrong in tally.wrong:
        print(f"wrong: {wrong}")
    if args.tally is not None:
        keep_sums(args.tally, tally, minutes)
    if tally.lost or tally.wrong:
        sys.exit(1)


def keep_sums(file: Path, tally: Tally, minutes: float) -> None:
    new = {"kills": tally.kills, "moves": tally.acknowledged, "lost": tally.lost, "wrong": len(tally.wrong)}
    print("all goes:", tallies.told(tallies.add(file, {**new, "seconds": round(minutes * 60)})))


if __name__ == "__main__":
    main()
