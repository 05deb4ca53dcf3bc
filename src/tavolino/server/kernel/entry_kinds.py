"""All kinds of entries: the kernel's, and those of the features that are installed, switched on or not.

A feature that is switched off still has its entries applied, so that its slice of a table is there when it is switched
on again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Union

import msgspec

from tavolino.server.kernel import entries as e
from tavolino.server.kernel.feature import Feature
from tavolino.server.kernel.state import TableState
from tavolino.server.storage.errors import TableDamaged


class EntryKinds:
    """`features`: all that are installed, by name."""

    def __init__(self, features: Iterable[type[Feature[Any]]]) -> None:
        self.features = {feature.name: feature for feature in features}
        self._private = {kind for feature in self.features.values() for kind in feature.private}
        self._unshown = {*self._private, e.Moved}
        self._passing = tuple(kind for feature in self.features.values() for kind in feature.passing)
        self.passing_slices = {feature.name for feature in self.features.values() if feature.passing}
        self._with_card, self._with_members = self._overriding("card"), self._overriding("members")
        self._followers: dict[type, list[type[Feature[Any]]]] = {}
        kinds = [*e.KERNEL_ENTRIES]
        for feature in self.features.values():
            kinds += feature.entries
            for kind in (*feature.entries, *feature.follows):
                self._followers.setdefault(kind, []).append(feature)
        self.decode = msgspec.json.Decoder(Union[tuple(kinds)]).decode  # noqa: UP007

    def _overriding(self, hook: str) -> list[type[Feature[Any]]]:
        """The features that have this class method: every move would call it for all of them."""
        default = getattr(Feature, hook).__func__
        return [feature for feature in self.features.values() if getattr(feature, hook).__func__ is not default]

    def decoded(self, table: str, entries: Iterable[bytes]) -> list[e.Entry]:
        """Entries of a table as they were stored. `TableDamaged` if one cannot be read."""
        try:
            return [self.decode(entry) for entry in entries]
        except msgspec.DecodeError as error:
            raise TableDamaged(table, f"an entry cannot be read ({error})") from None

    def replay(self, state: TableState, entries: Iterable[bytes]) -> TableState:
        """Apply stored entries to a state, and return it."""
        for entry in self.decoded(state.id, entries):
            try:
                self.apply(state, entry)
            except LookupError as error:
                raise TableDamaged(state.id, f"entry {state.number} cannot be read ({error})") from None
        return state

    def apply(self, state: TableState, entry: e.Entry) -> None:
        """Apply an entry to a state: to the kernel's part, and to the slices of the features that follow it."""
        state.apply(entry)
        for feature in self._followers.get(type(entry), ()):
            before = state.slices.get(feature.name, feature.empty)
            after = feature.apply(before, state, entry)
            if after is not before:
                state.slices[feature.name] = after

    def are_private(self, entries: Iterable[e.Entry]) -> bool:
        """Whether only one person sees each of them; the others must not even notice that something was stored."""
        return self._private.issuperset(map(type, entries))

    def is_table_unchanged(self, kinds: set[type[e.Entry]]) -> bool:
        """Whether entries of these kinds change nothing for everybody but the cards, and what only one person sees."""
        return self._unshown.issuperset(kinds)

    def is_passing(self, entry: e.Entry) -> bool:
        """Whether it means nothing any more some days after the game."""
        return isinstance(entry, self._passing)

    def card(self, state: TableState) -> dict[str, Any]:
        """What features add to the row of a table."""
        card: dict[str, Any] = {}
        for feature in self._with_card:
            card |= feature.card(state)
        return card

    def members(self, state: TableState) -> tuple[str, ...]:
        """The people whose lists show a table: those who sit there, and those whom features name."""
        people = state.people
        for feature in self._with_members:
            people += feature.members(state)
        return tuple(dict.fromkeys(people))

    def decode_slice(self, name: str, content: msgspec.Raw) -> Any:
        """A slice as it was stored. That of a feature that is not installed is kept as it is."""
        feature = self.features.get(name)
        return content if feature is None else msgspec.json.decode(content, type=feature.Slice)
