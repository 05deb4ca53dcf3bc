"""The long kill program: a real server, real sockets, SIGKILL again and again, every acknowledged move looked for.

    python -m bench.server_kill [--kills 1000] [--moves 100000] [--desks 8] [--minutes 60]

Goes on until both numbers are reached or the time is up, and says what was reached.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.server.killing import kill_again_and_again


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1_000)
    parser.add_argument("--moves", type=int, default=100_000)
    parser.add_argument("--desks", type=int, default=8)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    wish = parser.parse_args()
    print(f"seed {wish.seed}", flush=True)
    started = time.time()
    with tempfile.TemporaryDirectory() as folder:
        until = started + wish.minutes * 60
        tally = kill_again_and_again(
            Path(folder), wish.kills, wish.desks, wish.seed, longest=1.0, moves=wish.moves, until=until
        )
    minutes = (time.time() - started) / 60
    print(f"{tally.kills} kills, {tally.acknowledged} acknowledged moves in {minutes:.0f} minutes")
    print(f"lost: {tally.lost}")
    for wrong in tally.wrong:
        print(f"wrong: {wrong}")
    if tally.lost or tally.wrong:
        sys.exit(1)


if __name__ == "__main__":
    main()
