"""Routes for operators and programs (health, metrics, OpenAPI), and the page for every other address."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from tavolino.server.access import answer, problem, registry_of
from tavolino.server.errors import Refused
from tavolino.server.http import openapi, previews
from tavolino.server.http.requests import answering
from tavolino.server.http.route import Route as DescribedRoute
from tavolino.server.http.static import Page
from tavolino.server.tables.health import problems, reasons_not_ready


async def healthz(request: Request) -> Response:
    """200 while all is well, else 503 with a sentence for each problem."""
    registry = registry_of(request)
    library = registry.context.library
    found = await problems(registry)
    status = {"status": "failing" if found else "ok", "problems": found}
    return answer({**status, "games": {name: library.is_ready(name) for name in library}}, 503 if found else 200)


async def readyz(request: Request) -> Response:
    """200 if new requests may be sent here, else 503 and why not. For proxies and rolling restarts."""
    library = registry_of(request).context.library
    reasons = await reasons_not_ready(registry_of(request))
    status = {"status": "not-ready" if reasons else "ready", "reasons": reasons}
    return answer({**status, "failed_games": sorted(library.failed)}, 503 if reasons else 200)


async def livez(request: Request) -> Response:
    """200 while the event loop turns: a server that does not answer this must be started again."""
    return answer({"status": "live"})


async def metrics(request: Request) -> Response:
    context = registry_of(request).context
    context.metrics.bots_waiting.set(context.bots.waiting)
    context.metrics.bots_too_late.set(context.bots.too_late)
    context.metrics.loop_lag.set(context.load.lag)
    context.metrics.overloaded.set(context.load.is_too_much)
    context.metrics.show_connections(request.app.state.connection_limits)
    context.metrics.bots_failed.set(context.bots.failed)
    return PlainTextResponse(context.metrics.text())


def operation_routes(page: Page, described_routes: Sequence[DescribedRoute]) -> list[BaseRoute]:
    """The last of them matches every path."""
    described = openapi.describe(described_routes)

    async def description(request: Request) -> Response:
        return answer(described)

    async def docs(request: Request) -> Response:
        return HTMLResponse(openapi.page(described_routes))

    async def client(request: Request) -> Response:
        if request.url.path.startswith("/api/") or request.url.path == "/api":
            return problem(Refused("not-found"))
        if page.is_routed(request.url.path):
            return page.index(await previews.head(request, page.previews, page.modules)).answer(request)
        return page.answer(request)

    return [
        Route("/healthz", answering(healthz), methods=["GET"]),
        Route("/readyz", answering(readyz), methods=["GET"]),
        Route("/livez", answering(livez), methods=["GET"]),
        Route("/metrics", metrics, methods=["GET"]),
        Route("/api/openapi.json", answering(description), methods=["GET"]),
        Route("/api/docs", answering(docs), methods=["GET"]),
        Route("/{path:path}", client, methods=["GET"]),
    ]


async def unknown_path(request: Request, error: Exception) -> Response:
    """What the application answers where no route fits, or none for this method."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    return problem(Refused("wrong-method" if status == 405 else "not-found"))
