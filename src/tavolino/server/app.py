"""The ASGI application: builds everything, starts it and stops it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute

from tavolino.server import access
from tavolino.server.context import open_context
from tavolino.server.errors import Refused
from tavolino.server.http.middleware import SecurityMiddleware
from tavolino.server.http.operation import operation_routes
from tavolino.server.http.requests import answering
from tavolino.server.http.routes import ROUTES
from tavolino.server.http.static import Page
from tavolino.server.settings import ServerSettings
from tavolino.server.storage import Storage
from tavolino.server.storage.sqlite import SqliteStorage
from tavolino.server.tables.housekeeping import Housekeeping
from tavolino.server.tables.registry import Registry
from tavolino.server.transport.endpoint import play_at_table
from tavolino.server.transport.frames import encode_message


def make_app(
    settings: ServerSettings, log: Any, storage: Storage | None = None, now: Callable[[], float] = time.time
) -> Starlette:
    """The server as an ASGI application. `storage` and `now` are for tests."""
    kept = storage or SqliteStorage(settings.data)
    page = Page()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await kept.open()
        try:
            context = await open_context(settings, kept, encode_message, log, now)
            registry = app.state.registry = Registry(context)
            housekeeping = app.state.housekeeping = Housekeeping(registry)
            jobs = (
                housekeeping.make_ready(),
                housekeeping.beat_forever(),
                housekeeping.sweep_forever(),
                registry.follow_progress(),
            )
            tasks = [asyncio.create_task(job) for job in jobs]
            log.info("ready", tables=len(await kept.open_rows()), page=page.is_built)
            yield
            registry.stop()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            context.library.stop()
            context.bots.stop()
            await kept.still_alive(now())
        finally:
            await kept.close()
            log.info("stopped")

    return Starlette(
        routes=[
            *(Route(each.path, answering(each.handler), methods=[each.method]) for each in ROUTES),
            WebSocketRoute("/api/tables/{table}/socket", play_at_table),
            *operation_routes(page),
        ],
        lifespan=lifespan,
        middleware=[Middleware(SecurityMiddleware, settings=settings, log=log)],
        exception_handlers={HTTPException: _unknown_path},
    )


async def _unknown_path(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return access.problem(Refused("wrong-method" if status == 405 else "not-found"))
