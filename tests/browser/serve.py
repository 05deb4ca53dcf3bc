"""`tavolino serve` with repeatable random numbers (the seed is a file beside the data) and quick reviews."""

from __future__ import annotations

import sys
from pathlib import Path

from tavolino.cli import main
from tavolino.server.features.reviews.reviews import Reviews
from tests.chance import repeatable

WORDS = "chance.txt"
REVIEW_COMMAND = (sys.executable, "-m", "tests.review_worker")

if __name__ == "__main__":
    Reviews.__init__.__defaults__ = (REVIEW_COMMAND,)
    with repeatable(lambda: Path(WORDS).read_text("utf-8")):
        sys.exit(main())
