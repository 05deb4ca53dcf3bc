"""Running the server in this process, until it is told to stop."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import uvicorn
from fastapi import FastAPI

from tavolino.server import logs
from tavolino.server.app import make_app
from tavolino.server.patience import PatientProtocol
from tavolino.server.settings import ServerSettings
from tavolino.server.storage import StorageInUse
from tavolino.server.storage.sqlite import check_free
from tavolino.server.wire import Wire

STOP_SECONDS = 3
# How long the storage's thread waits for the busy event loop to let it go on. The usual 5 ms, several times for every
# commit, would be most of a move's time.
SWITCH_SECONDS = 0.0005


class _Server(uvicorn.Server):
    """One that says when people can come in, and not before."""

    def __init__(self, config: uvicorn.Config, on_open: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_open = on_open

    async def startup(self, sockets: list[Any] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_open()


def make_server(app: FastAPI, host: str, port: int, on_open: Callable[[], None] = lambda: None) -> uvicorn.Server:
    """The application on real sockets, with the lines that it needs."""
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        http=PatientProtocol,
        ws=Wire,
        ws_max_size=64 * 1024,
        ws_per_message_deflate=False,  # costs memory, and lengths of packed secrets tell tales
        timeout_graceful_shutdown=STOP_SECONDS,
        timeout_keep_alive=20,
        log_config=None,
        access_log=False,
        server_header=False,
        backlog=2048,
    )
    return _Server(config, on_open)


def run(settings: ServerSettings, on_open: Callable[[], None] = lambda: None) -> bool:
    """Serve until a signal comes; `on_open` is called when it begins. False if it could not start; the log says why."""
    log = logs.set_up(settings.log_level, settings.log_format)
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        check_free(settings.data)
    except (StorageInUse, OSError) as error:
        log.error("cannot start", reason=str(error))
        return False
    server = make_server(make_app(settings, log), settings.host, settings.port, on_open)
    try:
        server.run()
    except SystemExit:  # how uvicorn reports that the address is taken or the start failed; it has logged why
        return False
    return server.started
