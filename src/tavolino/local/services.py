"""What local tables need from outside, as the kernel and the features that are on here use it."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from tavolino.engine.game import Game
from tavolino.games import load
from tavolino.local import hot_seat
from tavolino.local.helpers import Start, Thinker
from tavolino.local.log import LocalLog
from tavolino.server import protocol as p
from tavolino.server.clock import Clock
from tavolino.server.games.bot_runner import BotRunner
from tavolino.server.load import Load
from tavolino.server.peers import Elsewhere, Peers
from tavolino.server.rate_limit import RateLimits, rate_limits
from tavolino.server.settings import Limits, Pace, ServerSettings

if TYPE_CHECKING:
    from tavolino.server.kernel.actor import TableActor

if not hasattr(time, "thread_time"):  # WebAssembly has one thread, and no clock of it
    time.thread_time = time.perf_counter  # type: ignore[attr-defined,unused-ignore]

PERSON = "local-player-here-now1"  # the one person of this device; an id has 22 characters
UNLIMITED = 10**9
# One person plays here, on their own device: nobody else can be slowed down.
LIMITS = Limits(
    changes_per_minute=UNLIMITED,
    changes_burst=UNLIMITED,
    tables_per_hour=UNLIMITED,
    work_per_second=UNLIMITED,
    work_burst=UNLIMITED,
)
SALT_SECONDS = 5.0  # that a deal waits for the page's salts; with all of them it begins at once


class ConsoleLog:
    """Writes to standard error, which a browser shows in its console. Nothing is logged that the page must not know."""

    def __getattr__(self, level: str) -> Any:
        def write(event: str, exc_info: BaseException | None = None, **details: object) -> None:
            print(f"{level}: {event}", details, file=sys.stderr)
            if exc_info is not None or level == "exception":
                traceback.print_exception(exc_info or sys.exception(), file=sys.stderr)

        return write


class NoMetrics:
    """Counts nothing."""

    def __getattr__(self, name: str) -> NoMetrics:
        return self

    def __call__(self, *arguments: object) -> NoMetrics:
        return self


class LocalGames:
    """All games here are compiled ahead of time."""

    def game(self, name: str) -> Game:
        return load(name)

    def is_ready(self, name: str) -> bool:
        return True

    def has_worlds(self, name: str) -> bool:
        return True

    def readiness(self, name: str) -> p.Readiness:
        return p.Readiness(True, 1, 1, True)


class LocalNames:
    def __init__(self, name: str) -> None:
        self.name = name

    def name_of(self, person: str) -> str | None:
        return self.name if person == PERSON else hot_seat.name_of(person)

    async def learn_names(self, people: list[str]) -> None: ...


class AllHere(Peers):
    """Whoever plays at this device is here, whoever's cards are shown."""

    def __init__(self) -> None:
        self.tables: Mapping[str, TableActor] = {}

    def elsewhere(self, table: str) -> list[Elsewhere]:
        found = self.tables.get(table)
        people = found.state.people if found is not None else []
        return [Elsewhere({person: hot_seat.name_of(person) or "" for person in people if person != PERSON}, 0)]


async def _prepared(game: str, level: p.Level) -> None:
    """The search of every game is compiled ahead of time."""


@dataclass(frozen=True)
class LocalServices:
    storage: LocalLog
    people: LocalNames
    settings: ServerSettings
    bots: BotRunner
    thinker: Thinker
    limits: RateLimits
    library: LocalGames = field(default_factory=LocalGames)
    others: AllHere = field(default_factory=AllHere)
    metrics: Any = field(default_factory=NoMetrics)
    log: Any = field(default_factory=ConsoleLog)
    load: Load = field(default_factory=Load)
    clock: Clock = field(default_factory=Clock)
    encode: Any = msgspec.json.encode


def local_services(
    storage: LocalLog, name: str, pace: Pace | None = None, start_helper: Start | None = None
) -> LocalServices:
    settings = ServerSettings(pace=pace or Pace(), limits=LIMITS, salt_seconds=SALT_SECONDS, bot_workers=1)
    log = ConsoleLog()
    thinker = Thinker(start_helper, log)
    return LocalServices(
        storage=storage,
        people=LocalNames(name),
        settings=settings,
        bots=BotRunner(settings.bot_workers, settings.pace, _prepared, log, thinker),
        thinker=thinker,
        limits=rate_limits(LIMITS, time.monotonic),
        log=log,
    )
