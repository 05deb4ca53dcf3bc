"""What scripts/fresh-machine does with a running server. Prints lines of a name, a tab and a time.

one_game.py wait ADDRESS PID BEGAN    until the page answers and all games are ready; PID is the server's `make`,
                                      BEGAN its start in tenths of a second. Needs nothing but Python.
one_game.py play ADDRESS              one whole game of each title over the WebSocket. Needs the installed packages.
"""

import json
import os
import secrets
import sys
import time
import urllib.request
from typing import Any

READY_WITHIN = 900.0
ANSWER_WITHIN = 60.0
MOVES_A_SECOND = 15


def tell(what: str, seconds: float) -> None:
    print(f"{what}\t{seconds:.1f} s", flush=True)


def call(address: str, body: Any = None, token: str = "") -> Any:
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    content = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(address, content, headers), timeout=30) as answer:
        return json.load(answer)


def page_answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/", timeout=5) as answer:
            return b"<script" in answer.read()
    except OSError:
        return False


def wait(address: str, pid: int, began: float) -> None:
    """Until the page answers, then until every game is ready."""
    has_answered = False
    ready: set[str] = set()
    while time.time() < began + READY_WITHIN:
        if not os.path.exists(f"/proc/{pid}"):
            sys.exit("`make play` has ended by itself")
        if not has_answered:
            has_answered = page_answers(address)
            if has_answered:
                tell("page's first answer", time.time() - began)
        else:
            games = call(f"{address}/healthz")["games"]
            for name in sorted(games):
                if games[name] and name not in ready:
                    ready.add(name)
                    tell(f"{name} ready", time.time() - began)
            if len(ready) == len(games):
                return
        time.sleep(0.1)
    sys.exit("the games were not ready in time")


def play(address: str) -> None:
    for game in call(f"{address}/api/games"):
        play_game(address, game["game"])


def play_game(address: str, game: str) -> None:
    """A game against bots, every choice at random."""
    from websockets.sync.client import connect

    began = time.time()
    token = call(f"{address}/api/me", {"name": "Fresh", "program": True})["token"]
    table = call(f"{address}/api/play-now", {"game": game, "level": "medium"}, token)["id"]
    socket_address = f"{address.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    decisions = 0
    with connect(socket_address, additional_headers={"Authorization": f"Bearer {token}"}, proxy=None) as socket:
        socket.send(json.dumps({"type": "hello", "lines": 0}))
        socket.send(json.dumps({"type": "salt", "salt": secrets.token_hex(32)}))
        while True:
            message = json.loads(socket.recv(ANSWER_WITHIN))
            if message["type"] == "refused":
                sys.exit(f"refused: {message}")
            if message["type"] != "play":
                continue
            view = message["view"]
            if view["over"]:
                break
            if view["legal"]:
                time.sleep(1 / MOVES_A_SECOND)  # a server takes so many, and more in a burst, from one socket
                socket.send(
                    json.dumps({"type": "move", "turn": message["turn"], "action": secrets.choice(view["legal"])})
                )
                decisions += 1
    tell(f"a game of {game}, {decisions} decisions", time.time() - began)


if __name__ == "__main__":
    if sys.argv[1] == "wait":
        wait(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]) / 10)
    else:
        play(sys.argv[2])
