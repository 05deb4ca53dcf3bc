"""The first start on a machine: from the page's first answer until the game that is clicked first can be played.

python -m bench.first_game [GAME...]

A server with an empty cache and empty data; the first click comes as soon as the page answers. Seconds depend on what
else the machine does: read them on a quiet one.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from bench.timing import table

TIMEOUT = 600.0


def ask(url: str, body: Any = None, token: str = "") -> Any:
    request = urllib.request.Request(url, None if body is None else json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request, timeout=30) as answer:
        text = answer.read().decode()
    return json.loads(text) if text.startswith(("{", "[")) else text


def wait_for(what: Any) -> float:
    """The time at which `what()` becomes true."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        try:
            if what():
                return time.monotonic()
        except (urllib.error.URLError, ConnectionError):
            pass
        time.sleep(0.05)
    raise TimeoutError("the server took too long")


def first_game(name: str) -> list[str]:
    """Start a server with an empty cache, click on a game at once, and measure."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    home = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        settings = {"TAVOLINO_CACHE": str(Path(folder) / "cache"), "TAVOLINO_DATA": str(Path(folder) / "data")}
        command = [sys.executable, "-m", "tavolino", "serve", "--port", str(port), "--log-level", "error"]
        began = time.monotonic()
        server = subprocess.Popen(command, env={**os.environ, **settings}, stderr=subprocess.DEVNULL)
        try:
            page = wait_for(lambda: ask(home))
            token = ask(f"{home}/api/me", {"name": "Player", "program": True})["token"]
            place = ask(f"{home}/api/play-now", {"game": name}, token)["id"]
            address = f"{home}/api/tables/{place}/play"
            ask(f"{home}/api/tables/{place}/commands", {"type": "salt", "salt": "0" * 64}, token)
            dealt = wait_for(lambda: ask(address, token=token)["view"])
            ready = wait_for(lambda: all(ask(f"{home}/healthz")["games"].values()))
        finally:
            server.terminate()
            server.wait()
    return [name, *(f"{seconds:.1f}" for seconds in (page - began, dealt - page, ready - page))]


def main() -> None:
    import tavolino

    rows = [first_game(name) for name in sys.argv[1:] or tavolino.games()]
    table("First start", ["clicked first", "page after", "that game after", "all games after"], rows)


if __name__ == "__main__":
    main()
