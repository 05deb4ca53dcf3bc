"""One text for each query, in the SQL that SQLite and PostgreSQL share.

Parameters have names (`:person`). `IN :people` takes a list. Both databases know `INSERT ... ON CONFLICT`, `RETURNING`,
`FILTER`, `string_agg`, `true` and `false`. They have no common words for the larger of two values (`CASE` says it), for
a change within `WITH` (use `Database.run`), or for an order of names that is the same everywhere (sort in Python).
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple, TypeVar

import msgspec

Answer = TypeVar("Answer")
PARAMETER = re.compile(r"(?<!:):([a-z]\w*)")  # not the type of a cast, which has two colons
LIST = re.compile(r"\bIN :([a-z]\w*)")


class Statement(NamedTuple):
    """A statement of a transaction."""

    text: str
    values: dict[str, Any]


Row = Any  # a sequence of values; each query knows the types of its own
Steps = Generator[Statement, list[Row], Answer]  # a transaction: it yields statements, and gets the rows of each


def statement(text: str, /, **values: Any) -> Statement:
    return Statement(text, values)


class Database(ABC):
    """What queries are run with. A change is durable when its call returns.

    After a lost connection to PostgreSQL statements are repeated, so each of them must be idempotent.
    """

    @abstractmethod
    async def rows(self, text: str, /, **values: Any) -> list[Row]:
        """The rows of a query, or of the RETURNING of a change."""

    @abstractmethod
    async def run(self, steps: Callable[[], Steps[Answer]]) -> Answer:
        """Several statements in one transaction. `steps` may be called more than once."""

    @abstractmethod
    async def erase(self) -> None:
        """Remove from the disk what was deleted, if the database does not do that by itself."""

    @abstractmethod
    def erase_later(self) -> None:
        """The same within some seconds."""

    async def first(self, text: str, /, **values: Any) -> Row | None:
        found = await self.rows(text, **values)
        return found[0] if found else None

    async def value(self, text: str, /, **values: Any) -> Any:
        """The first value of the first row; None without rows."""
        found = await self.rows(text, **values)
        return found[0][0] if found else None


@cache
def _sqlite(text: str) -> tuple[str, frozenset[str]]:
    return LIST.sub(r"IN (SELECT value FROM json_each(:\1))", text).strip(), frozenset(LIST.findall(text))


def for_sqlite(text: str, values: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    text, lists = _sqlite(text)
    if lists:
        values = {name: _json(value) if name in lists else value for name, value in values.items()}
    return text, values


def _json(values: Any) -> str:
    return msgspec.json.encode(values).decode()


@cache
def _postgres(text: str) -> tuple[str, tuple[str, ...]]:
    names = tuple(dict.fromkeys(PARAMETER.findall(text)))
    text = LIST.sub(r"= ANY(:\1)", text).strip()
    return PARAMETER.sub(lambda found: f"${names.index(found[1]) + 1}", text), names


def for_postgres(text: str, values: dict[str, Any]) -> tuple[str, list[Any]]:
    text, names = _postgres(text)
    return text, [values[name] for name in names]


def read_sql(package: str, name: str) -> str:
    """The text in a file beside a module."""
    return files(package).joinpath(name).read_text(encoding="utf-8")
