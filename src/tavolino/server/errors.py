"""Refusals: their codes with the HTTP status of each. Features add their own (`Feature.refusals`). The sentences are in
`texts/`, those of features in `texts/` of theirs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tavolino.server.protocol import Problem

STATUS: dict[str, int] = {
    # the request itself
    "bad-message": 400,
    "too-big": 413,
    "too-fast": 429,
    "wrong-origin": 403,
    "wrong-host": 421,
    "not-found": 404,
    "wrong-method": 405,
    # people
    "no-identity": 401,
    "banned": 403,
    "bad-name": 422,
    "bad-return-code": 410,
    "no-such-device": 404,
    "too-many-people": 429,
    # tables
    "no-such-table": 404,
    "table-damaged": 500,
    "other-version": 503,
    "no-such-game": 404,
    "bad-option": 422,
    "bad-players": 422,
    "not-rated": 422,
    "too-many-tables": 429,
    "too-many-watching": 429,
    "too-many-sockets": 429,
    "not-host": 403,
    "not-seated": 403,
    "already-seated": 409,
    "no-such-seat": 422,
    "seat-taken": 409,
    "table-full": 409,
    "not-a-person": 409,
    "still-empty": 409,
    "kicked": 403,
    "not-waiting": 409,
    "not-playing": 409,
    "not-started": 409,
    "still-playing": 409,
    "still-secret": 403,
    "still-compiling": 503,
    # play
    "not-your-turn": 409,
    "stale-move": 409,
    "illegal-move": 422,
    "move-failed": 500,
    # finished games
    "no-such-variation": 404,
    "no-such-turn": 409,
    "bad-text": 422,
    # lessons, puzzles and rules
    "no-rules": 404,
    "no-such-language": 404,
    # the server
    "storage-full": 507,
    "storage-failed": 500,
    "storage-broken": 503,
    "storage-unknown": 503,
    "busy": 503,
    "overloaded": 503,
    "stopping": 503,
    "internal": 500,
}


def declare(codes: Iterable[tuple[str, int]]) -> None:
    """Add refusals with their statuses. Two features may have the same one."""
    for code, status in codes:
        if STATUS.setdefault(code, status) != status:
            raise ValueError(f"The refusal {code} has the status {STATUS[code]} already, not {status}.")


class Refused(Exception):
    """A request or command that is not carried out; nothing has changed."""

    def __init__(
        self,
        code: str,
        params: Mapping[str, Any] | None = None,
        rule: str | None = None,
        key: str | None = None,
    ) -> None:
        super().__init__(code)
        self.status = STATUS[code]
        self.problem = Problem(code, key or f"server.refused.{code}", dict(params or {}), rule)
