"""The open connections of a server, by person and by address."""

from __future__ import annotations

from collections import Counter

from tavolino.server.errors import Refused
from tavolino.server.kernel.viewers import Viewer
from tavolino.server.people.bans import Bans
from tavolino.server.subscribers import subscriber


class OpenConnections:
    def __init__(self) -> None:
        self._subscribers: Counter[str] = Counter()
        self._viewers: dict[Viewer, str] = {}
        self._people: dict[str, set[Viewer]] = {}
        self.closed = 0

    def __len__(self) -> int:
        return self._subscribers.total()

    def add(self, viewer: Viewer, address: str) -> None:
        self._subscribers[subscriber(address)] += 1
        self._viewers[viewer] = address
        if viewer.person is not None:
            self._people.setdefault(viewer.person, set()).add(viewer)

    def remove(self, viewer: Viewer, address: str) -> None:
        self.closed += 1
        self._subscribers[whose := subscriber(address)] -= 1
        self._viewers.pop(viewer, None)
        if not self._subscribers[whose]:
            del self._subscribers[whose]  # otherwise the dict would grow with every address
        if viewer.person is not None:
            self._people[viewer.person].discard(viewer)
            if not self._people[viewer.person]:
                del self._people[viewer.person]

    def count_from(self, address: str) -> int:
        return self._subscribers[subscriber(address)]

    def close_all_of(self, person: str, code: str = "no-identity") -> None:
        """Close a person's connections, by default because their identity is deleted."""
        for viewer in tuple(self._people.get(person, ())):
            viewer.close(code)

    def close_banned(self, bans: Bans) -> None:
        for viewer, address in tuple(self._viewers.items()):
            try:
                bans.check_address(address)
                if viewer.person is not None:
                    bans.check_person(viewer.person)
            except Refused:
                viewer.close("banned")
