"""Time at the tables. Clocks run while the server is up, and stand still while it is down."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tavolino.server.storage import Run

HEARTBEAT_SECONDS = 5.0


class Uptime:
    """How much of a stretch of time the server was up for.

    The server notes every few seconds that it is alive. After a kill the last note stands for the end of that
    run, so a player may be given those seconds, and never loses any.
    """

    def __init__(self, now: Callable[[], float], earlier: Sequence[Run], started: float) -> None:
        self.now = now
        self._earlier = list(earlier)
        self._started = started

    def since(self, moment: float) -> float:
        now = self.now()
        running = max(0.0, now - max(moment, self._started))
        before = sum(max(0.0, run.alive - max(moment, run.started)) for run in self._earlier)
        return running + before
