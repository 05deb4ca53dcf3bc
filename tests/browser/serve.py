"""`tavolino serve` with repeatable random numbers: the seed is a file beside the server's data."""

from __future__ import annotations

import sys
from pathlib import Path

from tavolino.cli import main
from tests.chance import repeatable

WORDS = "chance.txt"

if __name__ == "__main__":
    with repeatable(lambda: Path(WORDS).read_text("utf-8")):
        sys.exit(main())
