"""Counts what the server calls for one move: `python -m bench.move_calls`.

Calls of functions of `tavolino.server` on the thread of its event loop, and the modules they are in, from the command
to the last message about it. Two people play Mantis, with a socket each; then one of them moves over HTTP. Resuming a
coroutine or a generator counts as a call. It prints the median of some moves, and the functions of one of them.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from statistics import median
from types import FrameType
from typing import Any

from tests.server.clients import Guest, Socket, close_all, dealt_table
from tests.server.conftest import Server

import tavolino.server

PACKAGE = str(Path(tavolino.server.__file__).parent) + os.sep
QUIET = ("observability.py", "load.py", "tables/housekeeping.py")  # periodic work


class Calls:
    """Counts calls on the thread of a server's event loop."""

    def __init__(self, server: Server) -> None:
        self._server, self._counted = server, Counter[tuple[str, str]]()

    def begin(self) -> None:
        self._counted.clear()
        self._server.run(lambda: sys.setprofile(self._note))

    def end(self) -> Counter[tuple[str, str]]:
        self._server.run(lambda: sys.setprofile(None))
        return Counter({called: n for called, n in self._counted.items() if called[0] not in QUIET})

    def _note(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PACKAGE):
            self._counted[frame.f_code.co_filename.removeprefix(PACKAGE), frame.f_code.co_qualname] += 1


def moved(server: Server, sockets: list[Socket], guests: list[Guest], table: str, over_http: bool) -> Counter[Any]:
    """The calls for the next move of the game."""
    play = next(each.play for each in sockets if each.play and each.play["view"]["legal"])
    seat, turn = play["view"]["seat"], play["turn"]
    command: dict[str, Any] = {"type": "move", "turn": turn, "action": play["view"]["legal"][0]}
    calls = Calls(server)
    calls.begin()
    if over_http:
        guests[seat].do(table, **command)
    else:
        sockets[seat].send(**command)
    for each in sockets:
        each.until("play", turn=turn + 1)
    return calls.end()


def measure(moves: int) -> dict[str, list[Counter[Any]]]:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder)).ready("mantis")
        try:
            guests = [Guest(server.address, name) for name in ("Ada", "Bob")]
            table = dealt_table(guests, "mantis")
            sockets = [guest.socket(table) for guest in guests]
            for each in sockets:
                each.until("play")
            counted = {}
            for way in ("socket", "http"):
                counted[way] = [moved(server, sockets, guests, table, way == "http") for _ in range(moves)]
            return counted
        finally:
            close_all()
            server.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=5)
    parser.add_argument("--functions", action="store_true", help="list the functions that one move calls")
    args = parser.parse_args()
    for way, counted in measure(args.moves).items():
        calls = [sum(each.values()) for each in counted]
        modules = [len({module for module, _ in each}) for each in counted]
        print(f"{way}: {median(calls):.0f} calls ({min(calls)} to {max(calls)}), {median(modules):.0f} modules")
        if args.functions:
            for (module, function), n in sorted(counted[len(counted) // 2].items()):
                print(f"  {n:4} {module} {function}")


if __name__ == "__main__":
    main()
