"""Logs for operators: human on a terminal, JSON elsewhere, without secrets at every level.

Callers say what is logged, field by field; this last net drops fields that must never be there.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from typing import Any, TextIO

import structlog

NEVER = frozenset(
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

# Below these levels they write whole frames and headers: somebody's cards, somebody's token.
QUIETER = {
    "uvicorn": logging.INFO,
    "uvicorn.error": logging.INFO,
    "uvicorn.access": logging.WARNING,
    "websockets": logging.WARNING,
    "asyncio": logging.WARNING,
    "numba": logging.WARNING,
}


def drop_secrets(logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for name in NEVER & event.keys():
        event[name] = "(not logged)"
    return event


def set_up(level: str, style: str, stream: TextIO | None = None) -> Any:
    """Set logging up for this process, the libraries' own included; returns our logger."""
    stream = stream or sys.stderr
    if style == "auto":
        style = "human" if stream.isatty() else "json"
    # Local variables in tracebacks would print whole states, so exceptions are shown without them.
    exceptions = structlog.processors.ExceptionRenderer(
        structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    )
    plain = structlog.dev.plain_traceback
    renderer: list[Any] = (
        [structlog.dev.ConsoleRenderer(colors=stream.isatty(), exception_formatter=plain)]
        if style == "human"
        else [exceptions, structlog.processors.JSONRenderer()]
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
    for name, quietest in QUIETER.items():
        logging.getLogger(name).setLevel(max(quietest, logging.getLevelName(level.upper())))
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    return structlog.get_logger("tavolino")
