"""Everything that a server sends to one viewer, on every channel, in two worlds.

The viewer cannot tell the worlds apart: the match at the table is exchanged for a resampled one, the
clock is stopped, and every byte must be the same.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx

from tavolino.server.kernel.actor import TableActor
from tests.server.clients import Guest, Socket, seat_everybody, socket_url, start
from tests.server.conftest import Server

SMALLEST = {"infinity-gauntlet": 3, "mantis": 3, "splendor-marvel": 2}


@dataclass
class Scene:
    """A table in the middle of a game, with its players and a spectator."""

    server: Server
    people: list[Guest]
    stranger: Guest
    table: str

    @property
    def live(self) -> TableActor:
        return self.server.registry.tables[self.table]

    def viewers(self) -> Iterator[tuple[int | None, Guest]]:
        yield from enumerate(self.people)
        yield None, self.stranger

    def play(self, moves: int, choose: Callable[[list[str]], str]) -> None:
        """Make some decisions over HTTP, each by the seat to act."""
        for _ in range(moves):
            live = self.live
            seat = live.to_act
            if seat is None:
                return
            legal = list(live.match.legal())  # type: ignore[union-attr]
            self.people[seat].do(self.table, "move", turn=live.turn, action=choose(legal))

    def in_world(self, match: Any, work: Callable[[], Any]) -> Any:
        """Do something while the table holds another match."""
        true = self.live.match

        def exchange(to: Any) -> None:
            self.live.match = to
            advice = self.server.registry.features.by_name["advice"]
            advice.notebooks.drop(self.table)  # type: ignore[attr-defined]  # those of the other world

        self.server.run(lambda: exchange(match))
        try:
            return work()
        finally:
            self.server.run(lambda: exchange(true))


def set_scene(server: Server, game: str, seats: int | None = None) -> Scene:
    server.ready(game)
    count = seats or SMALLEST[game]
    people = [Guest(server.address, f"Player {n}") for n in range(count)]
    table = seat_everybody(people, game, first_seat=0, seconds_per_move=600, hints=False, public=True)
    start(people, table)
    scene = Scene(server, people, Guest(server.address, "Stranger"), table)
    with people[0].socket(table) as socket:
        socket.until("play")
    return scene


def everything_sent(scene: Scene, viewer: Guest) -> dict[str, list[str]]:
    """Every byte that the server sends to this viewer, by channel."""
    sent: dict[str, list[str]] = {}
    lines = len(scene.live.match.view(None)["log"])  # type: ignore[union-attr]
    for have in range(lines + 1):
        _settle(scene)
        with viewer.socket(scene.table, lines=have) as socket:
            socket.until("play")
            sent[f"reconnect with {have} lines"] = list(socket.raw)
    _settle(scene)
    sent["socket"] = _over_socket(scene, viewer)
    _settle(scene)
    sent["http"] = _over_http(scene, viewer)
    with Socket(socket_url(scene.server.address, scene.table), {}) as nobody:
        nobody.until("play")
        sent["without identity"] = list(nobody.raw)
    return sent


def _settle(scene: Scene) -> None:
    """Wait until the last socket is closed, because everybody is shown who is online and who watches."""
    end = time.monotonic() + 10
    while len(scene.live.viewers):
        assert time.monotonic() < end
        time.sleep(0.002)


def nonsense(scene: Scene) -> list[dict[str, Any]]:
    """Commands that are refused, or answered only to their sender."""
    turn = scene.live.turn
    everything = scene.live.match.legal()  # type: ignore[union-attr]
    return [
        {"type": "move", "turn": turn + 1, "action": "score"},
        {"type": "move", "turn": turn, "action": "no such action"},
        {"type": "move", "turn": turn + 7, "action": everything[0]},
        {"type": "start"},
        {"type": "hint"},
        {"type": "notebook"},
        {"type": "rematch"},
        {"type": "remark", "key": "no such remark"},
        {"type": "say", "text": "\u0000"},
        {"type": "ping"},
    ]


def _over_socket(scene: Scene, viewer: Guest) -> list[str]:
    with viewer.socket(scene.table) as socket:
        socket.until("play")
        for n, message in enumerate(nonsense(scene)):
            socket.send(**message, ref=f"r{n}")
            while socket.receive().get("ref") != f"r{n}":
                pass
        socket.send_raw("{not json")
        socket.until("refused")
        return list(socket.raw)


def _over_http(scene: Scene, viewer: Guest) -> list[str]:
    at_table = f"/api/tables/{scene.table}"
    paths = [at_table, f"{at_table}/play", f"{at_table}/play?lines=3", f"{at_table}/record", "/api/tables"]
    paths += [f"{at_table}/frames?perspective={perspective}" for perspective in ("open", "spectator", "0", "1")]
    paths += [f"{at_table}/play?text={language}{more}" for language in ("en", "pl") for more in ("", "&lines=0")]
    paths += ["/api/me/tables", f"{at_table}/socket", f"{at_table}/nothing"]
    answers = [viewer.http.get(path) for path in paths]
    answers += [viewer.http.post(f"{at_table}/commands", json=message) for message in nonsense(scene)]
    return [_bytes(answer) for answer in answers]


def _bytes(answer: httpx.Response) -> str:
    headers = {name: value for name, value in answer.headers.items() if name != "date"}
    return f"{answer.status_code} {headers} {answer.text}"


def channels_that_differ(scene: Scene, seat: int | None, viewer: Guest) -> list[str]:
    """The channels on which this viewer's bytes depend on what the viewer cannot know."""
    other = scene.live.match.resample(seat, secrets.token_hex(8))  # type: ignore[union-attr]
    here = everything_sent(scene, viewer)
    there = scene.in_world(other, lambda: everything_sent(scene, viewer))
    assert here.keys() == there.keys()
    for channel, sent in here.items():  # pytest shows it if the test fails
        for one, another in zip(sent, there[channel], strict=False):
            if one != another:
                print(f"{channel}:\n  {one}\n  {another}")
    return [channel for channel, sent in here.items() if there[channel] != sent]
