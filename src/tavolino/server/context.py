"""What all tables of a server share."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tavolino.server import protocol as p
from tavolino.server.clock import Clock
from tavolino.server.games.bot_runner import BotRunner
from tavolino.server.games.build_cache import BuildCache
from tavolino.server.games.library import Library
from tavolino.server.load import Load
from tavolino.server.observability import Metrics
from tavolino.server.peers import Peers
from tavolino.server.people.bans import Bans
from tavolino.server.people.identities import People
from tavolino.server.rate_limit import RateLimits, rate_limits
from tavolino.server.request_queues import RequestQueues
from tavolino.server.security_log import SecurityLog
from tavolino.server.settings import ServerSettings
from tavolino.server.storage import Storage

Encode = Callable[[p.News], bytes]


@dataclass(frozen=True, slots=True)
class Context:
    settings: ServerSettings
    storage: Storage
    others: Peers
    people: People
    bans: Bans
    library: Library
    bots: BotRunner
    build_cache: BuildCache
    metrics: Metrics
    security: SecurityLog
    limits: RateLimits
    queues: RequestQueues
    load: Load
    log: Any  # a structlog logger
    clock: Clock
    encode: Encode  # a message as the transport sends it; for several viewers it is encoded once


async def open_context(
    settings: ServerSettings, storage: Storage, others: Peers, encode: Encode, log: Any, clock: Clock
) -> Context:
    """Start a run of the server on an open storage."""
    clock.resume_from(await storage.last_moment())
    await storage.keep_moment(clock.now())
    library = Library(log)
    return Context(
        settings=settings,
        storage=storage,
        others=others,
        people=People(storage, clock, others.publish_person_change),
        bans=Bans(clock.witnessed),
        library=library,
        bots=BotRunner(settings.bot_workers, settings.pace, library.prepare, log),
        build_cache=BuildCache(),
        metrics=Metrics(),
        load=Load(),
        security=SecurityLog(log),
        limits=rate_limits(settings.limits, time.monotonic),
        queues=RequestQueues(settings.limits, time.monotonic),
        log=log,
        clock=clock,
        encode=encode,
    )
