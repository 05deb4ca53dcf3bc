"""What the server keeps, as an interface: tables as append-only lists of entries, people, the time that has passed.

`tests/server/storage_contract.py` says what every implementation must do: SQLite (`sqlite.py`) and PostgreSQL
(`postgres/`). The rest of the server imports this module alone; `choosing.py` says which one it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct

from tavolino.server.clock import Moment
from tavolino.server.storage.nodes import Nodes


class StorageError(Exception):
    """The storage could not do it; nothing of it was kept."""


class StorageFull(StorageError):
    """The disk is full. What was acknowledged is safe; writes are refused until there is room."""


class NumberTaken(StorageError):
    """This number of this table was already written: another server writes to it."""


class LeaseLost(StorageError):
    """Another node drives this table now; the automatic change of this node was not written."""


class JournalReplaced(StorageError):
    """The stored entries are not a continuation of those that were read before: a standby without the last ones has
    taken over, or a backup was put back."""


class TableDamaged(StorageError):
    """The stored entries of this table are not those that were written: one is missing or was changed."""

    def __init__(self, table: str, what: str) -> None:
        super().__init__(f"table {table}: {what}")
        self.table = table


class RatingsChanged(StorageError):
    """Another game of one of these people was rated in the meantime: read their ratings again."""


class OutcomeUnknown(StorageError):
    """The storage has not answered in time: it is unknown whether the write was stored. Reading the table shows it."""


class StorageBroken(StorageError):
    """A write failed, and it is unknown whether it was stored. The server must restart to find out."""


class CannotOpen(StorageError):
    """Why the storage cannot be used, in one sentence for the operator."""


class StorageInUse(CannotOpen):
    """Another server works with this storage."""


class TableRow(Struct, frozen=True, kw_only=True):
    """The data of a table for lists, stored beside its entries so that no list has to replay a game."""

    table: str
    game: str
    phase: str
    public: bool
    changed: int  # seconds since 1970; 0 when appending: as it was, for entries that others must not notice
    witnessed: int  # the same moment in witnessed time, for ages
    needs_waking: bool  # something happens here even when nobody is connected
    members: tuple[str, ...]  # person ids
    card: bytes  # the rest, as the server encodes it


class StoredOrder(NamedTuple):
    """An operator's order to the servers on this storage; `outcome` once one of them has carried it out."""

    number: int
    content: bytes
    outcome: str | None


class StoredToken(NamedTuple):
    """A device of a person."""

    hash: bytes
    made: int  # seconds since 1970
    used: int  # the last time, about


class StoredRating(NamedTuple):
    """A person's rating in a game after `number` rated games, the last of them at this table."""

    person: str
    game: str
    number: int
    table: str
    ended: int  # seconds since 1970
    mu: float
    sigma: float


class StoredCircle(NamedTuple):
    id: str
    name: str


class StoredMember(NamedTuple):
    """Of a circle. `role`: owner, member, or out for somebody who was removed and may not come back."""

    person: str
    joined: int  # milliseconds since 1970
    role: str


class StoredResult(NamedTuple):
    """What somebody has achieved at a table that counts in a circle."""

    circle: str
    table: str
    person: str
    game: str
    ended: int  # seconds since 1970
    won: bool


class StoredSeries(NamedTuple):
    """Deals that the members of a circle play. All moments in seconds since 1970."""

    id: str
    circle: str
    game: str
    seats: int
    deals: int
    opened: int
    closes: int
    closed: int | None  # before that, because everybody had played


class Appended(NamedTuple):
    """Entries `number`, `number + 1`, ... of a table, and its new row.

    `epoch`: that of the lease under which a node does this by itself; 0 if somebody asked for it.
    """

    row: TableRow
    number: int
    entries: list[bytes]
    epoch: int = 0


class Storage(Protocol):
    """All methods are for one event loop. A write is durable when its call returns."""

    @property
    def nodes(self) -> Nodes | None:
        """None: one server has this storage for itself."""

    async def open(self) -> list[str]:
        """Raises `CannotOpen`. Returns what the operator should know, a sentence each."""

    async def close(self) -> None: ...

    def problems(self) -> list[str]:
        """What is wrong now, a sentence each, for the operator."""

    async def until_broken(self) -> str:
        """Wait until the storage cannot go on (`StorageBroken`), and say why in one sentence."""

    async def is_served(self) -> bool:
        """Whether a server works with this storage now, for commands of operators."""

    # tables

    async def append(self, *appended: Appended) -> None:
        """Add entries to tables, all or nothing. `NumberTaken` unless each number follows directly on the last one of
        its table; `LeaseLost` if the epoch of a lease is not that of the table."""

    async def entries(self, table: str, after: int = 0) -> list[bytes]:
        """The entries after a number. `TableDamaged` if any entry of the table is not as it was written;
        `JournalReplaced` if those up to the number are not the ones that were read before."""

    async def check_tables(self, after: str, limit: int) -> tuple[str | None, list[TableDamaged]]:
        """Check the next tables in the order of their ids: the last one checked (None at the end), and the damaged.
        Addresses of webhooks that an older server has written into entries are taken out."""

    async def keep_snapshot(self, table: str, number: int, snapshot: bytes) -> None: ...

    async def snapshot(self, table: str) -> tuple[int, bytes] | None: ...

    async def keep_review(self, table: str, seat: int, version: int, review: bytes) -> None:
        """Store the review of a table for a seat, replacing an earlier one; no effect if the table was removed."""

    async def review(self, table: str, seat: int, version: int) -> bytes | None:
        """The review that was kept, if it is of this version."""

    async def row(self, table: str) -> TableRow | None: ...

    async def public_rows(self, limit: int) -> list[TableRow]:
        """Public tables that have not ended, the newest change first."""

    async def rows_of(self, person: str, limit: int) -> list[TableRow]: ...

    async def count_open(self) -> int:
        """How many tables have not ended."""

    async def waking_tables(self, after: str, limit: int) -> list[str]:
        """Tables with automatic changes, in the order of their ids. Nodes take them over instead."""

    async def idle_tables(self, witnessed: int, limit: int) -> list[tuple[str, int]]:
        """Tables that have not ended and have not changed since then, with the number of their last entry."""

    async def ended_tables(self, witnessed: int, limit: int) -> list[str]:
        """Tables that had ended by then."""

    async def remove_table(self, table: str) -> None: ...

    # people

    async def add_person(self, person: str, name: str, token_hash: bytes, now: int, witnessed: int = 0) -> None:
        """With its first token. `now` is for people; tokens expire by `witnessed`."""

    async def add_token(self, person: str, token_hash: bytes, now: int, witnessed: int = 0) -> None: ...

    async def person_of(self, token_hash: bytes, unused_since: int = -1) -> tuple[str, str] | None:
        """Id and name; None for a token that was last used at that witnessed moment or before."""

    async def use_token(self, token_hash: bytes, now: int, witnessed: int) -> None:
        """Note that it is in use."""

    async def tokens_of(self, person: str) -> list[StoredToken]:
        """The newest first."""

    async def remove_tokens(self, hashes: list[bytes]) -> None: ...

    async def remove_unused_tokens(self, witnessed: int, limit: int) -> int:
        """Those that were last used at that moment or before; says how many there were, `limit` at most."""

    async def rename(self, person: str, name: str) -> None:
        """From now on. A new name that waited is dropped."""

    async def keep_new_name(self, person: str, name: str) -> None:
        """For later."""

    async def new_names(self, people: list[str] | None = None) -> dict[str, str]:
        """The names that wait, by id; of everybody without `people`."""

    async def names(self, people: list[str]) -> dict[str, str]:
        """The names by id, without deleted identities."""

    async def forget(self, person: str) -> None:
        """Delete name, tokens, return codes, items and claims of notifications; the person's tables keep a nameless
        seat. No byte of the name stays."""

    async def add_return_code(self, code_hash: bytes, person: str, expires: int, most: int = 5) -> None:
        """Of one person's codes only the `most` newest ones are kept."""

    async def remove_return_codes(self, person: str) -> None: ...

    async def use_return_code(self, code_hash: bytes, now: int) -> str | None:
        """The person, once; None for an unknown, used or expired code."""

    # what is kept for one person, by name (`puzzle/...`), and deleted with that person

    async def keep_item(self, person: str, name: str, content: bytes) -> None:
        """In place of what had that name. For somebody who was deleted nothing is kept."""

    async def keep_first_item(self, person: str, name: str, content: bytes) -> bytes:
        """Unless something has that name already; what has it now. The person must be there."""

    async def items(self, person: str, prefix: str) -> dict[str, bytes]:
        """What a person has under names that begin so, in the order of the names."""

    async def items_called(self, name: str) -> dict[str, bytes]:
        """What has this name, by person."""

    async def remove_items(self, person: str, prefix: str) -> None:
        """No byte of them stays, a few seconds later."""

    async def remove_items_called(self, name: str) -> None: ...

    # deals that several tables share

    async def deal_secret(self, name: str, fresh: str) -> str:
        """The secret of a deal: the first one that was offered under this name, and from then on always that one."""

    async def shared_secret(self, name: str) -> str | None: ...

    # notifications, and keys of the server

    async def claim_notifications(self, person: str, kind: str, turns: dict[str, int]) -> set[str]:
        """Claim those of these turns, by table, for which no notification of this kind was sent yet. Several servers
        never get the same one. No notification is preferred to two."""

    async def server_key(self, name: str, fresh: bytes) -> bytes:
        """A key that all servers on this storage share: the first one that was offered under this name."""

    # results that count: exactly once for each game, even if a server stops in between

    async def expect_result(self, table: str) -> None:
        """The result of this table will count. Written before its cards are dealt, so that none is ever missed."""

    async def unsettled_results(self, limit: int) -> list[str]:
        """Tables that have ended and whose result is expected and was not settled."""

    async def settle_result(
        self, table: str, ratings: list[StoredRating], circles: Sequence[StoredResult] = ()
    ) -> None:
        """Keep what an expected result has changed, unless it is settled already: all of it, once. `RatingsChanged`
        unless each rating is the next one of its person in that game. For deleted people nothing is kept."""

    async def ratings(self, people: list[str], game: str) -> dict[str, StoredRating]:
        """The newest rating of each of these people who has one."""

    async def rating_at(self, person: str, table: str) -> list[StoredRating]:
        """The rating that a table has given to a person, after the one before it. Empty: it has given none."""

    async def ratings_of(self, person: str) -> list[StoredRating]:
        """All of them, by game and in their order."""

    # circles of friends

    async def add_circle(self, circle: StoredCircle, person: str, now: int, most: int) -> bool:
        """The person who creates it is its owner. False: this person is already in the maximum number of circles."""

    async def join_circle(self, circle: str, person: str, now: int, most: int, most_members: int) -> bool:
        """False: this person is in too many circles, or the circle is full. Members stay what they are."""

    async def leave_circle(self, circle: str, person: str) -> None:
        """With the results. If the owner leaves, the oldest member owns it; without members it is deleted."""

    async def remove_from_circle(self, circle: str, person: str) -> None:
        """With the results. This person cannot join again."""

    async def circle(self, circle: str) -> StoredCircle | None: ...

    async def circle_members(self, circle: str) -> list[StoredMember]:
        """Also those who are out, the oldest first."""

    async def circles_of(self, person: str) -> list[StoredCircle]:
        """Those that a person is in, by name."""

    async def common_circles(self, people: list[str]) -> list[str]:
        """Those that all of these people are in."""

    async def circle_standings(self, circle: str) -> list[tuple[str, str, int, int]]:
        """Game, person, games and wins."""

    async def circle_results(self, circle: str, limit: int) -> list[StoredResult]:
        """The newest first, of each person one."""

    async def add_series(self, series: StoredSeries) -> None: ...

    async def close_series(self, series: str, now: int) -> None:
        """Unless it is closed already."""

    async def series(self, series: str) -> StoredSeries | None: ...

    async def series_of(self, circle: str) -> list[StoredSeries]:
        """The newest first. They go with their circle."""

    # time

    async def last_moment(self) -> Moment | None:
        """The last moment that a server has kept; None for a new storage."""

    async def keep_moment(self, moment: Moment) -> None:
        """A heartbeat. `up` and `witnessed` never go back, even if several servers keep theirs."""

    # what operators ask of running servers (`tavolino admin`, `tavolino announce`)

    async def add_order(self, content: bytes) -> int:
        """Its number. Numbers grow and are never used again."""

    async def orders(self, after: int) -> list[StoredOrder]:
        """The orders with higher numbers, the oldest first."""

    async def settle_order(self, number: int, outcome: str) -> None:
        """Say what came of an order."""

    async def remove_orders(self, numbers: list[int]) -> None: ...
