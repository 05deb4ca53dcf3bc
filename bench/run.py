"""All benchmarks with a comparison, one after the other: `make bench`. Each can also be run alone."""

import subprocess
import sys

PROGRAMS = ("rules", "start", "search", "research")


def main() -> int:
    failed = 0
    for program in PROGRAMS:
        print(f"\n=== bench.{program}", flush=True)
        failed |= subprocess.run([sys.executable, "-m", f"bench.{program}"], check=False).returncode
    return failed


if __name__ == "__main__":
    sys.exit(main())
