"""Plays at all tables of one identity, by one stream of events: a start for a program that stays online.

    python examples/play_everywhere.py http://127.0.0.1:8000 TOKEN_FILE [TABLE ...]

It joins the tables that are named (the last part of their links) and those to which it is invited, and always chooses
the first legal action. `tournament/ID`, the end of a tournament's link, enters that. Its token is kept in the file:
started again, it is the same player. It ends when all tables that were named have ended; without any, or with a
tournament, it goes on for ever. It survives restarts of the server and of proxies.
Needs nothing but Python. The protocol is told in docs/protocol.md.
"""

import json
import secrets
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

COME_BACK = (429, 502, 503, 504)  # too fast; or a server or its proxy that cannot answer now
PAUSE = 1  # seconds
SILENCE = 40  # seconds: a stream has a heartbeat every 15


class Program:
    def __init__(self, server: str, token_file: Path) -> None:
        self.server, self.token = server.rstrip("/"), ""
        if token_file.exists():
            self.token = token_file.read_text().strip()
        else:
            self.token = self.call("POST", "/api/me", {"name": "First-legal", "program": True})["token"]
            token_file.touch(mode=0o600)
            token_file.write_text(self.token)

    def open(self, method: str, path: str, body: Any = None, last_event: str = "") -> Any:
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if last_event:
            headers["Last-Event-ID"] = last_event
        content = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.server + path, content, headers, method=method)
        while True:
            try:
                return urllib.request.urlopen(request, timeout=SILENCE)
            except OSError as error:  # no answer; any refusal but those of a moment is final
                if isinstance(error, urllib.error.HTTPError) and error.code not in COME_BACK:
                    raise
            time.sleep(PAUSE)

    def call(self, method: str, path: str, body: Any = None) -> Any:
        while True:
            try:
                with self.open(method, path, body) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError:
                raise
            except (OSError, ValueError):  # the connection broke in the middle of the answer
                time.sleep(PAUSE)

    def command(self, table: str, **fields: Any) -> str:
        """Send a command; returns the code of a refusal, or nothing."""
        try:
            self.call("POST", f"/api/tables/{table}/commands", fields)
        except urllib.error.HTTPError as refused:
            code: str = json.load(refused)["code"]
            return code
        return ""

    def events(self) -> Iterator[dict[str, Any]]:
        """All events, one stream after the other. An event may come twice: that is harmless."""
        last = ""
        while True:
            try:
                with self.open("GET", "/api/me/events", last_event=last) as stream:
                    for line in stream:
                        name, _, value = line.decode().rstrip("\n").partition(": ")
                        if name == "id":
                            last = value
                        elif name == "data":
                            yield json.loads(value)
            except urllib.error.HTTPError:
                raise
            except OSError:  # the connection broke; an event that was cut off comes again
                pass
            time.sleep(PAUSE)

    def join(self, table: str) -> None:
        """Sit down, or find that we sit there already; our salt makes the deal fair. Tables of a tournament begin by
        themselves."""
        if table.startswith("tournament/"):
            self.call("POST", f"/api/tournaments/{table.removeprefix('tournament/')}/enter")
            return
        self.command(table, type="join")
        self.command(table, type="salt", salt=secrets.token_hex(32))

    def decide(self, table: str) -> None:
        shown = self.call("GET", f"/api/tables/{table}/play")
        if shown["view"]["legal"]:
            # A refusal as `stale-move` means that this was decided already: the event came twice.
            self.command(table, type="move", turn=shown["turn"], action=choose(shown["view"]))


def choose(view: dict[str, Any]) -> str:
    """Your idea goes here: `view` is all that this seat may know."""
    action: str = view["legal"][0]
    return action


def play(program: Program, tables: list[str]) -> dict[str, Any]:
    for table in tables:
        program.join(table)
    endings: dict[str, Any] = {}
    for event in program.events():
        if event["type"] == "invitation":
            program.join(event["table"])
        elif event["type"] == "turn":
            program.decide(event["table"])
        elif event["type"] == "end":
            endings[event["table"]] = event["ending"]
        if tables and set(tables) <= endings.keys():
            break
    return endings


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for name, ending in play(Program(sys.argv[1], Path(sys.argv[2])), sys.argv[3:]).items():
        print(name, json.dumps(ending))
