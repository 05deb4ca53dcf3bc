"""More than the server can do: what those who play notice, with and without refusing new tables and what can wait.

    python -m bench.server_overload [--offered 500,1000,1500,2000] [--groups 250] [--seconds 20]

Groups of four play, so many moves a second in all as are offered, and want a new table when their game is over; where
it is refused they ask again after two seconds. Beside them four people ask for what can wait, twenty times a second.
For each rate there are two servers, one that refuses nothing and one as it is; the first half of the time is for
settling and does not count. The time is that from a move to its acknowledgement. It takes some four minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from contextlib import AsyncExitStack

from bench.server_players import NotNow, People, Table, people_at, percentile, run
from bench.server_process import running_server

ASKED_AGAIN_SECONDS = 2.0
WATCHING = 20.0  # requests a second


class Watched:
    """What was measured in the second half."""

    def __init__(self, seconds: float) -> None:
        self.begins = time.perf_counter() + seconds / 2
        self.ends = self.begins + seconds / 2
        self.took: list[float] = []
        self.opened = self.refused = self.watched = self.not_watched = 0

    @property
    def counts(self) -> bool:
        return time.perf_counter() >= self.begins


async def keep_playing(people: People, tokens: list[str], interval: float, start: float, seen: Watched) -> None:
    """One group: a move every `interval`, if the last was acknowledged in time; then another table."""
    moment, table = start, None
    while moment < seen.ends:
        await asyncio.sleep(max(0.0, moment - time.perf_counter()))
        if table is None:
            table = await open_table(people, tokens, seen)
            if table is None:
                moment = time.perf_counter() + ASKED_AGAIN_SECONDS
                continue
        took = await table.move()
        if seen.counts:
            seen.took.append(took)
        if table.over:
            await table.close()
            table = None
        moment = max(moment + interval, time.perf_counter())


async def open_table(people: People, tokens: list[str], seen: Watched) -> Table | None:
    try:
        table = await people.open_table(tokens)
    except NotNow:
        seen.refused += seen.counts
        return None
    seen.opened += seen.counts
    return table


async def keep_watching(people: People, watched: list[str], seen: Watched) -> None:
    """Spectators of other people's games."""
    n = 0
    while (now := time.perf_counter()) < seen.ends:
        try:
            await people.get(f"/api/tables/{watched[n % len(watched)]}/play")
        except NotNow:
            seen.not_watched += seen.counts
        else:
            seen.watched += seen.counts
        n += 1
        await asyncio.sleep(max(0.0, now + 1 / WATCHING - time.perf_counter()))


async def measure(rate: float, groups: int, seconds: float, sheds_load: bool) -> None:
    with running_server(sheds_load=sheds_load) as server:
        async with people_at(server.address) as people, AsyncExitStack() as stack:
            # Each from its own address, as in practice: the requests of one address are queued.
            crowd = [
                await stack.enter_async_context(people_at(server.address, source=f"127.1.{n // 250}.{n % 250 + 1}"))
                for n in range(groups)
            ]
            tokens = [await group.newcomers() for group in crowd]
            shown = await people.open_table(await people.newcomers())
            seen, busy = Watched(seconds), 0.0
            interval, begun = groups / rate, time.perf_counter()

            async def note_processor() -> None:
                nonlocal busy
                await asyncio.sleep(seconds / 2)
                busy = server.processor_seconds()

            await asyncio.gather(
                note_processor(),
                keep_watching(people, [shown.id], seen),
                *(
                    keep_playing(group, each, interval, begun + interval * n / groups, seen)
                    for n, (group, each) in enumerate(zip(crowd, tokens, strict=True))
                ),
            )
            tell(rate, sheds_load, seen, (server.processor_seconds() - busy) / (seconds / 2), seconds / 2)


def tell(rate: float, sheds_load: bool, seen: Watched, busy: float, seconds: float) -> None:
    p50, p99 = (percentile(seen.took, share) * 1e3 for share in (0.5, 0.99))
    print(
        f"  {rate:5.0f} offered, {'as it is' if sheds_load else 'refusing nothing':16} "
        f"{len(seen.took) / seconds:5.0f} moves/s  p50 {p50:6.1f}  p99 {p99:7.1f} ms  "
        f"tables opened {seen.opened / seconds:5.1f}/s, refused {seen.refused / seconds:5.1f}/s  "
        f"views {seen.watched / seconds:4.1f}/s, refused {seen.not_watched / seconds:4.1f}/s  "
        f"server {busy:.2f} of a core",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offered", default="500,1000,1500,2000")
    parser.add_argument("--groups", type=int, default=250)
    parser.add_argument("--seconds", type=float, default=20)
    args = parser.parse_args()
    print(f"{args.groups} groups of four")
    for rate in map(float, args.offered.split(",")):
        for sheds_load in (False, True):
            run(measure(rate, args.groups, args.seconds, sheds_load))


if __name__ == "__main__":
    main()
