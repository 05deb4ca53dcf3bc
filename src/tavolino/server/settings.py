"""Settings of a server, from the options of `tavolino serve` or the environment."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, field

MAX_LIMIT = 10**9


class Limits(Struct, frozen=True):
    """Limits for one person, socket or table. Each has a refusal code in docs/protocol.md, and operators set each by
    its name (`tavolino serve --limit`)."""

    message_bytes: int = 8 * 1024
    body_bytes: int = 64 * 1024
    messages_per_second: float = 20
    messages_burst: int = 60
    requests_per_second: float = 20
    requests_burst: int = 100
    files_per_second: float = 200  # of the page, by one address
    files_burst: int = 2_000  # the first visit loads about sixty
    work_per_second: float = 100  # milliseconds of CPU time for one address: finished games, views
    work_burst: float = 3_000
    loop_per_second: float = 100  # milliseconds of the event loop for all requests of one address; further ones wait
    loop_burst: float = 20
    changes_per_minute: float = 60  # by one person: joins, seats, settings, salts, votes
    changes_burst: int = 30
    program_changes_per_minute: float = 600  # instead, by a person who was declared to be a program
    program_changes_burst: int = 100
    talk_per_minute: float = 30
    talk_burst: int = 6
    hints_per_minute: float = 30
    hints_burst: int = 5
    tables_per_person: int = 30  # that have not ended
    tables_per_hour: float = 60
    tables_per_program: int = 100  # these two instead, for programs
    program_tables_per_hour: float = 1_000
    people_per_hour: float = 120  # new identities from one address
    links_per_hour: float = 20  # of one person, to other devices
    watching: int = 50  # at one table
    sockets_per_person: int = 12  # at one table
    sockets_per_address: int = 400
    streams_per_person: int = 4  # of events
    connections: int = 60_000  # in total, HTTP and sockets; fewer if the system allows fewer descriptors
    connections_per_address: int = 500  # at most three quarters of the total
    connections_per_second: float = 50  # new ones, from one address
    connections_burst: int = 200
    waiting_messages: int = 256  # for one socket that reads slowly
    inbox: int = 256  # commands waiting at one table
    hello_seconds: float = 10
    idle_seconds: float = 3600  # without a message; a dead peer is found sooner, by WebSocket pings


def limits_from(settings: Iterable[str]) -> Limits:
    """The usual limits, with those that are set by a text NAME=NUMBER. ValueError with a sentence for a wrong one."""
    fields = {each.name: each.type for each in msgspec.structs.fields(Limits)}
    values: dict[str, Any] = {}
    for text in settings:
        name, _, number = text.partition("=")
        if name not in fields:
            raise ValueError(f"There is no limit {name!r}. Limits: {', '.join(fields)}.")
        try:
            values[name] = msgspec.convert(number, Annotated[fields[name], Meta(gt=0, le=MAX_LIMIT)], strict=False)
        except msgspec.ValidationError:
            kind = "a whole number" if fields[name] is int else "a number"
            raise ValueError(f"{name} must be {kind} above 0 and at most {MAX_LIMIT}, not {number!r}.") from None
    return Limits(**values)


class Pace(Struct, frozen=True):
    """How long bots take for a move. It does not depend on their cards or on other tables.

    Short, because the page shows moves one after the other at the speed that each player chose.
    """

    seconds: float = 0.4
    spread: float = 0.3
    search: float = 0.4  # added for levels that search
    deadline: float = 8.0  # for a search without a pace

    @property
    def is_instant(self) -> bool:
        return self.seconds == 0

    @property
    def longest(self) -> float:
        """The seconds within which a bot answers, if the machine has time for it."""
        return self.deadline if self.is_instant else self.seconds + self.spread + self.search


# The hosts that the server may call when it is somebody's turn: the browsers' push services, and two chats.
CALL_HOSTS = (
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    "*.push.services.mozilla.com",
    "*.notify.windows.com",
    "web.push.apple.com",
    "discord.com",
    "hooks.slack.com",
)


class ServerSettings(Struct, frozen=True):
    host: str = "127.0.0.1"
    port: int = 8000
    data: Path = field(default_factory=lambda: default_data_folder())
    database: str | None = None  # an address of PostgreSQL; None: a file in the folder `data`
    bus: str | None = (
        None  # an address of Redis, over which several servers on one database tell each other what is new
    )
    drain_seconds: float = 5.0  # in which a stopping server sends its players to the other nodes
    public_url: str | None = None
    trusted_proxies: str | None = None  # addresses and networks, separated by commas; None: this machine
    allow_hosts: tuple[str, ...] = ()  # names besides this machine's own and that in `public_url`
    log_level: str = "info"
    log_format: Literal["auto", "human", "json"] = "auto"
    keep_days: int | None = None  # of finished tables; None: for ever
    abandon_days: int = 30
    compact_days: int = 7  # after the end of a game only what still matters of it is stored
    bot_workers: int = field(default_factory=lambda: default_bot_workers())
    pace: Pace = field(default_factory=Pace)
    limits: Limits = field(default_factory=Limits)
    salt_seconds: float = 5.0
    hint_seconds: float = 10.0
    warm_up: bool = True
    call_hosts: tuple[str, ...] = CALL_HOSTS
    notify_seconds: float = 20.0  # a player who has not come after this time is notified
    without: tuple[str, ...] = ()  # features that are switched off
    offline_pack: Path | None = None  # the folder that `python -m tavolino.offline` has built
    metrics: bool = False  # /metrics for everybody; else only for programs on this machine

    @property
    def is_secure(self) -> bool:
        return (self.public_url or "").startswith("https://")


def default_bot_workers() -> int:
    return max(1, (os.cpu_count() or 2) - 1)


def default_data_folder() -> Path:
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "tavolino"
