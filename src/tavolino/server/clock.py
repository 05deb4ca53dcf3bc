"""Time. Everything that decides by time asks the server's one `Clock`; decision 040 says why it counts so.

The wall clock can be wrong: set by hand, stepped by NTP, lost with a battery. It is for people to read. Deadlines
follow `up`, ages follow `witnessed`, and neither is moved by a reading of the wall clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

TICK_SECONDS = 0.5  # a running server reads the clock at least this often
LONGEST_GAP = 2.0  # between two readings; a longer one was a pause: SIGSTOP, a frozen virtual machine, a stalled loop
JUMP_SECONDS = 60.0  # a larger difference between the wall clock and the monotonic clock is a jump
STEADY_SECONDS = 900.0  # both clocks must agree for this long before a jump is trusted
LARGEST_STEP = 12 * 3_600.0  # the most that one jump, or one time without a server, adds to ages


class Moment(NamedTuple):
    wall: float  # seconds since 1970, by the system's clock
    up: float  # seconds that servers have run on this storage, over all runs
    witnessed: float  # the same, plus the trusted part of the time in which no server ran


class Clock:
    def __init__(self, wall: Callable[[], float] = time.time, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._wall, self._monotonic = wall, monotonic
        self._up = self._down = 0.0
        self._begin()

    def _begin(self) -> None:
        self._seen = self._monotonic()
        self._ahead = self._wall() - self._seen  # of the monotonic clock
        self._doubtful = 0.0  # time that only the wall clock has measured
        self._steady_since = self._up

    def resume_from(self, last: Moment | None) -> None:
        """Begin a run. `last` is the last moment of the runs before."""
        if last is not None:
            self._up, self._down = last.up, last.witnessed - last.up
        self._begin()
        if last is not None:
            self._doubt(self._wall() - last.wall)

    def follow(self, moment: Moment) -> None:
        """Use the time of all nodes if this one is behind: it was paused, or has just started."""
        up, witnessed = self.up(), self.witnessed()
        self._up = max(up, moment.up)
        self._down = max(witnessed, moment.witnessed) - self._up

    def wall(self) -> float:
        """When something happened, to show to people. No decision depends on it."""
        return self._wall()

    def believed_wall(self) -> float:
        """The wall clock without a jump ahead that is not trusted yet, for what must not be shown too early."""
        self.tick()
        return self._wall() - max(0.0, self._doubtful)

    def up(self) -> float:
        """Seconds of uptime, for deadlines. A pause of this process does not count: nobody could act in it."""
        seen = self._monotonic()
        self._up += min(max(0.0, seen - self._seen), LONGEST_GAP)
        self._seen = seen
        return self._up

    def witnessed(self) -> float:
        """Seconds that have passed for certain, for ages: what is abandoned, what is old enough to be removed."""
        return self.up() + self._down

    def now(self) -> Moment:
        up = self.up()
        return Moment(self._wall(), up, up + self._down)

    def tick(self) -> None:
        """Read both clocks. The server calls this every `TICK_SECONDS`."""
        up = self.up()
        ahead = self._wall() - self._monotonic()
        jump, self._ahead = ahead - self._ahead, ahead
        if abs(jump) > JUMP_SECONDS:
            self._doubt(jump)
        elif self._doubtful > 0 and up - self._steady_since >= STEADY_SECONDS:
            self._down += min(self._doubtful, LARGEST_STEP)
            self._doubtful = 0.0

    def _doubt(self, jump: float) -> None:
        """Only the wall clock has measured this time. A jump and a jump back cancel, in either order."""
        self._doubtful += jump
        self._steady_since = self._up
