"""The checker finds faults that are planted into nodes. Nothing is left to chance: the test stops and continues nodes
so that the fault must show, and runs the same schedule without the fault, where nothing may be found."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvloop
from websockets.asyncio.client import ClientConnection, connect

from tests.nodes.campaign import Leases, record_of
from tests.nodes.fleet import Fleet, Node, running
from tests.nodes.history import Answered, History, Sent, Violation, check
from tests.nodes.players import LoadGenerator, TableUnderTest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
PATIENCE = 120.0
LOOKS = 6  # half seconds for the first node to recover


class Game:
    """A table that was opened at the first of two nodes, and what its people do there or at the other."""

    def __init__(self, fleet: Fleet, settings: dict[str, Any]) -> None:
        self.fleet, self._settings = fleet, settings
        self.id, self.token = "", ""
        self.history = History("")
        self._http = httpx.AsyncClient(timeout=PATIENCE)
        self._sockets: list[ClientConnection] = []

    async def close(self) -> None:
        for socket in self._sockets:
            socket.transport.abort()
        await self._http.aclose()

    async def open(self) -> None:
        load = LoadGenerator(self.fleet.nodes[0].port, 1, lambda: True)
        people = self._settings["seats"] - len(self._settings.get("bots", {}))
        tokens = [(await load.post("/api/me", None, {"name": "Ada", "program": True}))["token"] for _ in range(people)]
        table = TableUnderTest(load, tokens, self._settings, 1)
        await table.open()
        await load.close()
        self.id, self.token, self.history = table.id, tokens[0], table.history

    async def play(self, node: Node) -> dict[str, Any]:
        """What the first seat sees."""
        found = await self._http.get(f"http://127.0.0.1:{node.port}/api/tables/{self.id}/play", headers=self.headers)
        shown: dict[str, Any] = found.json()
        return shown

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    async def move(self, node: Node) -> None:
        """The first seat moves, over HTTP, once it may."""
        shown = await self.wait_for_turn(node)
        turn, action, ref = shown["turn"], shown["view"]["legal"][0], f"http-{len(self.history.events)}"
        self.history.events.append(Sent(ref, 0, turn, action))
        url = f"http://127.0.0.1:{node.port}/api/tables/{self.id}/commands"
        command = {"type": "move", "turn": turn, "action": action}
        (await self._http.post(url, json=command, headers=self.headers)).raise_for_status()
        self.history.events.append(Answered(ref, turn + 1))

    async def wait_for_turn(self, node: Node) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE):
            while not (shown := await self.play(node)).get("view", {}).get("legal"):
                assert not shown.get("view", {}).get("over"), "the game was too short"
                await asyncio.sleep(0.02)
        return shown

    async def socket(self, node: Node) -> ClientConnection:
        url = f"ws://127.0.0.1:{node.port}/api/tables/{self.id}/socket"
        socket = await connect(url, additional_headers=self.headers, compression=None, ping_interval=None)
        self._sockets.append(socket)
        await socket.send(json.dumps({"type": "hello", "lines": 0}))
        await answer(socket, "play")
        return socket

    async def send(self, socket: ClientConnection, ref: str, turn: int, action: str) -> None:
        self.history.events.append(Sent(ref, 0, turn, action))
        await socket.send(json.dumps({"type": "move", "turn": turn, "action": action, "ref": ref}))

    async def hear(self, socket: ClientConnection) -> None:
        told = await answer(socket, "accepted", "refused")
        code = None if told["type"] == "accepted" else told["problem"]["code"]
        self.history.events.append(Answered(told["ref"], told.get("turn"), code))

    async def violations(self) -> list[Violation]:
        """By the record in the database. That the game has not ended is no fault here."""
        found = await self.fleet.ask("SELECT entry FROM entries WHERE table_id = $1 ORDER BY number", self.id)
        record = record_of(self.id, [json.loads(each["entry"]) for each in found])
        wrong = [*check(self.history, record), *Leases(self.fleet.leases).check(self.id)]
        return [each for each in wrong if each.kind != "stuck"]


async def answer(socket: ClientConnection, *kinds: str) -> dict[str, Any]:
    async with asyncio.timeout(PATIENCE):
        while True:
            message: dict[str, Any] = json.loads(await socket.recv())
            if message["type"] in kinds:
                return message


async def two_tabs_move_at_two_nodes(game: Game) -> None:
    """The second node is stopped and hears nothing of the first one's move when it goes on with its own."""
    first, second = game.fleet.nodes
    here, there = await game.socket(first), await game.socket(second)
    shown = await game.play(first)
    one, other = shown["view"]["legal"][:2]
    second.to_bus.stall()
    second.pause()
    await game.send(there, "there", shown["turn"], other)
    await game.send(here, "here", shown["turn"], one)
    await game.hear(here)
    second.go_on()
    await game.hear(there)
    second.to_bus.heal()


async def a_node_dies_when_it_has_answered(game: Game) -> None:
    first = game.fleet.nodes[0]
    socket = await game.socket(first)
    shown = await game.play(first)
    await game.send(socket, "move", shown["turn"], shown["view"]["legal"][0])
    await game.hear(socket)
    await first.end(signal.SIGKILL)


async def a_node_wakes_up_without_its_lease(game: Game) -> None:
    """The first node drives the table and is stopped; the second takes over, and a bot moves there. Then the second is
    stopped but keeps its lease, and the first continues with a bot to move: a correct node leaves the move to the
    second."""
    first, second = game.fleet.nodes

    def epochs() -> list[int]:
        """Of all that was written by a lease at this table, as nodes have noted it."""
        lines = game.fleet.leases.read_text().splitlines() if game.fleet.leases.exists() else []
        return [int(epoch) for table, _, epoch in map(str.split, lines) if table == game.id]

    while not epochs():
        await game.move(first)
    await game.wait_for_turn(first)  # nothing is under way that could fail while it is stopped
    first.pause()
    while max(epochs()) < 2:
        await game.move(second)
    await game.wait_for_turn(second)
    before = len(epochs())
    second.pause()
    keep = "UPDATE nodes SET until = now() + interval '1 hour' WHERE id = (SELECT driver FROM tables WHERE id = $1)"
    await game.fleet.ask(keep, game.id)
    first.go_on()
    while (await game.play(first))["view"]["legal"]:
        await game.move(first)
    is_sound, looks = game.fleet.fault == "none", 0
    async with asyncio.timeout(PATIENCE):
        while len(epochs()) == before and not (is_sound and looks > LOOKS):
            await asyncio.sleep(0.5)
            looks += len(
                await game.fleet.ask("SELECT FROM nodes WHERE until BETWEEN now() AND now() + interval '1 minute'")
            )
    second.go_on()
    async with asyncio.timeout(PATIENCE):
        while len(epochs()) == before:
            await asyncio.sleep(0.05)


SCHEDULES: dict[str, tuple[Callable[[Game], Awaitable[None]], dict[str, Any], set[str]]] = {
    "no-key": (two_tabs_move_at_two_nodes, {"game": "mantis", "seats": 2}, {"lost", "twice"}),
    "ack-before-commit": (a_node_dies_when_it_has_answered, {"game": "mantis", "seats": 2}, {"lost"}),
    "no-epoch": (
        a_node_wakes_up_without_its_lease, {"game": "mantis", "seats": 2, "bots": {"1": "medium"}}, {"lease"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("is_planted", [True, False], ids=["planted", "sound"])
@pytest.mark.parametrize("fault", SCHEDULES)
def test_a_planted_fault_is_found_and_a_sound_node_passes(tmp_path: Path, fault: str, is_planted: bool) -> None:
    schedule, settings, kinds = SCHEDULES[fault]

    async def work() -> list[Violation]:
        planted = fault if is_planted else "none"
        async with running(tmp_path, 2, 1, ["mantis"], planted, has_standby=False) as fleet:
            game = Game(fleet, settings)
            try:
                await game.open()
                await schedule(game)
                return await game.violations()
            finally:
                await game.close()

    found = {violation.kind for violation in uvloop.run(work())}
    assert found == (kinds if is_planted else set())
