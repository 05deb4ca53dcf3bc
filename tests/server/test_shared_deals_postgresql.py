"""One try at a shared deal, on PostgreSQL and at two nodes at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from tests.postgresql import Postgres
from tests.server.clients import Guest
from tests.server.conftest import Server
from tests.server.test_daily import GAME
from tests.server.test_nodes_postgresql import Nodes, nodes, url  # noqa: F401
from tests.server.test_shared_deals import SharedDealContract, StartServer


class TestOnPostgresql(SharedDealContract):
    @pytest.fixture
    def start(self, start_server: StartServer, tmp_path: Path, database: Postgres) -> StartServer:
        return partial(start_server, tmp_path / "data", database=database.new_database())


def ask(guest: Guest, node: Server) -> str:
    return str(guest.http.post(f"{node.address}/api/daily/{GAME}").json().get("id"))


def test_requests_at_two_nodes_at_once_get_the_same_table(nodes: Nodes) -> None:  # noqa: F811
    one, two = nodes(2)
    for round in range(5):
        ada = Guest(one.address, f"Ada {round}")
        with ThreadPoolExecutor(2) as pool:
            tables = set(pool.map(partial(ask, ada), (one, two)))
        assert len(tables) == 1, tables
        ada.do(tables.pop(), "resign")
