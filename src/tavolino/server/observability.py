"""Logs and metrics for operators. Neither ever holds a secret: no seed, salt, token or card.

Logs are human-readable on a terminal and JSON elsewhere. Callers name each field that is logged; `drop_secrets` is the
last check. Metrics (Prometheus) count events and never name a table, a person or a card.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from typing import Any, TextIO

import structlog
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    Info,
    ProcessCollector,
    generate_latest,
)

from tavolino.version import VERSION

SECRET_FIELDS = frozenset(
    {
        "secret",
        "seed",
        "salt",
        "salts",
        "token",
        "cookie",
        "authorization",
        "code",
        "hand",
        "deck",
        "view",
        "record",
    }
)

# At more verbose levels these libraries log whole frames and headers, which hold cards and tokens.
LOWEST_LEVELS = {
    "uvicorn": logging.INFO,
    "uvicorn.error": logging.INFO,
    "uvicorn.access": logging.WARNING,
    "websockets": logging.WARNING,
    "asyncio": logging.WARNING,
    "numba": logging.WARNING,
}


def drop_secrets(logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for name in SECRET_FIELDS & event.keys():
        event[name] = "(not logged)"
    return event


def writes_json(style: str, stream: TextIO) -> bool:
    return style == "json" or (style == "auto" and not stream.isatty())


def set_up_logging(level: str, style: str, stream: TextIO | None = None) -> Any:
    """Configure logging for this process, the libraries' loggers included; returns our logger."""
    stream = stream or sys.stderr
    # Local variables in tracebacks would print whole states, so exceptions are shown without them.
    exceptions = structlog.processors.ExceptionRenderer(
        structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    )
    plain = structlog.dev.plain_traceback
    renderer: list[Any] = (
        [exceptions, structlog.processors.JSONRenderer()]
        if writes_json(style, stream)
        else [structlog.dev.ConsoleRenderer(colors=stream.isatty(), exception_formatter=plain)]
    )
    shared: list[Any] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        drop_secrets,
    ]
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderer],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name, lowest in LOWEST_LEVELS.items():
        logging.getLogger(name).setLevel(max(lowest, logging.getLevelName(level.upper())))
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    return structlog.get_logger("tavolino")


class Metrics:
    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)  # memory, CPU, descriptors, start
        GCCollector(registry=self.registry)
        build = Info("tavolino_build", "What runs here", registry=self.registry)
        build.info({"version": VERSION, "python": ".".join(map(str, sys.version_info[:3]))})
        self.moves = Counter("tavolino_moves", "Moves made durable", ["game", "by"], registry=self.registry)
        self.refusals = Counter("tavolino_refusals", "Commands refused", ["code"], registry=self.registry)
        self.tables_opened = Counter("tavolino_tables_opened", "Tables opened", ["game"], registry=self.registry)
        self.games_ended = Counter("tavolino_games_ended", "Games that ended", ["game", "how"], registry=self.registry)
        self.crashes = Counter("tavolino_crashes", "Moves, tables or jobs that failed", registry=self.registry)
        self.sockets = Gauge("tavolino_sockets", "Open sockets", registry=self.registry)
        self.connections = Gauge("tavolino_connections", "Open connections, sockets included", registry=self.registry)
        self.connections_refused = Gauge(
            "tavolino_connections_refused", "Connections refused or cut off, by reason", ["why"], registry=self.registry
        )
        self.live_tables = Gauge("tavolino_live_tables", "Tables in memory", registry=self.registry)
        self.cut_off = Counter("tavolino_cut_off", "Sockets closed by us", ["code"], registry=self.registry)
        self.commit_seconds = Histogram(
            "tavolino_commit_seconds",
            "From a decision to its durable entry",
            buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
            registry=self.registry,
        )
        self.bots_waiting = Gauge("tavolino_bots_waiting", "Bots that think or wait", registry=self.registry)
        self.bots_too_late = Gauge(
            "tavolino_bots_too_late", "Choices by heuristic: search not done", registry=self.registry
        )
        self.bots_failed = Gauge("tavolino_bots_failed", "Choices by heuristic: the bot failed", registry=self.registry)

        self.loop_lag = Gauge("tavolino_loop_lag_seconds", "How late the event loop usually is", registry=self.registry)
        self.overloaded = Gauge("tavolino_overloaded", "1 while new tables are refused", registry=self.registry)

    def show_connections(self, limits: Any) -> None:
        self.connections.set(limits.open)
        for reason, count in limits.refused.items():
            self.connections_refused.labels(reason).set(count)

    def text(self) -> bytes:
        return generate_latest(self.registry)
