"""The ASGI application: builds everything, starts it and stops it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Route, WebSocketRoute

from tavolino.server import features
from tavolino.server.clock import Clock
from tavolino.server.cluster import make_cluster, make_peers
from tavolino.server.connection_limits import ConnectionLimits
from tavolino.server.context import open_context
from tavolino.server.http.middleware import SecurityMiddleware
from tavolino.server.http.operation import operation_routes, unknown_path
from tavolino.server.http.requests import answering
from tavolino.server.http.routes import ROUTES
from tavolino.server.proxies import TrustedProxies
from tavolino.server.served_page import ServiceWorker, make_page
from tavolino.server.settings import ServerSettings
from tavolino.server.stopping import stop
from tavolino.server.storage import Storage, StorageError
from tavolino.server.storage.choosing import make_storage
from tavolino.server.tables.housekeeping import Housekeeping
from tavolino.server.tables.registry import Registry
from tavolino.server.transport.endpoint import play_at_table
from tavolino.server.transport.frames import encode_message


def make_app(
    settings: ServerSettings, log: Any, storage: Storage | None = None, clock: Clock | None = None
) -> Starlette:
    """The server as an ASGI application. `storage` and `clock` are for tests."""
    kept, time = storage or make_storage(settings.data, settings.database), clock or Clock()
    page = make_page(settings)
    routes = (*ROUTES, *features.routes(settings.without))

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        for sentence in await kept.open():
            log.warning(sentence)
        try:
            peers = make_peers(kept.nodes, settings.bus)
            context = await open_context(settings, kept, peers, encode_message, log, time)
            registry = app.state.registry = Registry(context, features.make(context), features.entry_kinds())
            housekeeping = app.state.housekeeping = Housekeeping(registry)
            await housekeeping.orders.look()  # bans hold from the first request on
            cluster = app.state.cluster = make_cluster(registry)
            if cluster is not None:
                await cluster.open()
            jobs = (
                housekeeping.make_ready,
                housekeeping.check_forever,
                housekeeping.watch_clock,
                context.load.watch,
                housekeeping.beat_forever if cluster is None else cluster.run,
                housekeeping.sweep_forever,
                registry.follow_progress,
                housekeeping.orders.follow,
            )
            tasks = [asyncio.create_task(housekeeping.run(job)) for job in jobs]
            tasks.append(asyncio.create_task(_stop_when_broken(app, kept, log)))
            log.info("ready", tables=await kept.count_open(), page=page.is_built)
            yield
            registry.stop()
            await stop(*tasks)
            if cluster is not None:
                await cluster.close()
            for close in registry.features.close:
                await close()
            context.library.stop()
            context.bots.stop()
            context.build_cache.stop()
            with contextlib.suppress(StorageError):
                await kept.keep_moment(time.now())
        finally:
            await kept.close()
            log.info("stopped")

    app = Starlette(
        routes=[
            *(Route(each.path, answering(each.handler), methods=[each.method]) for each in routes),
            WebSocketRoute("/api/tables/{table}/socket", play_at_table),
            Route(ServiceWorker.path, ServiceWorker(page, settings).answer, methods=["GET"]),
            *operation_routes(page, routes),
        ],
        lifespan=lifespan,
        middleware=[Middleware(SecurityMiddleware, settings=settings, page=page, log=log)],
        exception_handlers={HTTPException: unknown_path},
    )
    app.state.is_broken = False
    app.state.cluster = None
    app.state.drain_seconds = settings.drain_seconds
    app.state.trusted_proxies = TrustedProxies(settings).hosts
    app.state.connection_limits = ConnectionLimits(settings, monotonic)
    app.state.stop = lambda: None  # replaced by the program that runs the application
    return app


async def _stop_when_broken(app: Starlette, storage: Storage, log: Any) -> None:
    """Stop using a storage that may have stored a refused change; the next start reads what is stored."""
    log.critical(await storage.until_broken())
    app.state.is_broken = True
    app.state.stop()
