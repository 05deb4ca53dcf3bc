"""Loads each game's module `encoding`: what a seat may know now as a vector of fixed size, and actions as numbers."""

from tavolino.engine.observation import ActionRange, Encoding, Slice
from tavolino.games import package_of, part_of

__all__ = ["ActionRange", "Encoding", "MissingEncoding", "Slice", "encoding_of"]


class MissingEncoding(LookupError):
    """The game has no module `encoding`, so there are no observations for learners."""


def encoding_of(name: str) -> Encoding:
    """The encoding of a game; UnknownGame, a LookupError, lists the names."""
    module = part_of(name, "encoding")
    if module is None:
        raise MissingEncoding(
            f"{name} has no encoding for learners: the module {package_of(name)}.encoding is missing."
        )
    encoding: Encoding = module.ENCODING
    return encoding
