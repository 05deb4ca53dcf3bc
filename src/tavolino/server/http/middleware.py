"""Middleware for every request: its turn, its host, its origin, its size, and security headers."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from tavolino.server import access
from tavolino.server.errors import Refused
from tavolino.server.hosts import AllowedHosts
from tavolino.server.http.page_files import Answer, PageFiles, whole_answer
from tavolino.server.http.static import Page
from tavolino.server.request_queues import Measured, RequestQueue
from tavolino.server.settings import ServerSettings

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}


def content_policy(style_hashes: Iterable[str], is_alone: bool = False) -> str:
    """Only what comes from this server, and nothing within a page except the style sheets that the build put there.

    `is_alone`: in the head of a page on a plain host, where a worker has no policy of its own, and where what a browser
    reads in headers only would be an error.
    """
    rules = (
        "default-src 'self'",
        "script-src 'self' 'wasm-unsafe-eval'" if is_alone else "script-src 'self'",
        " ".join(("style-src-elem 'self'", *style_hashes)),
        "style-src-attr 'unsafe-inline'",  # positions of moving cards; no script can hide in them
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        *(() if is_alone else ("frame-ancestors 'none'",)),
    )
    return "; ".join(rules)


MAX_REFUSALS = 64  # that are kept ready
HSTS = "max-age=31536000"
API, METRICS, HEALTH = "/api/", "/metrics", ("/healthz", "/readyz", "/livez")
WRONG_HOST = (
    "Tavolino does not answer for the name in this address, because another site could have chosen it. Use the address "
    "(the IP) of the machine, or start the server with --allow-host and that name.\n"
)


class SecurityMiddleware:
    def __init__(self, app: ASGIApp, settings: ServerSettings, page: Page, log: Any) -> None:
        self._app = app
        self._settings = settings
        self._hosts = AllowedHosts(settings)
        self._headers = {**HEADERS, "Content-Security-Policy": content_policy(page.style_hashes)}
        self._files = PageFiles(page, self._protect)
        self._too_fast: dict[int, Answer] = {}  # by the seconds in Retry-After
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        answering = self._open_socket if scope["type"] == "websocket" else self._answer
        asking = HTTPConnection(scope)
        queue = access.registry_of(asking).context.queues.queue(access.subscriber_of(asking))
        await Measured(answering(scope, receive, send, queue), queue)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, queue: RequestQueue) -> None:
        started = time.perf_counter()
        status = 500

        async def send_protected(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                self._protect(MutableHeaders(scope=message), scope["path"])
            await send(message)

        try:
            if scope["path"].startswith(API) and (refusal := self._too_fast_for(HTTPConnection(scope))) is not None:
                status = refusal.start["status"]
                await refusal.send(send)
                return
            await queue.turn()
            self._hosts.check(Headers(scope=scope).getlist("host"), scope["http_version"])
            if scope["method"] not in ("GET", "HEAD", "OPTIONS"):
                access.check_origin(Headers(scope=scope), self._settings)
            if scope["path"].startswith(API):  # the page itself comes, and shows the sentence
                asking = HTTPConnection(scope)
                access.registry_of(asking).context.bans.check_address(access.address_of(asking))
            elif scope["path"] == METRICS:
                self._check_metrics(HTTPConnection(scope))
            elif scope["path"] not in HEALTH:  # which have the limit of the interface
                asking = HTTPConnection(scope)
                access.registry_of(asking).context.limits.files.take(access.subscriber_of(asking))
                if (file := self._files.find(scope)) is not None:
                    status = file.start["status"]
                    await file.send(send)
                    return
            limited = _limited(receive, Headers(scope=scope), self._settings.limits.body_bytes)
            await self._app(scope, limited, send_protected)
        except Refused as refused:
            access.note_refusal(HTTPConnection(scope), refused)
            await _refusal(refused, scope)(scope, receive, send_protected)
        finally:
            # Paths hold no secrets: return codes travel after a # and in bodies, tokens in headers.
            took = round(1000 * (time.perf_counter() - started), 1)
            self._log.debug("request", method=scope["method"], path=scope["path"], status=status, ms=took)

    async def _open_socket(self, scope: Scope, receive: Receive, send: Send, queue: RequestQueue) -> None:
        try:
            await queue.turn()
            self._hosts.check(Headers(scope=scope).getlist("host"), scope["http_version"])
        except Refused as refused:
            access.note_refusal(HTTPConnection(scope), refused)
            await WebSocket(scope, receive, send).send_denial_response(access.problem(refused))
        else:
            await self._app(scope, receive, send)

    def _too_fast_for(self, asking: HTTPConnection) -> Answer | None:
        """The refusal of a request that the rate limit would refuse. It is sent at once, in half the time: such a
        request does not wait in the queue, and no route is looked up."""
        context = access.registry_of(asking).context
        refused = context.limits.requests.refusal_of(access.subscriber_of(asking))
        if refused is None:
            return None
        context.metrics.refusals.labels("too-fast").inc()
        seconds = refused.problem.params.get("retry_after", 0)
        if seconds not in self._too_fast:
            if len(self._too_fast) >= MAX_REFUSALS:
                self._too_fast.clear()
            self._too_fast[seconds] = whole_answer(API, access.problem(refused), self._protect)
        return self._too_fast[seconds]

    def _check_metrics(self, asking: HTTPConnection) -> None:
        """Metrics are for the operator. They have the same rate limit as other routes."""
        access.registry_of(asking).context.limits.requests.take(access.subscriber_of(asking))
        if not self._settings.metrics and not access.is_local(asking):
            raise Refused("not-found")

    def _protect(self, headers: MutableHeaders, path: str) -> None:
        for name, value in self._headers.items():
            headers.setdefault(name, value)  # the script of a worker may have a policy of its own
        if self._settings.is_secure:
            headers["Strict-Transport-Security"] = HSTS
        if path.startswith(API) and "cache-control" not in headers:
            headers["Cache-Control"] = "no-store"


def _refusal(refused: Refused, scope: Scope) -> Response:
    """As a problem; in plain words for somebody who has typed a name that is not this server's."""
    if refused.problem.code == "wrong-host" and not scope["path"].startswith(API):
        return PlainTextResponse(WRONG_HOST, refused.status)
    return access.problem(refused)


def _limited(receive: Receive, headers: Headers, most: int) -> Receive:
    """Refuse a body beyond the limit, even if its header declares less."""
    length = headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > most:
        raise Refused("too-big", {"most": most})
    taken = 0

    async def receive_limited() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > most:
            raise Refused("too-big", {"most": most})
        return message

    return receive_limited
