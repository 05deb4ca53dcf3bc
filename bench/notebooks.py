"""Notebooks beside moves: `python -m bench.notebooks [--rounds 10]`.

First, what a notebook that is kept in memory costs the server: the CPU time of its process for each request over HTTP,
in the middle of a game. `HIT_MILLISECONDS` in `server/features/advice/notebooks.py` is about that.

Then, how long moves of other people take while one person asks for a notebook from twelve addresses, as often as the
server answers, with the limits that every server has. Short periods with and without these requests alternate, so that
other load on the machine affects both; what counts is the ratio. Takes about two minutes.
"""

from __future__ import annotations

import argparse
import asyncio
from contextlib import AsyncExitStack
from statistics import median

from bench.server_load import steadily
from bench.server_players import NotNow, People, Table, people_at, percentile, run
from bench.server_process import ServerProcess, running_server

GAMES = {"infinity-gauntlet": 4, "splendor-marvel": 4}  # with so many players
MOVES_BEFORE = 12  # about the middle of a game
HITS = 2_000
ADDRESSES = 12
TABLES = 12  # of other people, each from an address of its own
RATE = 60.0  # their moves a second
REFUSED_SECONDS = 0.02  # until the person asks again after a refusal

Tables = list[tuple[People, Table]]


async def table_in_play(people: People, game: str) -> Table:
    table = await people.open_table(await people.newcomers(), game)
    for _ in range(MOVES_BEFORE):
        if not table.over:
            await table.move()
    return table


async def ask(people: People, table: Table) -> None:
    await people.call(f"/api/tables/{table.id}/commands", {"type": "notebook"}, table.tokens[0])


async def tell_cost(server: ServerProcess) -> None:
    for game, seats in GAMES.items():
        async with people_at(server.address, seats) as people:
            table = await table_in_play(people, game)
            await ask(people, table)  # from now on it is kept
            before = server.processor_seconds()
            for _ in range(HITS):
                await ask(people, table)
            spent = server.processor_seconds() - before
            print(f"{game}: {1000 * spent / HITS:.2f} ms of CPU time for a notebook that is kept", flush=True)
            await table.close()


class Asker:
    """One person who asks for the same notebook from many addresses."""

    def __init__(self, clients: list[People], table: Table) -> None:
        self._clients, self._table = clients, table
        self.answered = self.refused = 0

    async def run(self) -> None:
        await asyncio.gather(*map(self._ask_for_ever, self._clients))

    async def _ask_for_ever(self, client: People) -> None:
        while True:
            try:
                await ask(client, self._table)
                self.answered += 1
            except NotNow:
                self.refused += 1
                await asyncio.sleep(REFUSED_SECONDS)


async def play_for(tables: Tables, seconds: float) -> list[float]:
    took = await asyncio.gather(
        *(steadily(people, [table], seconds, RATE / len(tables)) for people, table in tables if not table.over)
    )
    return [each for moves in took for each in moves]


async def tell_delay(server: ServerProcess, seconds: float, rounds: int) -> None:
    game, seats = next(iter(GAMES.items()))
    alone: list[list[float]] = []
    beside: list[list[float]] = []
    async with AsyncExitStack() as stack:

        async def client(seats: int, source: str) -> People:
            return await stack.enter_async_context(people_at(server.address, seats, source))

        clients = [await client(seats, f"127.0.0.{2 + n}") for n in range(ADDRESSES)]
        asker = Asker(clients, await table_in_play(clients[0], game))
        for number in range(rounds):
            others = [await client(2, f"127.0.{1 + number}.{1 + n}") for n in range(TABLES)]
            tables = [(people, await people.open_table(await people.newcomers())) for people in others]
            alone.append(await play_for(tables, seconds))
            asking = asyncio.create_task(asker.run())
            beside.append(await play_for(tables, seconds))
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            for _, table in tables:
                await table.close()
    print(f"{asker.answered} notebooks, {asker.refused} refusals in {rounds * seconds:.0f} s")
    for name, moves in (("alone", alone), ("beside one who asks", beside)):
        every = [each for part in moves for each in part]
        print(f"{name}: p50 {percentile(every, 0.5) * 1e3:.1f} ms, p99 {percentile(every, 0.99) * 1e3:.1f} ms")
    for share in (0.5, 0.99):
        ratios = [percentile(b, share) / percentile(a, share) for a, b in zip(alone, beside, strict=True)]
        print(f"ratio of p{100 * share:.0f}: {median(ratios):.2f} (median of {rounds} rounds)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0, help="of a period")
    parser.add_argument("--rounds", type=int, default=10)
    args = parser.parse_args()
    games = ("mantis", *GAMES)
    with running_server(games=games) as server:
        run(tell_cost(server))
    with running_server(games=games, has_room=False) as server:
        run(tell_delay(server, args.seconds, args.rounds))


if __name__ == "__main__":
    main()
