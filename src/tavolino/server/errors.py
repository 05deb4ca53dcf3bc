"""Refusals: every code that the server gives, with its HTTP status. Their sentences are in `texts/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tavolino.server.protocol import Problem

STATUS: Mapping[str, int] = {
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
    "bad-subscription": 422,
    "bad-webhook": 422,
    "too-many-people": 429,
    # circles
    "no-such-circle": 404,
    "not-in-circle": 403,
    "out-of-circle": 403,
    "not-owner": 403,
    "circle-full": 409,
    "too-many-circles": 409,
    "no-such-series": 404,
    "series-closed": 409,
    "too-many-series": 409,
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
    "not-ended": 409,
    "still-playing": 409,
    "still-secret": 403,
    "still-compiling": 503,
    "player-is-here": 409,
    "on-vacation": 409,
    "no-vacation": 409,
    "no-such-order": 422,
    "no-plans": 409,
    # play
    "not-your-turn": 409,
    "stale-move": 409,
    "illegal-move": 422,
    "move-failed": 500,
    "no-hints": 403,
    "nothing-to-take-back": 409,
    "take-back-seen": 409,
    "take-back-declined": 409,
    "too-many-votes": 409,
    "rated-game": 409,
    # finished games
    "no-review": 409,
    "no-such-turn": 409,
    "no-such-variation": 404,
    "not-leader": 403,
    "not-in-room": 409,
    "room-full": 409,
    # chat
    "no-free-talk": 403,
    "no-such-remark": 409,
    "bad-text": 422,
    # lessons, puzzles and rules
    "no-tutorial": 404,
    "no-such-puzzle": 404,
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
