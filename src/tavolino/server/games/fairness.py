"""Fair deals by commit and reveal: nobody alone, not even the server, can choose the cards.

The commitment binds the server's secret before any salt is known; the salts bind the players before the deal; the seed
follows from all of them. Anyone who kept the commitment and their own salt can check the revealed secret.
docs/protocol.md describes the scheme and its limits.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence

NO_SALT = "-"


def new_secret() -> str:
    """256 bits from the operating system, in hex."""
    return secrets.token_hex(32)


def commitment(table: str, secret: str) -> str:
    return _sha256("tavolino commitment 1", table, secret).hex()


def deal_seed(table: str, secret: str, salts: Sequence[str | None]) -> bytes:
    """The seed of the deal; a seat without a salt counts as `-`."""
    return _sha256("tavolino seed 1", table, secret, *(salt or NO_SALT for salt in salts))


def chance_seat(seed: bytes, seats: int) -> int:
    """A uniformly random seat, derived from the seed; bytes that would bias it are skipped."""
    stream = _sha256("tavolino chance 1", seed.hex())
    fair = 256 - 256 % seats
    # All 32 bytes are skipped once in 2**154 deals at most (16 seats or fewer); then it is the first seat.
    return next((byte % seats for byte in stream if byte < fair), 0)


def _sha256(*lines: str) -> bytes:
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).digest()
