"""Work of the server that nobody waits for. An error in it concerns this work alone, and is logged and counted."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from tavolino.server.context import Context
from tavolino.server.errors import Refused
from tavolino.server.storage import StorageError

Work = Callable[[], Awaitable[object]]
AGAIN_SECONDS = 5.0


async def attempt(context: Context, work: Work, **about: str) -> bool:
    """Do something that does not depend on what is done before and after it. Returns whether it was done; what is
    refused, or fails in the storage, is done another time. `about`: what the log says of it."""
    try:
        await work()
    except (Refused, StorageError):
        return False
    except Exception:
        context.metrics.crashes.inc()
        context.log.exception("job failed", **about)
        return False
    return True


async def keep_running(context: Context, job: Work) -> None:
    """Run a job of the server until it returns. One that fails begins again: nobody would notice that it is missing."""
    while not await attempt(context, job, job=name_of(job)):
        await asyncio.sleep(AGAIN_SECONDS)


def name_of(work: Work) -> str:
    name: str = getattr(getattr(work, "func", work), "__qualname__", repr(work))
    return name
