"""Events: what happened, and who may know it.

Rules write rows of numbers into the record with `emit`. A row has a public half, which everybody sees, and a
private half for its audience, one bit per seat. A game lists its kinds of events with the fields of each;
everything that a person reads (log, animation, replay) is made from these rows. A spectator is in no audience.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tavolino.engine.compiled import compiled
from tavolino.engine.record import EVENT_ROOM, State

Row = Sequence[int]
Event = dict[str, Any]
Reader = Callable[[Row], Any]

NO_ONE = 0  # the audience of an event without a private half


@compiled
def emit(
    s: State,
    kind: int,
    audience: int,
    a: int = 0,
    b: int = 0,
    c: int = 0,
    d: int = 0,
    e: int = 0,
    f: int = 0,
    g: int = 0,
    h: int = 0,
) -> None:
    """Write an event into the record, unless the record is quiet.

    The buffer holds more events than any action writes (the conformance suite checks it); a full buffer drops events.
    """
    if s.quiet != 0 or s.n_events == EVENT_ROOM:
        return
    row = s.events[s.n_events]
    row[0], row[1] = kind, audience
    row[2], row[3], row[4], row[5] = a, b, c, d
    row[6], row[7], row[8], row[9] = e, f, g, h
    s.n_events += 1


@dataclass(frozen=True)
class Field:
    """One named part of an event: how it is read from the row, and whether it is private."""

    name: str
    read: Reader
    is_private: bool = False


@dataclass(frozen=True)
class EventKind:
    name: str
    fields: tuple[Field, ...]

    @cached_property
    def is_private(self) -> bool:
        """Whether some field is only for the audience."""
        return any(field.is_private for field in self.fields)


def number(at: int) -> Reader:
    return lambda row: row[2 + at]


def flag(at: int) -> Reader:
    return lambda row: bool(row[2 + at])


def seat(at: int) -> Reader:
    """A seat, or None for nobody."""
    return lambda row: row[2 + at] if row[2 + at] >= 0 else None


def word(at: int, words: Sequence[str | None]) -> Reader:
    """One of a list of names, for example of cards; a negative number is None."""
    return lambda row: words[row[2 + at]] if row[2 + at] >= 0 else None


def word_list(at: int, length: int, words: Sequence[str]) -> Reader:
    """Several names one after the other, as many as are not negative."""
    return lambda row: [words[n] for n in row[2 + at : 2 + at + length] if n >= 0]


def word_set(at: int, words: Sequence[str]) -> Reader:
    """A set of names, as the bits of one number, in the order of the list."""
    return lambda row: [name for n, name in enumerate(words) if row[2 + at] >> n & 1]


def private(name: str, read: Reader) -> Field:
    return Field(name, read, is_private=True)


def tell(kinds: Sequence[EventKind], row: Row, viewer: int) -> Event:
    """The event as one viewer sees it. What the viewer may not know is None, whatever its value."""
    kind = kinds[row[0]]
    is_told = viewer >= 0 and bool(row[1] >> viewer & 1)
    event: Event = {"kind": kind.name}
    for field in kind.fields:
        event[field.name] = field.read(row) if is_told or not field.is_private else None
    if is_told and has_private_half(kinds, row):
        event["secret"] = True
    return event


def has_private_half(kinds: Sequence[EventKind], row: Row) -> bool:
    return kinds[row[0]].is_private


def tell_all(kinds: Sequence[EventKind], row: Row, players: int) -> Event:
    """An event with its private half and its audience, for the program that runs the game, never for a player."""
    kind = kinds[row[0]]
    event: Event = {"kind": kind.name, **{field.name: field.read(row) for field in kind.fields}}
    event["audience"] = [viewer for viewer in range(players) if row[1] >> viewer & 1]
    return event
