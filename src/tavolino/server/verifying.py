"""Checking a record from outside: the commitment, the seed, the deal, every move and the end.

A check against what the record itself says proves only that the record fits together. Whoever kept the
commitment
and their own salt from before the deal gives them too: then the server cannot have chosen the cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

import tavolino
from tavolino.server import fairness
from tavolino.server.waiting import seat_option


class Check(Struct, frozen=True):
    what: str
    holds: bool


def check_record(record: Any, kept_commitment: str | None = None, kept_salt: str | None = None) -> list[Check]:
    """Every check with its result, in the order in which they build on each other."""
    seal = record.get("fairness") if isinstance(record, Mapping) else None
    if not isinstance(seal, Mapping) or not _is_seal(seal, record.get("players")):
        return [Check("the record has a complete seal of its deal", False)]
    table, secret, salts = seal["table"], seal["secret"], seal["salts"]
    seed = fairness.deal_seed(table, secret, salts)
    checks = [
        Check("the secret fits the commitment", fairness.commitment(table, secret) == seal["commitment"]),
        Check("the seed follows from the secret and the salts", record.get("seed") == {"bytes": seed.hex()}),
    ]
    if kept_commitment is not None:
        checks.append(Check("the commitment is the one that you kept", kept_commitment.lower() == seal["commitment"]))
    if kept_salt is not None:
        checks.append(Check("your salt is among the salts", kept_salt.lower() in salts))
    try:
        match = tavolino.replay(record)
    except tavolino.BadRecord as bad:
        return [*checks, Check(f"the game replays: {bad}", False)]
    checks.append(Check(f"the game replays, {len(record['actions'])} decisions", True))
    checks.append(Check("who was first follows from the seed or was chosen", _first_fits(record, seal, seed)))
    ending = record.get("ending") or {}
    if ending.get("how") == "played":
        outcome = match.outcome
        fits = outcome is not None and list(outcome.winners) == ending.get("winners")
        checks.append(Check("the winners are those of the rules", fits))
    return checks


def _is_seal(seal: Mapping[str, Any], players: Any) -> bool:
    salts = seal.get("salts")
    return (
        all(isinstance(seal.get(key), str) for key in ("table", "commitment", "secret"))
        and isinstance(salts, list)
        and len(salts) == players
        and all(salt is None or isinstance(salt, str) for salt in salts)
    )


def _first_fits(record: Mapping[str, Any], seal: Mapping[str, Any], seed: bytes) -> bool:
    chosen = seal.get("first_seat")
    expected = fairness.chance_seat(seed, record["players"]) if chosen is None else chosen
    return bool(record["options"].get(seat_option(tavolino.load(record["game"]))) == expected)
