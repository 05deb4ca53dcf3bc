"""All benchmarks that stand beside peers, one after the other: `make bench`. Each is a program of its own, too."""

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
