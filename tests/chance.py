"""Repeatable random numbers: what a server draws in a test follows from the test's name and the number in `DEALS`.

So a test sees the same cards in every run, and a failure can be repeated. Another number gives other
cards: `DEALS=7 make test`.
"""

from __future__ import annotations

import base64
import os
import random
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

DEALS = os.environ.get("DEALS", "1")


@contextmanager
def repeatable(words: Callable[[], str]) -> Iterator[None]:
    """Within this context the module `secrets` draws the same for the same words."""
    sources: dict[str, random.Random] = {}

    def source(kind: str) -> random.Random:
        # One for each kind: a bot that still thinks at the table of an earlier test must not change this test's deal.
        seed = f"{words()} {DEALS} {kind}"
        return sources.setdefault(seed, random.Random(seed))

    def randbits(count: int) -> int:
        return source("bits").getrandbits(count)

    def token_hex(size: int) -> str:
        return source("hex").randbytes(size).hex()

    def token_urlsafe(size: int) -> str:
        return base64.urlsafe_b64encode(source("urlsafe").randbytes(size)).rstrip(b"=").decode()

    with patch.multiple(secrets, randbits=randbits, token_hex=token_hex, token_urlsafe=token_urlsafe):
        yield
