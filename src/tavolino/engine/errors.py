"""The public errors. Each carries a sentence that says what is wrong."""

from collections.abc import Mapping
from typing import Any


class UnknownGame(LookupError):
    """No game of that name."""


class BadRecord(ValueError):
    """A record that is malformed, of an unknown version, or does not replay.

    `key` and `params` give the sentence in any language; the message may have a detail more, in English.
    """

    def __init__(self, sentence: str, key: str = "", params: Mapping[str, Any] | None = None):
        super().__init__(sentence)
        self.key = key
        self.params = dict(params or {})


class IllegalAction(ValueError):
    """An action that is not legal now; the match has not changed.

    `rule` is the id of the rule that forbids it, or None. `key` and `params` give the sentence in any language.
    """

    def __init__(self, rule: str | None, sentence: str, key: str, params: Mapping[str, Any] | None = None):
        super().__init__(sentence)
        self.rule = rule
        self.key = key
        self.params = dict(params or {})
