"""A hash chain over the entries of a table. The last hash is stored in the table's row and checked when the table is
loaded."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b


def begin(table: str) -> bytes:
    return blake2b(table.encode(), digest_size=16).digest()


def extend(chain: bytes, entries: Iterable[bytes]) -> bytes:
    for entry in entries:
        chain = blake2b(entry, digest_size=16, key=chain).digest()
    return chain
