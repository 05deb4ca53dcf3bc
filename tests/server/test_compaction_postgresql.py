"""Finished tables become one row each on PostgreSQL, unless a node has them in memory."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tavolino.server.operators.transfer import SqliteSide, move_data
from tavolino.server.operators.transfer_postgres import PostgresSide
from tavolino.server.storage.nodes import COMPACTION
from tests.postgresql import Postgres
from tests.server.clients import again, play_to_end
from tests.server.test_compaction import StartServer, looked_at, stored, sweep, unpacked
from tests.server.test_nodes_postgresql import Nodes, game_at, nodes, others_of, person_id, url, wait_for  # noqa: F401


def test_a_table_that_another_node_has_in_memory_is_not_compacted(
    nodes: Nodes,  # noqa: F811
    database: Postgres,
    tmp_path: Path,
    start_server: StartServer,
) -> None:
    place = database.new_database()
    servers = nodes(2, database=place, compact_days=0)
    one, two = servers
    people, sockets, table = game_at(servers)
    play_to_end(people, sockets)
    sockets[0].close()
    wait_for(lambda: not one.registry.tables.get(table) or not one.registry.tables[table].viewers)
    wait_for(lambda: one.context.clock.witnessed() > 5)
    sweep(one, table)
    assert stored(one, table)[1] == 0, "Bruno looks at it at the other node"
    sockets[1].close()
    wait_for(lambda: two.registry.tables.get(table) is None or not two.registry.tables[table].viewers)
    before = looked_at(people[1], table)
    two.run(lambda: two.registry.discard(table))
    assert two.run(lambda: others_of(two).nodes.announced()) != []
    assert all(COMPACTION in said for said in two.run(lambda: others_of(two).nodes.announced()))
    count = stored(one, table)[0]
    wait_for(lambda: not two.registry.has(table))
    sweep(one, table)
    assert stored(one, table) == (0, count)
    assert looked_at(people[1], table) == before
    ada = person_id(one, people[0]).encode()
    assert ada in unpacked(one, table)
    assert people[0].http.delete("/api/me").status_code == 204
    assert ada not in unpacked(one, table)
    for server in servers:
        server.stop()

    async def move() -> dict[str, int]:
        return await move_data(PostgresSide(place), SqliteSide(tmp_path / "moved"))

    assert asyncio.run(move())["compact_entries"] == 1
    moved = start_server(tmp_path / "moved").ready("mantis")
    assert looked_at(again(people[1], moved.address), table)[1] == before[1]
