"""Values of a view as plain text, for games without a drawing of their own and for printed states."""

from collections.abc import Mapping
from typing import Any


def words_of(value: Any) -> str:
    """A value on one line. Counts of zero are left out."""
    if isinstance(value, Mapping):
        return "{" + " ".join(f"{key}={words_of(part)}" for key, part in value.items() if part != 0) + "}"
    if isinstance(value, list | tuple):
        return "[" + " ".join(words_of(part) for part in value) + "]"
    if value is None:
        return "-"
    return str(value)
