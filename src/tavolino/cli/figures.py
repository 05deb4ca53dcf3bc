"""Writes the figures of a command: as JSON, or as a table."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tavolino.cli.errors import Failure


def write_json(found: Any, to_json: str, what: str, indent: int = 2) -> None:
    """Write figures as JSON to a file, or to stdout for `-`. `what` names them in an error message."""
    text = json.dumps(found, indent=indent)
    if to_json == "-":
        print(text)
        return
    try:
        Path(to_json).write_text(text + "\n", "utf-8")
    except OSError as problem:
        raise Failure(f"The {what} could not be written to {to_json}: {problem.strerror}.") from None


def write_figures(figures: dict[str, Any], to_json: str | None, show: Callable[[], None]) -> None:
    """The figures as JSON if asked for, and as a table unless the JSON goes to stdout."""
    if to_json is not None:
        write_json(figures, to_json, "figures")
    if to_json == "-":
        return
    show()
    if figures["stopped"]:
        print("Stopped early: these are the figures for the games played so far.", file=sys.stderr)
