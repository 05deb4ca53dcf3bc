"""How much of the server's calling is for the people of one address: nobody's many identities keep others from being
called."""

from __future__ import annotations

from collections import Counter, OrderedDict

from tavolino.server.subscribers import subscriber

MOST_KNOWN = 20_000


class LastAddresses:
    """From where people were last seen, as the limits count addresses. Whoever was not seen counts alone."""

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
    """Places, of which one address may take a part."""

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
