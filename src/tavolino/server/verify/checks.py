"""Checks of a record: the commitment, the seed, the deal, every move and the end.

A check against the record alone proves only that the record is consistent. Anyone who kept the commitment
and their own salt from before the deal gives them too: then the server alone cannot have chosen the cards.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import tavolino
from tavolino.engine.errors import BadRecord
from tavolino.engine.match import Match, Outcome
from tavolino.engine.record_format import binds_every_action
from tavolino.engine.records import OF_ANOTHER_VERSION, parse
from tavolino.server.games import fairness

# broken: something does not hold. unchecked: this version cannot replay it. consistent: all holds, but nothing was kept
# from before the deal. sealed: all holds, with the commitment that was kept.
Result = Literal["broken", "unchecked", "consistent", "sealed"]
_KEPT = re.compile("[0-9a-fA-F]{64}")


@dataclass(frozen=True)
class Check:
    key: str
    holds: bool | None  # None: cannot be told from this record
    params: Mapping[str, Any] = field(default_factory=dict)
    why: BadRecord | None = None


@dataclass(frozen=True)
class Kept:
    """What somebody kept from before the deal. `salt`: several people's, of one device, have spaces between them."""

    commitment: str | None = None
    salt: str | None = None

    @property
    def is_possible(self) -> bool:
        salts = None if self.salt is None else self.salt.split()
        return salts != [] and all(is_kept(text) for text in [self.commitment, *(salts or ())] if text is not None)


@dataclass(frozen=True)
class Verdict:
    result: Result
    checks: list[Check]
    limits: list[str]  # keys of what the checks cannot prove
    table: str | None  # what the commitment is bound to
    commitment: str | None


class CannotCheck(Exception):
    """There is nothing to check. `why` says what is wrong with a file that is none of a game."""

    def __init__(self, key: str, why: BadRecord | None = None):
        super().__init__(key)
        self.key, self.why = key, why


def is_kept(text: str) -> bool:
    """Whether this can be a commitment or a salt."""
    return _KEPT.fullmatch(text) is not None


def check_file(content: bytes, kept: Kept | None = None) -> Verdict:
    """Check the record in a file; CannotCheck if there is none with a seal."""
    try:
        record = parse(content)
    except BadRecord as bad:
        raise CannotCheck("no-record", bad) from None
    if record.get("fairness") is None and not isinstance(record.get("continues"), Mapping):
        raise CannotCheck("no-seal")
    return verdict(record, kept or Kept())


def verdict(record: Any, kept: Kept) -> Verdict:
    checks = check_record(record, kept.commitment, kept.salt)
    seal = record.get("fairness") if isinstance(record, Mapping) else None
    bound = {key: seal.get(key) for key in ("table", "commitment")} if isinstance(seal, Mapping) else {}
    table, commitment = (content if _is_text(content) else None for content in map(bound.get, ("table", "commitment")))
    return Verdict(_result(checks, kept), checks, _limits(checks, seal, kept), table, commitment)


def _result(checks: list[Check], kept: Kept) -> Result:
    if any(check.holds is False for check in checks):
        return "broken"
    if any(check.key == "replay" and check.holds is None for check in checks):
        return "unchecked"
    return "sealed" if kept.commitment is not None and any(check.key == "kept" for check in checks) else "consistent"


def _limits(checks: list[Check], seal: Any, kept: Kept) -> list[str]:
    """What remains open after all checks have held."""
    if any(check.holds is False for check in checks) or not isinstance(seal, Mapping):
        return []
    salted = sum(salt is not None for salt in seal["salts"])
    limits = []
    if kept.commitment is None:
        limits.append("nothing-kept")
    if not salted:
        limits.append("nobody-salted")
    elif kept.salt is None:
        limits.append("no-salt-kept")
    elif salted > len(set(kept.salt.split())):
        limits.append("others-salted")
    return [*limits, "who-saw-what"]


def check_record(record: Any, kept_commitment: str | None = None, kept_salt: str | None = None) -> list[Check]:
    """Every check with its result, in the order in which they build on each other."""
    seal = record.get("fairness") if isinstance(record, Mapping) else None
    if seal is None and isinstance(record, Mapping) and isinstance(record.get("continues"), Mapping):
        return _check_continued(record)
    if not isinstance(seal, Mapping) or not _is_seal(seal, record.get("players")):
        return [Check("seal", False)]
    table, secret, salts = seal["table"], seal["secret"], seal["salts"]
    seed = fairness.deal_seed(table, secret, salts)
    checks = [
        Check("secret", fairness.commitment(table, secret) == seal["commitment"]),
        Check("seed", record.get("seed") == {"bytes": seed.hex()}),
    ]
    if kept_commitment is not None:
        checks.append(Check("kept", kept_commitment.lower() == seal["commitment"]))
    bots = seal.get("bots")
    checks.append(Check("bots", _bots_are_unsalted(bots, salts)))
    if kept_salt is not None:
        people = [salt for seat, salt in enumerate(salts) if not isinstance(bots, list) or seat not in bots]
        checks.append(Check("salt", set(kept_salt.lower().split()) <= set(people)))
    match, replayed = _check_moves(record)
    checks += replayed
    if match is None:
        return checks
    checks.append(Check("first", _first_fits(record, seal, seed)))
    return [*checks, _check_ending(record.get("ending"), match.outcome)]


def _check_continued(record: Mapping[str, Any]) -> list[Check]:
    """A game that plays on from a finished one has no commitment: its cards were known before it began."""
    match, replayed = _check_moves(record)
    ending = [] if match is None else [_check_ending(record.get("ending"), match.outcome)]
    return [Check("continued", None), *replayed, *ending]


def _check_moves(record: Mapping[str, Any]) -> tuple[Match | None, list[Check]]:
    """Play the record again; without a match if that is not possible."""
    # Without a hash or an ending, cutting off the last moves would not be detected.
    checks = [Check("end-state", isinstance(record.get("hash"), str))]
    try:
        match = tavolino.replay(record)
    except tavolino.BadRecord as bad:
        holds = None if bad.key in OF_ANOTHER_VERSION else False
        return None, [*checks, Check("replay", holds, why=bad)]
    checks.append(Check("replay", True, {"n": len(record["actions"])}))
    if taken := record.get("taken_back"):
        checks.append(Check("taken-back", None, {"n": len(taken) if isinstance(taken, list) else 0}))
    # The replay has compared the chain. Records of 0.1 have none.
    return match, [*checks, Check("chain", True if binds_every_action(record) else None)]


def _bots_are_unsalted(bots: Any, salts: list[str | None]) -> bool:
    """A dishonest server could try salts for its bots until it likes the cards."""
    if not isinstance(bots, list) or not all(type(seat) is int and 0 <= seat < len(salts) for seat in bots):
        return False  # the record must name the bots
    return all(salts[seat] is None for seat in bots)


def _check_ending(ending: Any, outcome: Outcome | None) -> Check:
    if not isinstance(ending, Mapping) or not isinstance(ending.get("how"), str):
        return Check("ending", False)
    if ending["how"] == "played":
        return Check("winners", outcome is not None and list(outcome.winners) == ending.get("winners"))
    return Check("ended-early", outcome is None)


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
