"""Compares a schema with the one that the migrations make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tavolino.server.storage.errors import CannotOpen

Parts = Mapping[tuple[str, str], Any]  # what makes each part of a schema, by its type and name


def check_parts(found: Parts, expected: Parts) -> None:
    """Raise CannotOpen, which names the parts that differ."""
    if foreign := sorted(found.keys() - expected.keys()):
        raise CannotOpen(f"it contains what Tavolino has not made: {', '.join(map(' '.join, foreign))}")
    if missing := sorted(expected.keys() - found.keys()):
        raise CannotOpen(f"it lacks {', '.join(map(' '.join, missing))}")
    if other := sorted(key for key in found if found[key] != expected[key]):
        raise CannotOpen(f"Tavolino has made another {', '.join(map(' '.join, other))}")
