"""What the server keeps, as an interface: tables as append-only lists of entries, people, runs of the server.

`tests/server/storage_contract.py` says what every implementation must do. SQLite is the first one;
the rest of the server imports this module alone.
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct


class StorageError(Exception):
    """The storage could not do it; nothing of it was kept."""


class StorageFull(StorageError):
    """The disk is full. What was acknowledged is safe; writes are refused until there is room."""


class NumberTaken(StorageError):
    """This number of this table was already written: another server writes to it."""


class StorageInUse(StorageError):
    """Another server works with this storage."""


class TableRow(Struct, frozen=True):
    """What lists need to know about a table, kept beside its entries so that no list has to replay a game."""

    table: str
    game: str
    phase: str
    public: bool
    changed: int  # seconds since 1970
    members: tuple[str, ...]  # person ids
    card: bytes  # the rest, as the server encodes it


class Run(Struct, frozen=True):
    """One run of the server, from its start to its last heartbeat. Move clocks run only within runs."""

    started: float
    alive: float


class Storage(Protocol):
    """All methods are for one event loop. A write is durable when its call returns."""

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    # tables

    async def append(self, row: TableRow, number: int, entries: list[bytes]) -> None:
        """Add entries `number`, `number + 1`, ... and the new row, all or nothing. `NumberTaken` unless
        `number` follows directly on the last one."""

    async def entries(self, table: str, after: int = 0) -> list[bytes]: ...

    async def keep_snapshot(self, table: str, number: int, snapshot: bytes) -> None: ...

    async def snapshot(self, table: str) -> tuple[int, bytes] | None: ...

    async def row(self, table: str) -> TableRow | None: ...

    async def public_rows(self, limit: int) -> list[TableRow]:
        """Public tables that have not ended, the newest change first."""

    async def rows_of(self, person: str, limit: int) -> list[TableRow]: ...

    async def open_rows(self) -> list[TableRow]:
        """Every table that has not ended."""

    async def ended_before(self, moment: int) -> list[str]: ...

    async def remove_table(self, table: str) -> None: ...

    # people

    async def add_person(self, person: str, name: str, token_hash: bytes, now: int) -> None: ...

    async def add_token(self, person: str, token_hash: bytes, now: int) -> None: ...

    async def person_of(self, token_hash: bytes) -> tuple[str, str] | None:
        """Id and name."""

    async def rename(self, person: str, name: str) -> None: ...

    async def names(self, people: list[str]) -> dict[str, str]:
        """The names by id, without deleted identities."""

    async def forget(self, person: str) -> None:
        """Delete name, tokens and return codes; the person's tables keep a nameless seat."""

    async def add_return_code(self, code_hash: bytes, person: str, expires: int) -> None: ...

    async def use_return_code(self, code_hash: bytes, now: int) -> str | None:
        """The person, once; None for an unknown, used or expired code."""

    # runs

    async def begin_run(self, now: float) -> None: ...

    async def still_alive(self, now: float) -> None: ...

    async def runs(self) -> list[Run]: ...
