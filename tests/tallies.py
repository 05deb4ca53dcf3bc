"""Sums over several runs of a long test, stored in a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

Sums = dict[str, Any]  # of numbers, and of such sums


def read(file: Path | None) -> Sums:
    """Nothing before the first run."""
    found: Sums = json.loads(file.read_text()) if file is not None and file.exists() else {}
    return found


def add(file: Path, new: Sums) -> Sums:
    """What one run has reached, and with it all runs."""
    sums = _added(read(file), {"goes": 1, **new})
    file.write_text(json.dumps(sums))
    return sums


def _added(sums: Sums, new: Sums) -> Sums:
    return {
        name: _added(sums.get(name, {}), new.get(name, {}))
        if isinstance(sums.get(name, new.get(name)), dict)
        else round(sums.get(name, 0) + new.get(name, 0), 3)
        for name in [*sums, *(name for name in new if name not in sums)]
    }


def told(sums: Sums) -> str:
    return ", ".join(f"{count} {name}" for name, count in sums.items())
