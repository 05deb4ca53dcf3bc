"""Security events in the log, for the operator."""

from __future__ import annotations

import contextlib
import time
from typing import Any

from tavolino.server.errors import Refused
from tavolino.server.rate_limit import RateLimit

SECURITY = frozenset({"wrong-origin", "wrong-host", "banned"})  # refusals that an operator wants to see


class SecurityLog:
    """Logs refusals that look like an attack: a few lines for each address, so that none can fill the log."""

    def __init__(self, log: Any) -> None:
        self._log = log
        self._lines = RateLimit(1 / 60, 5, "too-fast", time.monotonic)

    def note(self, refused: Refused, address: str, **fields: str | None) -> None:
        code = refused.problem.code
        if code in SECURITY:
            with contextlib.suppress(Refused):
                self._lines.take(address)
                told = {name: value[:200] for name, value in fields.items() if value is not None}
                self._log.warning("refused", kind="security", reason=code, address=address, **told)
