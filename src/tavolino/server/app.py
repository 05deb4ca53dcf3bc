"""The application: everything put together, started and stopped."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from tavolino.server.context import House
from tavolino.server.errors import Refused
from tavolino.server.games.bot_runner import Thinkers
from tavolino.server.games.library import Shelf
from tavolino.server.http import openapi
from tavolino.server.http import requests as web
from tavolino.server.http.middleware import Guard
from tavolino.server.http.routes import ROUTES
from tavolino.server.http.static import Page
from tavolino.server.metrics import Metrics
from tavolino.server.people.identities import People
from tavolino.server.rate_limit import Buckets
from tavolino.server.settings import ServerSettings
from tavolino.server.storage import Storage
from tavolino.server.storage.sqlite import SqliteStorage
from tavolino.server.storage.uptime import Uptime
from tavolino.server.tables.registry import Hall
from tavolino.server.transport.endpoint import play_at_table

Now = Callable[[], float]


def make_app(settings: ServerSettings, log: Any, storage: Storage | None = None, now: Now = time.time) -> Starlette:
    """The server as an ASGI application. `storage` and `now` are for tests."""
    kept = storage or SqliteStorage(settings.data)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await kept.open()
        try:
            hall = app.state.hall = Hall(await _furnish(settings, log, kept, now))
            upkeep = [asyncio.create_task(job) for job in (_make_ready(hall), hall.beat(), hall.keep_house())]
            log.info("ready", tables=len(await kept.open_rows()), page=page.is_built)
            yield
            hall.stop()
            for task in upkeep:
                task.cancel()
            await asyncio.gather(*upkeep, return_exceptions=True)
            hall.house.shelf.stop()
            hall.house.thinkers.stop()
            await kept.still_alive(now())
        finally:
            await kept.close()
            log.info("stopped")

    page = Page()
    return Starlette(
        routes=_routes(page),
        lifespan=lifespan,
        middleware=[Middleware(Guard, settings=settings, log=log)],
        exception_handlers={HTTPException: _unknown_path},
    )


async def _furnish(settings: ServerSettings, log: Any, storage: Storage, now: Now) -> House:
    earlier = await storage.runs()
    started = now()
    await storage.begin_run(started)
    limits, ticks = settings.limits, time.monotonic
    shelf = Shelf(log)

    async def nobody(*asked: str) -> Any:
        raise RuntimeError("the hall sets this")

    return House(
        settings=settings,
        storage=storage,
        people=People(storage, now),
        shelf=shelf,
        thinkers=Thinkers(settings.bot_workers, settings.pace, shelf.prepare),
        uptime=Uptime(now, earlier, started),
        metrics=Metrics(),
        log=log,
        now=now,
        talk_limits=Buckets(limits.talk_per_minute / 60, limits.talk_burst, "too-fast", ticks),
        change_limits=Buckets(limits.changes_per_minute / 60, limits.changes_burst, "too-fast", ticks),
        hint_limits=Buckets(0.5, 5, "too-fast", ticks),
        table_limits=Buckets(limits.tables_per_hour / 3600, limits.tables_per_hour, "too-many-tables", ticks),
        people_limits=Buckets(limits.people_per_hour / 3600, limits.people_per_hour, "too-many-people", ticks),
        request_limits=Buckets(limits.requests_per_second, limits.requests_burst, "too-fast", ticks),
        open_rematch=nobody,
        discard=lambda table: None,
        check_room=nobody,
    )


async def _make_ready(hall: Hall) -> None:
    shelf = hall.house.shelf
    await shelf.warm_up(beside=hall.house.settings.warm_up)
    # What is loaded by now stays, and tables stay for long: looking through all of it for garbage again and again
    # would hold up every move. The hall does so once a minute; in between only what is young is looked at.
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 50, 1_000_000)
    await hall.wake()


async def _unknown_path(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return web.problem(Refused("wrong-method" if status == 405 else "not-found"))


def _routes(page: Page) -> list[BaseRoute]:
    described = [Route(each.path, web.refusing(each.handler), methods=[each.method]) for each in ROUTES]
    socket = WebSocketRoute("/api/tables/{table}/socket", play_at_table)
    return [*described, socket, *_operation(page)]


def _operation(page: Page) -> list[BaseRoute]:
    """Health, figures, the description of the interface, and the client for every other address."""
    described = openapi.describe()

    async def healthz(request: Request) -> Response:
        house = web.hall_of(request).house
        await house.storage.runs()  # the storage answers
        return web.answer({"status": "ok", "games": {name: house.shelf.is_ready(name) for name in house.shelf}})

    async def metrics(request: Request) -> Response:
        house = web.hall_of(request).house
        house.metrics.bots_waiting.set(house.thinkers.waiting)
        house.metrics.bots_too_late.set(house.thinkers.too_late)
        return PlainTextResponse(house.metrics.text())

    async def description(request: Request) -> Response:
        return web.answer(described)

    async def docs(request: Request) -> Response:
        return HTMLResponse(openapi.page())

    async def client(request: Request) -> Response:
        if request.url.path.startswith("/api/") or request.url.path == "/api":
            return web.problem(Refused("not-found"))
        return page.answer(request)

    return [
        Route("/healthz", web.refusing(healthz), methods=["GET"]),
        Route("/metrics", metrics, methods=["GET"]),
        Route("/api/openapi.json", description, methods=["GET"]),
        Route("/api/docs", docs, methods=["GET"]),
        Route("/{path:path}", client, methods=["GET"]),
    ]
