"""All benchmarks that stand beside peers, one after the other: `make bench`. Each is a program of its own, too."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
PROGRAMS = ("rules.py", "start.py", "search.py", "research.py")


def main() -> int:
    failed = 0
    for program in PROGRAMS:
        print(f"\n=== bench/{program}", flush=True)
        failed |= subprocess.run([sys.executable, str(HERE / program)], check=False).returncode
    return failed


if __name__ == "__main__":
    sys.exit(main())
