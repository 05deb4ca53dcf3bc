"""Figures of many games: where they go."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tavolino.cli.errors import Failure


def write_figures(figures: dict[str, Any], to_json: str | None, show: Callable[[], None]) -> None:
    """The figures as JSON where it is wanted, and as a table unless the JSON goes to stdout."""
    if to_json == "-":
        print(json.dumps(figures, indent=2))
        return
    if to_json is not None:
        try:
            Path(to_json).write_text(json.dumps(figures, indent=2) + "\n", "utf-8")
        except OSError as problem:
            raise Failure(f"The figures could not be written to {to_json}: {problem.strerror}.") from None
    show()
    if figures["stopped"]:
        print("Stopped before the end: these are the figures of what was played.", file=sys.stderr)
