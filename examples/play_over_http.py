"""Plays a whole game over HTTP, always the first legal action: a start for a bot of your own.

    python examples/play_over_http.py http://127.0.0.1:8000 mantis

Needs nothing but Python. The protocol is told in docs/protocol.md.
"""

import json
import secrets
import sys
import time
import urllib.error
import urllib.request
from typing import Any

PATIENCE = 60  # seconds that a server may need to start, or to start again


class Table:
    """A table on a server, as one player sees it."""

    def __init__(self, server: str, game: str, level: str = "random") -> None:
        self.server = server.rstrip("/")
        self.token = ""
        self.token = self.call("POST", "/api/me", {"name": "First-legal", "program": True})["token"]
        self.table = self.call("POST", "/api/play-now", {"game": game, "level": level})
        self.path = f"/api/tables/{self.table['id']}"
        # The commitment is in our hands now, so we may add our salt; with it the game starts.
        self.command(type="salt", salt=secrets.token_hex(32))

    def call(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        content = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.server + path, content, headers, method=method)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return json.load(answer)
            except OSError as error:
                # No answer, too fast (429), or a server or its proxy that cannot answer now: come back. Any other
                # refusal is final.
                is_final = isinstance(error, urllib.error.HTTPError) and error.code not in (429, 502, 503, 504)
                if is_final or time.monotonic() > end:
                    raise
            time.sleep(1)

    def command(self, **fields: Any) -> Any:
        return self.call("POST", f"{self.path}/commands", fields)

    def move(self, turn: int, action: str) -> None:
        try:
            self.command(type="move", turn=turn, action=action)
        except urllib.error.HTTPError as refused:
            # Our move was kept, and the answer lost on its way: the move sent again was one too many.
            if json.load(refused)["code"] != "stale-move":
                raise

    def wait_after(self, turn: int) -> Any:
        """The cards as we may see them, as soon as it is our decision or more than `turn` are made."""
        return self.call("GET", f"{self.path}/play?turn={turn}&wait=25")


def choose(view: dict[str, Any]) -> str:
    """Your idea goes here: `view` is all that this seat may know."""
    action: str = view["legal"][0]
    return action


def play(server: str, game: str) -> dict[str, Any]:
    table = Table(server, game)
    shown = table.wait_after(0)
    while not shown["view"]["over"]:
        if shown["view"]["legal"]:
            table.move(shown["turn"], choose(shown["view"]))
        shown = table.wait_after(shown["turn"])
    ending: dict[str, Any] = table.call("GET", table.path)["ending"]
    return ending


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(play(sys.argv[1], sys.argv[2]))
