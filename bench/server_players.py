"""Many people in one process: they open tables over HTTP and play over sockets, with asyncio."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect


class Table:
    """A table of people; one coroutine plays all its seats, each over its own socket."""

    def __init__(self, address: str, table: str, tokens: list[str], seed: int) -> None:
        self.address, self.id, self.tokens = address, table, tokens
        self.sockets: list[ClientConnection] = []
        self.shown: list[dict[str, Any]] = [{} for _ in tokens]
        self.turn = -1
        self.over = False
        self._chance = random.Random(seed)

    async def connect(self) -> None:
        url = f"{self.address.replace('http', 'ws', 1)}/api/tables/{self.id}/socket"
        for token in self.tokens:
            headers = {"Authorization": f"Bearer {token}"}
            socket = await connect(url, additional_headers=headers, compression=None, max_queue=None).__aenter__()
            await socket.send('{"type":"hello"}')
            self.sockets.append(socket)
        await self._all_see(0)

    async def close(self) -> None:
        await asyncio.gather(*(socket.close() for socket in self.sockets))

    async def move(self) -> float:
        """One move by whoever is asked; the seconds from sending it to its acknowledgement."""
        seat = self.shown[0]["view"]["to_act"]
        action = self._chance.choice(self.shown[seat]["view"]["legal"])
        socket = self.sockets[seat]
        started = time.perf_counter()
        await socket.send(json.dumps({"type": "move", "turn": self.turn, "action": action, "ref": "m"}))
        while True:
            message = await self._receive(seat)
            if message["type"] == "accepted":
                break
            assert message["type"] != "refused", message
        took = time.perf_counter() - started
        await self._all_see(self.turn + 1)
        return took

    async def _all_see(self, turn: int) -> None:
        for seat in range(len(self.sockets)):
            while self.shown[seat].get("turn", -1) < turn:
                await self._receive(seat)
        self.turn = turn
        self.over = self.shown[0]["view"]["over"]

    async def _receive(self, seat: int) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await self.sockets[seat].recv())
        if message["type"] == "play":
            self.shown[seat] = message
        return message


class People:
    """Opens tables, again and again."""

    def __init__(self, address: str, client: httpx.AsyncClient, seats: int = 4) -> None:
        self.address, self.client, self.seats = address, client, seats
        self._opened = 0

    async def call(self, path: str, body: Any, token: str | None = None) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = await self.client.post(path, json=body, headers=headers)
        answer.raise_for_status()
        return answer.json()

    async def newcomers(self) -> list[str]:
        return [
            (await self.call("/api/me", {"name": f"Player {seat}", "program": True}))["token"]
            for seat in range(self.seats)
        ]

    async def open_table(self, tokens: list[str], game: str = "mantis") -> Table:
        opened = await self.call("/api/tables", {"game": game, "seats": self.seats}, tokens[0])
        at_table = f"/api/tables/{opened['id']}/commands"
        for token in tokens[1:]:
            await self.call(at_table, {"type": "join"}, token)
        await self.call(at_table, {"type": "start"}, tokens[0])
        self._opened += 1
        table = Table(self.address, opened["id"], tokens, self._opened)
        await table.connect()
        return table


@asynccontextmanager
async def people_at(address: str, seats: int = 4) -> AsyncIterator[People]:
    async with httpx.AsyncClient(base_url=address, timeout=120) as client:
        yield People(address, client, seats)


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
