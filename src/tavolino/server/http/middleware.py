"""What every request passes first: where it may come from, how big it may be, and protecting headers."""

from __future__ import annotations

import time
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tavolino.server.errors import Refused
from tavolino.server.http import requests as web
from tavolino.server.settings import ServerSettings

CSP = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        "style-src-elem 'self'",
        "style-src-attr 'unsafe-inline'",  # positions of moving cards; no script can hide in them
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
HSTS = "max-age=31536000"
METRICS = "/metrics"
FORWARDING = ("x-forwarded-for", "forwarded", "x-real-ip")  # a proxy on this machine speaks for somebody else


class Guard:
    def __init__(self, app: ASGIApp, settings: ServerSettings, log: Any) -> None:
        self._app = app
        self._settings = settings
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        status = 500

        async def send_guarded(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                self._protect(MutableHeaders(scope=message), scope["path"])
            await send(message)

        try:
            if scope["method"] not in ("GET", "HEAD", "OPTIONS"):
                check_origin(Headers(scope=scope), self._settings)
            if scope["path"] == METRICS:
                self._check_figures(HTTPConnection(scope))
            limited = _limited(receive, Headers(scope=scope), self._settings.limits.body_bytes)
            await self._app(scope, limited, send_guarded)
        except Refused as refused:
            await web.problem(refused)(scope, receive, send_guarded)
        finally:
            # The path has no secrets: return codes travel after a # and in bodies, tokens in headers.
            took = round(1000 * (time.perf_counter() - started), 1)
            self._log.debug("request", method=scope["method"], path=scope["path"], status=status, ms=took)

    def _check_figures(self, asking: HTTPConnection) -> None:
        """The figures are for whoever runs the server, and are limited as the other routes are."""
        web.hall_of(asking).house.request_limits.take(web.address_of(asking))
        if not self._settings.metrics and not is_local(asking):
            raise Refused("not-found")

    def _protect(self, headers: MutableHeaders, path: str) -> None:
        for name, value in HEADERS.items():
            headers[name] = value
        if self._settings.is_secure:
            headers["Strict-Transport-Security"] = HSTS
        if path.startswith("/api/") and "cache-control" not in headers:
            headers["Cache-Control"] = "no-store"


def is_local(asking: HTTPConnection) -> bool:
    """Whether it comes from this machine, and not through a proxy on it."""
    try:
        address = ip_address(web.address_of(asking))
    except ValueError:
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    return address.is_loopback and not any(name in asking.headers for name in FORWARDING)


def check_origin(headers: Headers, settings: ServerSettings) -> None:
    """A page of another site may not act for the person whose cookie the browser sends along."""
    origin = headers.get("origin")
    if origin is None:  # programs send none; browsers always do, on sockets and on what changes something
        return
    if settings.public_url is not None:
        allowed = {_origin(settings.public_url)}
    else:
        host = headers.get("host", "")
        allowed = {f"http://{host}", f"https://{host}"}
    if origin not in allowed:
        raise Refused("wrong-origin")


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _limited(receive: Receive, headers: Headers, most: int) -> Receive:
    """Bodies are cut at the limit, whatever their header says."""
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
