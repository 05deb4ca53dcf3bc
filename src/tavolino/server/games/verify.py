"""Checks of a record: the commitment, the seed, the deal, every move and the end.

A check against the record alone proves only that the record is consistent. Anyone who kept the commitment
and their own salt from before the deal gives them too: then the server alone cannot have chosen the cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

import tavolino
from tavolino.engine.match import Match, Outcome
from tavolino.engine.record_format import binds_every_action
from tavolino.server.games import fairness


class Check(Struct, frozen=True):
    what: str
    holds: bool | None  # None: cannot be told from this record


def check_record(record: Any, kept_commitment: str | None = None, kept_salt: str | None = None) -> list[Check]:
    """Every check with its result, in the order in which they build on each other."""
    seal = record.get("fairness") if isinstance(record, Mapping) else None
    if seal is None and isinstance(record, Mapping) and isinstance(record.get("continues"), Mapping):
        return _check_continued(record)
    if not isinstance(seal, Mapping) or not _is_seal(seal, record.get("players")):
        return [Check("the record has a complete seal of its deal", False)]
    table, secret, salts = seal["table"], seal["secret"], seal["salts"]
    seed = fairness.deal_seed(table, secret, salts)
    checks = [
        Check("the secret matches the commitment", fairness.commitment(table, secret) == seal["commitment"]),
        Check("the seed follows from the secret and the salts", record.get("seed") == {"bytes": seed.hex()}),
    ]
    if kept_commitment is not None:
        checks.append(Check("the commitment is the one that you kept", kept_commitment.lower() == seal["commitment"]))
    bots = seal.get("bots")
    checks.append(Check("no bot has added a salt", _bots_are_unsalted(bots, salts)))
    if kept_salt is not None:
        people = [salt for seat, salt in enumerate(salts) if not isinstance(bots, list) or seat not in bots]
        checks.append(Check("your salt is among the salts", kept_salt.lower() in people))
    match, replayed = _check_moves(record)
    checks += replayed
    if match is None:
        return checks
    checks.append(Check("who was first follows from the seed or was chosen", _first_fits(record, seal, seed)))
    return [*checks, _check_ending(record.get("ending"), match.outcome)]


def _check_continued(record: Mapping[str, Any]) -> list[Check]:
    """A game that plays on from a finished one has no commitment: its cards were known before it began."""
    checks = [Check("it plays on from another game: the record of that one has the seal of the deal", None)]
    match, replayed = _check_moves(record)
    return [*checks, *replayed, *([] if match is None else [_check_ending(record.get("ending"), match.outcome)])]


def _check_moves(record: Mapping[str, Any]) -> tuple[Match | None, list[Check]]:
    """Play the record again; without a match if that is not possible."""
    # Without a hash or an ending, cutting off the last moves would not be detected.
    checks = [Check("the record names the state at its end", isinstance(record.get("hash"), str))]
    try:
        match = tavolino.replay(record)
    except tavolino.BadRecord as bad:
        return None, [*checks, Check(f"the game replays: {bad}", False)]
    checks.append(Check(f"the game replays, {len(record['actions'])} decisions", True))
    if taken := record.get("taken_back"):
        times = len(taken) if isinstance(taken, list) else 0
        checks.append(Check(f"take-backs, with the consent of the others: {times}", None))
    return match, [*checks, _check_chain(record)]


def _check_chain(record: Mapping[str, Any]) -> Check:
    if binds_every_action(record):  # the replay has compared it
        return Check("the chain binds the start and every decision", True)
    return Check("no chain (a record of 0.1): a changed decision that leads to the same end would not show", None)


def _bots_are_unsalted(bots: Any, salts: list[str | None]) -> bool:
    """A dishonest server could try salts for its bots until it likes the cards."""
    if not isinstance(bots, list) or not all(type(seat) is int and 0 <= seat < len(salts) for seat in bots):
        return False  # the record must name the bots
    return all(salts[seat] is None for seat in bots)


def _check_ending(ending: Any, outcome: Outcome | None) -> Check:
    if not isinstance(ending, Mapping) or not isinstance(ending.get("how"), str):
        return Check("the record says how the game ended", False)
    if ending["how"] == "played":
        fits = outcome is not None and list(outcome.winners) == ending.get("winners")
        return Check("the winners follow from the rules", fits)
    return Check(f"the game ended before its rules ended it ({ending['how']})", outcome is None)


def _is_seal(seal: Mapping[str, Any], players: Any) -> bool:
    salts = seal.get("salts")
    return (
        all(_is_text(seal.get(key)) for key in ("table", "commitment", "secret"))
        and isinstance(salts, list)
        and len(salts) == players
        and all(salt is None or _is_text(salt) for salt in salts)
    )


def _is_text(content: Any) -> bool:
    """Ids and hexadecimal digits; anything else could be text that cannot even be encoded."""
    return isinstance(content, str) and content.isascii()


def _first_fits(record: Mapping[str, Any], seal: Mapping[str, Any], seed: bytes) -> bool:
    chosen = seal.get("first_seat")
    expected = fairness.chance_seat(seed, record["players"]) if chosen is None else chosen
    option, options = tavolino.load(record["game"]).meta.seat_option, record["options"]
    if option is None:  # the game has no seat to choose
        return chosen is None
    return isinstance(options, Mapping) and bool(options.get(option) == expected)
