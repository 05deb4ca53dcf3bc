"""Limits the share of notifications for the people of one address, so that many identities of one address cannot use up
all of them."""

from __future__ import annotations

from collections import Counter, OrderedDict

from tavolino.server.subscribers import subscriber

MOST_KNOWN = 20_000


class LastAddresses:
    """The address at which each person was last seen, as limits count addresses. An unknown person counts alone."""

    def __init__(self) -> None:
        self._addresses: OrderedDict[str, str] = OrderedDict()

    def note(self, person: str, address: str) -> None:
        self._addresses[person] = subscriber(address)
        self._addresses.move_to_end(person)
        if len(self._addresses) > MOST_KNOWN:
            self._addresses.popitem(last=False)

    def of(self, person: str) -> str:
        return self._addresses.get(person, person)


class Shares:
    """A number of places, of which one address may take a share."""

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most, self._most_of_one = most, most_of_one
        self._taken: Counter[str] = Counter()

    def take(self, whose: str) -> bool:
        if self._taken[whose] >= self._most_of_one or self._taken.total() >= self._most:
            return False
        self._taken[whose] += 1
        return True

    def give_back(self, whose: str) -> None:
        self._taken[whose] -= 1
        if not self._taken[whose]:
            del self._taken[whose]
