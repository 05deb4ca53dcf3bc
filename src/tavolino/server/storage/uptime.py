"""How long the server was up, from its stored runs. Move clocks run while it is up and stand still while it is down."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tavolino.server.storage import Run


class Uptime:
    """Measures the part of a time span during which the server was up.

    The server stores a heartbeat every few seconds. After a kill the last heartbeat counts as the end of that run, so
    a player may gain those seconds and never loses any.
    """

    def __init__(self, now: Callable[[], float], earlier: Sequence[Run], started: float) -> None:
        self.now = now
        self._earlier = list(earlier)
        self._started = started

    def since(self, moment: float) -> float:
        """Seconds of uptime since `moment`."""
        now = self.now()
        running = max(0.0, now - max(moment, self._started))
        before = sum(max(0.0, run.alive - max(moment, run.started)) for run in self._earlier)
        return running + before
