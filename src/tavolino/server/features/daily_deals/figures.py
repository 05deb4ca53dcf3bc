"""What people gave away in daily deals, to compare with: kept in memory, in order, and read again now and then.

What this node learns itself (a new result, somebody who is forgotten) counts at once; what other nodes learn, within
`FRESH_SECONDS`.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from statistics import median

FRESH_SECONDS = 30.0
MOST_DEALS = 50
Read = Callable[[str], Awaitable[dict[str, float]]]  # of a deal: figures by person


class Figures:
    """The figures of one deal."""

    __slots__ = ("by_person", "ordered", "read_at")

    def __init__(self, by_person: dict[str, float], read_at: float) -> None:
        self.by_person, self.ordered, self.read_at = by_person, sorted(by_person.values()), read_at

    def note(self, person: str, figure: float) -> None:
        if self.by_person.get(person) != figure:
            self.remove(person)
            self.by_person[person] = figure
            insort(self.ordered, figure)

    def remove(self, person: str) -> None:
        figure = self.by_person.pop(person, None)
        if figure is not None:
            self.ordered.remove(figure)

    def compare(self, person: str, given_away: float | None) -> tuple[int, int, float | None]:
        """How many others have a result, how many of them gave away more, and the median of all."""
        worse = 0 if given_away is None else len(self.ordered) - bisect_right(self.ordered, given_away)
        others = len(self.ordered) - (person in self.by_person)
        return others, worse, median(self.ordered) if self.ordered else None


class DailyFigures:
    def __init__(self, up: Callable[[], float]) -> None:
        self._up = up
        self._deals: OrderedDict[str, Figures] = OrderedDict()

    async def of(self, deal: str, read: Read) -> Figures:
        found = self._deals.get(deal)
        if found is None or self._up() - found.read_at >= FRESH_SECONDS:
            found = self._deals[deal] = Figures(await read(deal), self._up())
            while len(self._deals) > MOST_DEALS:
                self._deals.popitem(last=False)
        return found

    def forget(self, person: str) -> None:
        for figures in self._deals.values():
            figures.remove(person)
