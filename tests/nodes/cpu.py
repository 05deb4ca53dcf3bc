"""CPU time, user and system together, of the parts of a run: as the kernel counts it for each process."""

from __future__ import annotations

import os
import resource
from pathlib import Path
from typing import NamedTuple

TICK = 1 / os.sysconf("SC_CLK_TCK")


class Process(NamedTuple):
    parent: int
    own: float  # seconds
    ended: float  # of its children that have ended


def process(number: int) -> Process:
    fields = Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()
    user, system, user_ended, system_ended = (int(each) * TICK for each in fields[11:15])
    return Process(int(fields[1]), user + system, user_ended + system_ended)


def spent_here() -> float:
    """CPU seconds of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def spent_below() -> float:
    """CPU seconds of all processes that this one has started, running or ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    everybody: dict[int, Process] = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            everybody[int(path.name)] = process(int(path.name))
        except OSError:  # it has just ended
            continue
    total, below = ended.ru_utime + ended.ru_stime, {os.getpid()}
    while below:
        below = {number for number, each in everybody.items() if each.parent in below}
        total += sum(everybody[number].own + everybody[number].ended for number in below)
    return total
