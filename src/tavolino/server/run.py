"""Running the server in this process, until it is told to stop."""

from __future__ import annotations

import uvicorn

from tavolino.server import logs
from tavolino.server.app import make_app
from tavolino.server.patience import PatientProtocol
from tavolino.server.settings import ServerSettings
from tavolino.server.storage import StorageInUse
from tavolino.server.storage.sqlite import check_free

STOP_SECONDS = 3


def run(settings: ServerSettings) -> bool:
    """Serve until a signal comes. False if it could not start; the log says why."""
    log = logs.set_up(settings.log_level, settings.log_format)
    try:
        check_free(settings.data)
    except (StorageInUse, OSError) as error:
        log.error("cannot start", reason=str(error))
        return False
    config = uvicorn.Config(
        make_app(settings, log),
        host=settings.host,
        port=settings.port,
        http=PatientProtocol,
        ws="websockets-sansio",
        ws_max_size=64 * 1024,
        ws_per_message_deflate=False,  # costs memory, and lengths of packed secrets tell tales
        timeout_graceful_shutdown=STOP_SECONDS,
        timeout_keep_alive=20,
        log_config=None,
        access_log=False,
        server_header=False,
        backlog=2048,
    )
    server = uvicorn.Server(config)
    try:
        server.run()
    except SystemExit:  # how uvicorn reports that the address is taken or the start failed; it has logged why
        return False
    return server.started
