"""How long a start takes: the command, the first decision of a game, and compiling everything from nothing.

python -m bench.start [--cold]
"""

import os
import subprocess
import sys
import tempfile
import time

from bench.timing import table

# As installed for players: without SciPy, which only tests need and whose linear algebra Numba would load for 0.4 s.
FIRST_DECISION = """
import sys
sys.modules["scipy"] = None
import tavolino
match = tavolino.load({name!r}).start(4, 1)
match.play(match.legal()[0])
"""


def seconds(command: list[str], times: int = 5, **settings: str) -> float:
    """Wall time of a command, the best of several runs."""
    best = float("inf")
    for _ in range(times):
        begin = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, env={**os.environ, **settings})
        best = min(best, time.perf_counter() - begin)
    return best


def main() -> None:
    import tavolino

    python = sys.executable
    rows = [["tavolino --version", f"{seconds([python, '-m', 'tavolino', '--version']):.2f}"]]
    for name in tavolino.games():
        rows.append([f"first decision of {name}", f"{seconds([python, '-c', FIRST_DECISION.format(name=name)]):.2f}"])
    if "--cold" in sys.argv:
        with tempfile.TemporaryDirectory() as cache:
            cold = seconds([python, "-m", "tavolino", "warmup"], times=1, TAVOLINO_CACHE=cache)
        rows.append(["compiling what playing needs, cold", f"{cold:.1f}"])
    table("Starts", ["what", "seconds"], rows)


if __name__ == "__main__":
    main()
