"""A Redis for the tests: Debian's program (or Valkey), with its own port and nothing on disk."""

from __future__ import annotations

import contextlib
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator

from tests.ports import lasting_port

PASSWORD = "close-sesame"  # the tests look for it in logs
MISSING = "Redis is missing: scripts/install-system-packages storage says how to install it"


class Redis:
    """A server that can be stopped, paused and started again."""

    def __init__(self) -> None:
        self.port = lasting_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://:{PASSWORD}@127.0.0.1:{self.port}/0"

    def start(self) -> None:
        program = shutil.which("redis-server") or shutil.which("valkey-server")
        assert program, MISSING
        options = {"port": self.port, "bind": "127.0.0.1", "requirepass": PASSWORD, "save": "", "appendonly": "no"}
        arguments = [text for name, value in options.items() for text in (f"--{name}", str(value))]
        self._process = subprocess.Popen([program, *arguments], cwd="/", stdout=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while True:
            assert self._process.poll() is None, "Redis has not started"
            assert time.monotonic() < end
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.02)

    def signal(self, what: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(what)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(60)
            self._process = None


@contextlib.contextmanager
def redis() -> Iterator[Redis]:
    server = Redis()
    try:
        server.start()
        yield server
    finally:
        server.stop()
