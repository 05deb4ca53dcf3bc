"""The storage interface: tables as append-only lists of entries, people, and time.

`tests/server/storage_contract.py` specifies every implementation: SQLite (`sqlite.py`) and PostgreSQL (`postgres/`).
The rest of the server imports only this module; `choosing.py` creates the implementation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct

from tavolino.server.clock import Moment
from tavolino.server.storage.nodes import Nodes
from tavolino.server.storage.result_rows import RatedStep as RatedStep
from tavolino.server.storage.result_rows import StoredCircle as StoredCircle
from tavolino.server.storage.result_rows import StoredMember as StoredMember
from tavolino.server.storage.result_rows import StoredRating as StoredRating
from tavolino.server.storage.result_rows import StoredResult as StoredResult
from tavolino.server.storage.result_rows import StoredSeries as StoredSeries


class StorageError(Exception):
    """The operation failed, and nothing of it was stored."""


class StorageFull(StorageError):
    """The disk is full. Acknowledged writes are safe; new writes are refused until there is room."""


class NumberTaken(StorageError):
    """An entry with this number exists already: another server writes to the table."""


class ItemTaken(StorageError):
    """The person has an item of this name already."""


class LeaseLost(StorageError):
    """Another node drives this table now, so this node's automatic change was not written."""


class JournalReplaced(StorageError):
    """The stored entries do not continue those that were read before: a standby without the last entries has taken
    over, or a backup was restored."""


class TableDamaged(StorageError):
    """An entry of this table is missing or was changed after it was written."""

    def __init__(self, table: str, what: str) -> None:
        super().__init__(f"table {table}: {what}")
        self.table = table


class RatingsChanged(StorageError):
    """Another game of one of these people was rated in the meantime. Read their ratings again."""


class OutcomeUnknown(StorageError):
    """The storage did not answer in time, so it is unknown whether the write was stored. Read the table to find out."""


class StorageBroken(StorageError):
    """A write failed, and it is unknown whether it was stored. The server must restart to find out."""


class CannotOpen(StorageError):
    """The storage cannot be used; the message is one sentence for the operator."""


class StorageInUse(CannotOpen):
    """Another server uses this storage."""


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


class Item(NamedTuple):
    """Something that is stored for a person under a name."""

    person: str
    name: str
    content: bytes


class Appended(NamedTuple):
    """Entries `number`, `number + 1`, ... of a table, and its new row. `epoch`: the epoch of the lease for an automatic
    change; 0 for a change that somebody requested. `item` is stored with them: a table and its item exist together, or
    neither does."""

    row: TableRow
    number: int
    entries: list[bytes]
    epoch: int = 0
    item: Item | None = None


class Storage(Protocol):
    """All methods run on one event loop. A write is durable when its call returns."""

    @property
    def nodes(self) -> Nodes | None:
        """None if one server uses this storage alone."""

    async def open(self) -> list[str]:
        """Raises `CannotOpen`. Returns notes for the operator, one sentence each."""

    async def close(self) -> None: ...

    def problems(self) -> list[str]:
        """Current problems, one sentence each, for the operator."""

    async def until_broken(self) -> str:
        """Wait until the storage is broken (`StorageBroken`), and return the reason in one sentence."""

    async def is_served(self) -> bool:
        """Whether a server uses this storage now. For the commands of operators."""

    # tables

    async def append(self, *appended: Appended) -> None:
        """Add entries to tables, all or nothing. `NumberTaken` unless each number follows directly on the last one of
        its table; `LeaseLost` if the epoch of a lease is not that of the table; `ItemTaken` if an item has a name that
        its person uses already."""

    async def entries(self, table: str, after: int = 0) -> list[bytes]:
        """The entries after a number. `TableDamaged` if any entry of the table is not as it was written;
        `JournalReplaced` if those up to the number are not the ones that were read before."""

    async def check_tables(self, after: str, limit: int) -> tuple[str | None, list[TableDamaged]]:
        """Check the next tables in the order of their ids. Returns the last id checked (None at the end) and the
        damaged tables. Also removes addresses of webhooks that older servers have written into entries."""

    async def keep_snapshot(self, table: str, number: int, snapshot: bytes) -> None: ...

    async def snapshot(self, table: str) -> tuple[int, bytes] | None: ...

    async def keep_review(self, table: str, seat: int, version: int, review: bytes) -> None:
        """Store the review of a table for a seat, replacing an earlier one; no effect if the table was removed."""

    async def review(self, table: str, seat: int, version: int) -> bytes | None:
        """The stored review, if it has this version."""

    async def row(self, table: str) -> TableRow | None: ...

    async def public_rows(self, limit: int) -> list[TableRow]:
        """Public tables that have not ended, the last changed first."""

    async def rows_of(self, person: str, limit: int) -> list[TableRow]: ...

    async def count_open(self) -> int:
        """The number of tables that have not ended."""

    async def waking_tables(self, game: str, after: str, limit: int) -> list[str]:
        """Tables of a game with automatic changes, by id. Not for nodes: they use `Nodes.take_over`."""

    async def idle_tables(self, witnessed: int, limit: int) -> list[tuple[str, int]]:
        """Tables that have not ended or changed since then, with the number of their last entry."""

    async def ended_tables(self, witnessed: int, limit: int) -> list[str]:
        """Tables that had ended by then."""

    async def remove_table(self, table: str) -> None: ...

    # people

    async def add_person(self, person: str, name: str, token_hash: bytes, now: int, witnessed: int = 0) -> None:
        """Store a person with a first token. `now` is the time that people see; tokens expire by `witnessed`."""

    async def add_token(self, person: str, token_hash: bytes, now: int, witnessed: int = 0) -> None: ...

    async def person_of(self, token_hash: bytes, unused_since: int = -1) -> tuple[str, str] | None:
        """Id and name; None if the token was last used at or before that witnessed time."""

    async def use_token(self, token_hash: bytes, now: int, witnessed: int) -> None:
        """Store when the token was last used."""

    async def tokens_of(self, person: str) -> list[StoredToken]:
        """A person's tokens, the newest first."""

    async def remove_tokens(self, hashes: list[bytes]) -> None: ...

    async def remove_unused_tokens(self, witnessed: int, limit: int) -> int:
        """Remove tokens last used at or before that time, at most `limit`; returns how many."""

    async def rename(self, person: str, name: str) -> None:
        """Change the name at once. A name that waits to be applied is dropped."""

    async def keep_new_name(self, person: str, name: str) -> None:
        """Store a name that is applied later."""

    async def new_names(self, people: list[str] | None = None) -> dict[str, str]:
        """Names that wait to be applied, by id; of all people if `people` is None."""

    async def names(self, people: list[str]) -> dict[str, str]:
        """Names by id, without deleted identities."""

    async def forget(self, person: str) -> None:
        """Delete name, tokens, return codes, items and claims of notifications; the person's tables keep a nameless
        seat. No byte of the name stays."""

    async def add_return_code(self, code_hash: bytes, person: str, expires: int, most: int = 5) -> None:
        """Store a code. Only the person's `most` newest codes are kept."""

    async def remove_return_codes(self, person: str) -> None: ...

    async def use_return_code(self, code_hash: bytes, now: int) -> str | None:
        """The person of this code, once; None for an unknown, used or expired code."""

    # items of one person, by name (`puzzle/...`), deleted with the person

    async def keep_item(self, person: str, name: str, content: bytes) -> None:
        """Store an item, replacing one of the same name. No effect for a deleted person."""

    async def items(self, person: str, prefix: str) -> dict[str, bytes]:
        """A person's items whose names begin with this prefix, in the order of their names."""

    async def items_called(self, name: str) -> dict[str, bytes]:
        """The items with this name, by person."""

    async def remove_items(self, person: str, prefix: str) -> None:
        """Remove the items. A few seconds later no byte of them is left on disk."""

    async def remove_items_called(self, name: str) -> None: ...

    # deals that several tables share

    async def deal_secret(self, name: str, fresh: str) -> str:
        """The secret of a shared deal. The first secret offered for a name is stored and returned from then on."""

    async def shared_secret(self, name: str) -> str | None: ...

    # notifications, and keys of the server

    async def claim_notifications(self, person: str, kind: str, turns: dict[str, int]) -> set[str]:
        """Claim the turns (by table) for which no notification of this kind was sent. Of several servers only one gets
        each turn. A lost notification is preferred to a second one."""

    async def server_key(self, name: str, fresh: bytes) -> bytes:
        """A key that all servers on this storage share. The first key offered for a name is stored."""

    # results that count: exactly once for each game, even if a server crashes in between

    async def expect_result(self, table: str) -> None:
        """The result of this table will count. Written before the deal, so that no result is missed."""

    async def unsettled_results(self, limit: int) -> list[str]:
        """Ended tables whose expected result is not settled yet."""

    async def settle_result(
        self, table: str, ratings: list[StoredRating], circles: Sequence[StoredResult] = ()
    ) -> None:
        """Store everything that an expected result changes, once; no effect if it is settled already. `RatingsChanged`
        unless each rating is the next one of its person in that game. Nothing is stored for deleted people."""

    async def ratings(self, people: list[str], game: str) -> dict[str, StoredRating]:
        """The newest rating of each of these people; people without a rating are left out."""

    async def recent_ratings(self, people: list[str], game: str, since: int) -> list[RatedStep]:
        """The rated games of these people that ended at this time or later, in no order."""

    async def rating_at(self, person: str, table: str) -> list[StoredRating]:
        """The person's rating before this table, if any, and after it; empty if the table did not rate them."""

    async def ratings_of(self, person: str) -> list[StoredRating]:
        """All ratings of a person, by game, in order."""

    # circles of friends

    async def add_circle(self, circle: StoredCircle, person: str, now: int, most: int) -> bool:
        """Create a circle with this person as owner. False if the person is in too many circles already."""

    async def join_circle(self, circle: str, person: str, now: int, most: int, most_members: int) -> bool:
        """False if this person is in too many circles, or the circle is full. Members keep their role."""

    async def leave_circle(self, circle: str, person: str) -> None:
        """Remove a member and their results. If the owner leaves, the oldest member becomes owner; a circle without
        members is deleted."""

    async def remove_from_circle(self, circle: str, person: str) -> None:
        """Remove a member and their results, and prevent them from joining again."""

    async def circle(self, circle: str) -> StoredCircle | None: ...

    async def circle_members(self, circle: str) -> list[StoredMember]:
        """The members and the removed ones, the oldest first."""

    async def circles_of(self, person: str) -> list[StoredCircle]:
        """The circles of a person, by name."""

    async def common_circles(self, people: list[str]) -> list[str]:
        """The circles that all of these people are in."""

    async def circle_standings(self, circle: str) -> list[tuple[str, str, int, int]]:
        """Rows of game, person, number of games, number of wins."""

    async def circle_results(self, circle: str, limit: int) -> list[StoredResult]:
        """One row for each person and game, the newest first."""

    async def add_series(self, series: StoredSeries) -> None: ...

    async def close_series(self, series: str, now: int) -> None:
        """Close a series, unless it is closed."""

    async def series(self, series: str) -> StoredSeries | None: ...

    async def series_of(self, circle: str) -> list[StoredSeries]:
        """The series of a circle, the newest first. They are deleted with the circle."""

    # time

    async def last_moment(self) -> Moment | None:
        """The last moment that a server has stored; None for a new storage."""

    async def keep_moment(self, moment: Moment) -> None:
        """Store a heartbeat. `up` and `witnessed` never decrease, even if several servers write."""

    # orders of operators to running servers (`tavolino admin`, `tavolino announce`)

    async def add_order(self, content: bytes) -> int:
        """Returns the order's number. Numbers increase and are never reused."""

    async def orders(self, after: int) -> list[StoredOrder]:
        """The orders with higher numbers, the oldest first."""

    async def settle_order(self, number: int, outcome: str) -> None:
        """Store the outcome of an order."""

    async def remove_orders(self, numbers: list[int]) -> None: ...
