"""Injects one fault after the other, each for a while: nodes, PostgreSQL, Redis, connections, a cable, a clock."""

from __future__ import annotations

import asyncio
import random
import signal
from collections import Counter
from collections.abc import Awaitable, Callable

from tests.nodes.fleet import FAKETIME, Fleet, Node

Fault = Callable[[], Awaitable[None]]


class Nemesis:
    def __init__(self, fleet: Fleet, seed: int, longest: float) -> None:
        """`longest`: the longest duration of a fault, in seconds."""
        self.done: Counter[str] = Counter()
        self.stuck: list[str] = []  # nodes that did not stop in time
        self._fleet, self._chance, self._longest = fleet, random.Random(seed), longest

    def faults(self) -> dict[str, Fault]:
        found: dict[str, Fault] = {
            "kill a node": self.kill,
            "pause a node": self.pause,
            "pause a node for longer than a lease": self.pause_long,
            "delay a node's database": self.delay,
            "stall a node's database": self.stall,
            "reset a node's database": self.reset,
            "restart PostgreSQL": lambda: self.restart(signal.SIGINT),
            "crash PostgreSQL": lambda: self.restart(signal.SIGQUIT),
            "reset the clients": self.reset_clients,
        }
        if FAKETIME:
            found["move a clock"] = self.move_clock
        if any(node.network for node in self._fleet.nodes):
            found["pull a node's cable"] = self.pull_cable
        if self._fleet.count > 1:
            found |= {
                "stop a node": self.stop,
                "promote the standby": self.fail_over,
                "kill Redis": self.kill_redis,
                "stall a node's bus": self.stall_bus,
                "reset a node's bus": self.reset_bus,
            }
        return found

    async def run(
        self, is_enough: Callable[[], bool], only: list[str] | None = None, is_due: Callable[[int], bool] = bool
    ) -> None:
        """`is_due`: whether it is time for another fault after so many."""
        faults = {name: fault for name, fault in self.faults().items() if only is None or name in only}
        assert faults
        order: list[str] = []
        while not is_enough():
            if not order:  # each kind comes equally often
                order = self._chance.sample(sorted(faults), len(faults))
            name = order.pop()
            await faults[name]()
            self.done[name] += 1
            await asyncio.sleep(self._chance.uniform(0.2, 1.0))
            while not (is_due(self.done.total()) or is_enough()):
                await asyncio.sleep(0.1)

    def _some_node(self) -> Node:
        return self._chance.choice(self._fleet.nodes)

    async def _for_a_while(self, least: float = 0.1, most: float | None = None) -> None:
        """Sleep as often for 0.1 to 1 s as for 2 to 20 s. Errors show when a fault begins or ends, or when it lasts
        about as long as one of the server's timeouts; longer faults only take time."""
        await asyncio.sleep(least * ((most or self._longest) / least) ** self._chance.random())

    async def kill(self) -> None:
        node = self._some_node()
        await node.end(signal.SIGKILL)
        await self._for_a_while()
        await node.start()

    async def stop(self) -> None:
        node = self._some_node()
        if not await node.end(signal.SIGTERM):
            self.stuck.append(f"a node did not stop by itself: {node.tail()}")
        await node.start()

    async def pause(self) -> None:
        node = self._some_node()
        node.pause()
        await self._for_a_while()
        node.go_on()

    async def pause_long(self) -> None:
        node = self._some_node()
        node.pause()
        await self._for_a_while(4.0, max(6.0, self._longest))  # the lease: 3 s
        node.go_on()

    async def delay(self) -> None:
        node = self._some_node()
        node.to_database.delay = self._chance.uniform(0.01, 0.3)
        await self._for_a_while()
        node.to_database.heal()

    async def stall(self) -> None:
        node = self._some_node()
        node.to_database.stall()
        await self._for_a_while()
        node.to_database.heal()

    async def reset(self) -> None:
        self._some_node().to_database.reset()

    async def reset_clients(self) -> None:
        self._fleet.balancer.reset()

    async def restart(self, how: signal.Signals) -> None:
        await asyncio.to_thread(self._fleet.primary.stop, how)
        await asyncio.sleep(self._chance.uniform(0.0, 1.0))
        await asyncio.to_thread(self._fleet.primary.start)

    async def fail_over(self) -> None:
        await self._fleet.fail_over()
        await self._for_a_while()
        await self._fleet.add_standby()

    async def kill_redis(self) -> None:
        await asyncio.to_thread(self._fleet.redis.stop)
        await self._for_a_while()
        await asyncio.to_thread(self._fleet.redis.start)

    async def stall_bus(self) -> None:
        node = self._some_node()
        node.to_bus.stall()
        await self._for_a_while()
        node.to_bus.heal()

    async def reset_bus(self) -> None:
        self._some_node().to_bus.reset()

    async def pull_cable(self) -> None:
        """Cut a node off from clients, database and bus at once, without notice to any end."""
        network = next(node.network for node in self._fleet.nodes if node.network)
        await asyncio.to_thread(network.pull)
        await self._for_a_while()
        await asyncio.to_thread(network.plug_in)

    async def move_clock(self) -> None:
        node = self._fleet.nodes[0]
        node.set_clock(self._chance.choice((-86_400, -3_600, -5, 5, 3_600, 86_400)))
        await self._for_a_while(1.5)
        node.set_clock(0)
