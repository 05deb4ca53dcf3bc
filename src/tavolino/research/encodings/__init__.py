"""What a seat may know now, as a vector of fixed size, and its actions as numbers: one table for each game."""

from functools import cache
from importlib import import_module

from tavolino.games import load
from tavolino.research.encodings.layout import ActionRange, Encoding, Slice

__all__ = ["ActionRange", "Encoding", "Slice", "encoding_of"]


def encoding_of(name: str) -> Encoding:
    """The encoding of a game; UnknownGame, a LookupError, lists the names."""
    return _encoding_of(load(name).name)


@cache
def _encoding_of(name: str) -> Encoding:
    encoding: Encoding = import_module(f"{__name__}.{name.replace('-', '_')}").ENCODING
    return encoding
