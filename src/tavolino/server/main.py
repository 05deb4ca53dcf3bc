"""Runs the server in this process until a signal."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import stat
import sys
from collections.abc import Callable
from typing import Any

import uvicorn
from starlette.applications import Starlette

from tavolino.engine import modes
from tavolino.engine.cache_folder import cache_root
from tavolino.server import features
from tavolino.server.app import make_app
from tavolino.server.connection_limits import raise_descriptor_limit
from tavolino.server.observability import set_up_logging
from tavolino.server.settings import ServerSettings
from tavolino.server.storage import CannotOpen, StorageError
from tavolino.server.storage.choosing import make_storage
from tavolino.server.storage.nodes import check_same_features
from tavolino.server.transport.acceptor import Acceptor
from tavolino.server.transport.handshake import HandshakeProtocol
from tavolino.server.transport.http_protocol import IDLE_SECONDS, LimitedHttpProtocol

ROOT = 0  # the user that may write everywhere in any case
STOP_SECONDS = 3
START_FAILED = 3  # the exit code that uvicorn has for it
# How long the storage's thread waits for the GIL while the event loop is busy. The default of 5 ms, several times for
# every commit, would be most of a move's time.
SWITCH_SECONDS = 0.0005


class CannotStart(Exception):
    """The server cannot start; the message says why in one sentence."""


class _Server(uvicorn.Server):
    """Accepts connections within limits, calls `on_open` when it starts, and answers long polls before it stops."""

    def __init__(self, config: uvicorn.Config, app: Starlette, on_open: Callable[[], None]) -> None:
        super().__init__(config)
        self._app, self._on_open = app, on_open
        app.state.stop = self._stop

    def _stop(self) -> None:
        self.should_exit = True

    async def startup(self, sockets: list[Any] | None = None) -> None:
        """Like uvicorn's own method, but with our acceptors instead of the event loop's servers."""
        await self.lifespan.startup()
        if self.lifespan.should_exit:
            sys.exit(START_FAILED)
        listeners = sockets or _listeners(self.config.host, self.config.port)
        limits = self._app.state.connection_limits
        self.servers = [Acceptor(listener, self._make_protocol, limits) for listener in listeners]  # type: ignore[misc]
        self.started = True
        self._on_open()

    def _make_protocol(self) -> LimitedHttpProtocol:
        return LimitedHttpProtocol(self.config, self.server_state, self.lifespan.state)

    async def shutdown(self, sockets: list[Any] | None = None) -> None:
        # uvicorn waits for running requests, and cancels those that still poll then.
        self._app.state.registry.end_polls()
        if (cluster := self._app.state.cluster) is not None:
            await cluster.drain(self._app.state.drain_seconds, lambda: self.force_exit)
        await super().shutdown(sockets)


def make_server(app: Starlette, host: str, port: int, on_open: Callable[[], None] = lambda: None) -> uvicorn.Server:
    """The application on real sockets, with the protocols that it needs."""
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        forwarded_allow_ips=app.state.trusted_proxies,
        http=LimitedHttpProtocol,
        ws=HandshakeProtocol,
        ws_max_size=64 * 1024,
        ws_per_message_deflate=False,  # it costs memory, and compressed lengths leak secrets (CRIME, BREACH)
        timeout_graceful_shutdown=STOP_SECONDS,
        timeout_keep_alive=int(IDLE_SECONDS),
        log_config=None,
        access_log=False,
        server_header=False,
    )
    return _Server(config, app, on_open)


def run(settings: ServerSettings, on_open: Callable[[], None] = lambda: None) -> bool:
    """Serve until a signal comes; `on_open` is called when it begins.

    Raises `CannotStart` for what can be checked before anything is started. Returns False if it could not start even
    so, or could not go on; the log says why.
    """
    log = set_up_logging(settings.log_level, settings.log_format)
    sys.setswitchinterval(SWITCH_SECONDS)
    raise_descriptor_limit()
    _check_machine_code()
    _check_data(settings, log)
    listeners = _listeners(settings.host, settings.port)
    app = make_app(settings, log)
    server = make_server(app, settings.host, settings.port, on_open)
    try:
        server.run(listeners)
    except SystemExit:  # how uvicorn reports that the start failed; it has logged why
        return False
    finally:
        for listener in listeners:
            listener.close()
    return server.started and not app.state.is_broken


def _check_machine_code() -> None:
    """Machine code is loaded from files: anyone who can write them can run code as this server."""
    for folder, variable in ((cache_root(), "TAVOLINO_CACHE"), (modes.bundled_folder(), "TAVOLINO_AHEAD")):
        try:
            found = folder.stat()
        except OSError:  # it does not exist yet
            continue
        if found.st_uid not in (os.getuid(), ROOT) or found.st_mode & stat.S_IWOTH:
            raise CannotStart(
                f"others on this machine can write to {folder}, from where the server loads machine code; "
                f"make it yours alone, or choose another folder with {variable}"
            )


def _check_data(settings: ServerSettings, log: Any) -> None:
    """Open the data once before anything starts, so that errors in it are reported in one sentence."""

    async def open_and_close() -> list[str]:
        storage = make_storage(settings.data, settings.database)
        said = await storage.open()
        try:  # the application reads these when it starts; damage may be anywhere in the data
            await storage.last_moment()
            await storage.orders(0)
            await storage.count_open()
            if storage.nodes is not None:
                await check_same_features(storage.nodes, features.summary(settings.without))
        except CannotOpen:
            raise
        except StorageError as error:
            raise CannotOpen(f"the data cannot be read ({error}); restore a backup") from None
        finally:
            await storage.close()
        return said

    try:
        for sentence in asyncio.run(open_and_close()):
            log.warning(sentence)
    except CannotOpen as error:
        raise CannotStart(str(error)) from None


def _listeners(host: str, port: int) -> list[socket.socket]:
    """Sockets bound to the addresses to listen on, before the data is opened and before the server reports ready."""
    listeners: list[socket.socket] = []
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, kind, protocol, _, address in dict.fromkeys(found):
            try:
                listener = socket.socket(family, kind, protocol)
            except OSError:  # a family that this system does not have; another may do
                continue
            listeners.append(listener)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:  # or it would take the IPv4 address, too
                listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            listener.bind(address)
    except (OSError, UnicodeError) as error:
        for listener in listeners:
            listener.close()
        raise CannotStart(f"cannot listen on {host}, port {port}: {_reason(error)}") from None
    if not listeners:
        raise CannotStart(f"cannot listen on {host}, port {port}: this machine does not have that address")
    return listeners


def _reason(error: OSError | UnicodeError) -> str:
    if isinstance(error, socket.gaierror | UnicodeError):
        return "there is no such host"
    if error.errno == errno.EADDRINUSE:
        return "something else listens there already; choose another port with --port 8001, or PORT=8001 make play"
    if error.errno == errno.EADDRNOTAVAIL:
        return "this machine does not have that address"
    return error.strerror or str(error)
