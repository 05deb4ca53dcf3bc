"""Moves of people while all bot workers search, compared with an idle server: the time to acknowledgement.

python -m bench.server_bots [--tables 50] [--seconds 10] [--level hard]
"""

from __future__ import annotations

import argparse
import asyncio
import json

from bench.server_load import open_tables, steadily
from bench.server_players import People, people_at, percentile, run
from bench.server_process import ServerProcess, running_server

BOT_TABLES = 12
RATE = 100  # moves a second


async def play_against_bots(people: People, level: str) -> None:
    """One person and five bots, game after game; the person moves at once, so that nearly always a bot must decide."""
    (token, *_) = await people.newcomers()
    while True:
        table = await people.call("/api/play-now", {"game": "mantis", "level": level, "seats": 6}, token)
        path = f"/api/tables/{table['id']}"
        turn, over = 0, False
        while not over:
            shown = json.loads(await people.get(f"{path}/play?turn={turn}&wait=25", token))
            turn, over, legal = shown["turn"], shown["view"]["over"], shown["view"]["legal"]
            if legal:
                move = {"type": "move", "turn": turn, "action": legal[0]}
                await people.call(f"{path}/commands", move, token)


async def bots_asked(people: People) -> float:
    return float((await people.get("/metrics")).split("\ntavolino_bots_waiting ")[1].split()[0])


async def watch_bots(people: People, seen: list[float]) -> None:
    while True:
        seen.append(await bots_asked(people))
        await asyncio.sleep(0.2)


async def measure(server: ServerProcess, count: int, seconds: float, level: str) -> None:
    async with people_at(server.address) as people:
        tables = await open_tables(people, count)
        idle = await steadily(people, tables, seconds, RATE)
        crowd = [asyncio.create_task(play_against_bots(people, level)) for _ in range(BOT_TABLES)]
        while await bots_asked(people) < BOT_TABLES / 2:  # the search is compiled at its first use
            await asyncio.sleep(0.5)
        seen: list[float] = []
        crowd.append(asyncio.create_task(watch_bots(people, seen)))
        busy = await steadily(people, tables, seconds, RATE)
        for task in crowd:
            if task.done():
                task.result()  # raises the error if a player has failed
            task.cancel()
        await asyncio.gather(*crowd, return_exceptions=True)
    for name, took in (("idle", idle), ("busy", busy)):
        print(
            f"{name}: {len(took)} moves, p50 {percentile(took, 0.5) * 1e3:.1f} ms, "
            f"p99 {percentile(took, 0.99) * 1e3:.1f} ms"
        )
    print(
        f"ratio of p99: {percentile(busy, 0.99) / percentile(idle, 0.99):.2f}; "
        f"bots asked for a move: {sum(seen) / len(seen):.1f} on average, at least {min(seen):.0f}, for one worker"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--level", default="hard")
    args = parser.parse_args()
    with running_server() as server:
        run(measure(server, args.tables, args.seconds, args.level))


if __name__ == "__main__":
    main()
