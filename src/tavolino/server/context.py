"""What all tables of a server share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from tavolino.server.games.bot_runner import Thinkers
from tavolino.server.games.library import Shelf
from tavolino.server.metrics import Metrics
from tavolino.server.people.identities import People
from tavolino.server.rate_limit import Buckets
from tavolino.server.settings import ServerSettings
from tavolino.server.storage import Storage
from tavolino.server.storage.uptime import Uptime


@dataclass(slots=True)
class House:
    settings: ServerSettings
    storage: Storage
    people: People
    shelf: Shelf
    thinkers: Thinkers
    uptime: Uptime
    metrics: Metrics
    log: Any  # a structlog logger
    now: Callable[[], float]
    talk_limits: Buckets
    change_limits: Buckets
    hint_limits: Buckets
    table_limits: Buckets
    request_limits: Buckets
    people_limits: Buckets
    open_rematch: Callable[[str, str], Awaitable[str]]  # (old table, who asks) -> the new table
    discard: Callable[[str], None]  # a table whose memory can no longer be trusted
    check_room: Callable[[str], Awaitable[None]]  # refuses a person who sits at too many tables
