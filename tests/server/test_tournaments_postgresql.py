"""A tournament that two nodes serve: each deal is met once, no result is lost, and both show the same."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from tavolino.server.features.tournaments.feature import TournamentsFeature
from tavolino.server.features.tournaments.stored import StoredTournament, StoredTournaments
from tavolino.server.kernel.tables import new_id
from tests.server.clients import TIMEOUT, Guest
from tests.server.conftest import Server
from tests.server.test_daily import GAME
from tests.server.test_nodes_postgresql import Nodes, nodes, url, wait_for  # noqa: F401
from tests.server.test_tournaments import first

DEALS = 3


@pytest.fixture
def both(nodes: Nodes) -> list[Server]:  # noqa: F811
    return nodes(2)


def begun(servers: list[Server], *guests: Guest, **settings: Any) -> str:
    """A tournament with these entrants that has begun. The clocks of nodes are real, so its beginning is moved."""
    now = int(time.time())
    made = StoredTournament(new_id(), "Ladder", GAME, 2, DEALS, 2, 60, now + 600, now + 86_400)
    made = made._replace(**settings)
    storage = servers[0].context.storage
    servers[0].run(lambda: StoredTournaments(storage).add(made))
    for server, guest in zip(servers, guests, strict=False):
        answer = guest.http.post(f"{server.address}/api/tournaments/{made.id}/enter")
        assert answer.status_code == 200, answer.text
    query = "UPDATE tournaments SET opens = :now WHERE id = :id"
    servers[0].run(lambda: storage.database.rows(query, now=now - 1, id=made.id))
    return made.id


def sweep_at_once(servers: list[Server]) -> None:
    with ThreadPoolExecutor(len(servers)) as pool:
        list(pool.map(lambda server: server.run(server.housekeeping.sweep), servers))


def play_at_both(servers: list[Server], guest: Guest, name: str) -> list[str]:
    """Play all deals, each request at another node than the one before; the tables, in their order."""
    tables: list[str] = []
    end, number = time.monotonic() + 4 * TIMEOUT, 0
    while time.monotonic() < end:
        number += 1
        address = servers[number % 2].address
        shown = guest.http.get(f"{address}/api/tournaments/{name}").json()
        table = shown["table"]
        if table is None:
            (own,) = (each for each in shown["standings"] if each["you"])
            if own["finished"] == DEALS:  # at this node, perhaps of two seconds ago
                return tables
            time.sleep(0.02)
            continue
        if table not in tables:
            tables.append(table)
        got = guest.http.get(f"{address}/api/tables/{table}/play")
        if got.status_code == 200 and got.json()["view"]["legal"]:
            move = {"type": "move", "turn": got.json()["turn"], "action": first(got.json()["view"])}
            guest.http.post(f"{servers[(number + 1) % 2].address}/api/tables/{table}/commands", json=move)
        else:
            time.sleep(0.01)
    raise AssertionError(f"{name} never ended: {shown}")


@pytest.mark.slow
def test_each_deal_is_met_once_and_no_result_is_lost(both: list[Server]) -> None:
    guests = [Guest(server.address, name, is_program=True) for server, name in zip(both, ("Uno", "Due"), strict=True)]
    name = begun(both, *guests)
    with ThreadPoolExecutor(3) as pool:
        played = [pool.submit(play_at_both, both, guest, name) for guest in guests]
        while not all(each.done() for each in played):
            sweep_at_once(both)
        tables = [each.result() for each in played]
    stored = StoredTournaments(both[0].context.storage)
    tries = both[0].run(lambda: stored.tries(name))
    assert sorted(len(own) for own in tries.values()) == [DEALS, DEALS]
    assert {tried.table for own in tries.values() for tried in own.values()} == {each for own in tables for each in own}
    for person, own in tries.items():
        rows = both[0].run(partial(both[0].context.storage.rows_of, person, 100))
        assert {row.table for row in rows} == {tried.table for tried in own.values()}, "no deal was dealt twice"
    for server in both:
        server.feature(TournamentsFeature).overview.forget(name)
    shown = [guests[0].http.get(f"{server.address}/api/tournaments/{name}").json() for server in both]
    assert shown[0] == shown[1]
    assert [(each["finished"], each["counted"]) for each in shown[0]["standings"]] == [(DEALS, DEALS)] * 2
    assert len({each["share"] for each in shown[0]["standings"]}) == 1, "the same cards and decisions"


@pytest.mark.slow
def test_a_person_is_shown_what_they_did_at_the_other_node(both: list[Server]) -> None:
    ada, guest = Guest(both[0].address), Guest(both[1].address, "Uno", is_program=True)
    name = begun(both)
    now = int(time.time())
    storage = both[0].context.storage
    move = "UPDATE tournaments SET opens = :opens WHERE id = :id"
    both[0].run(lambda: storage.database.rows(move, opens=now + 600, id=name))
    paths = [f"{server.address}/api/tournaments/{name}" for server in both]
    for path in paths:
        assert ada.http.get(path).json()["entered"] is False
    assert ada.http.post(f"{paths[0]}/enter").json()["entered"] is True
    assert ada.http.get(paths[1]).json()["entered"] is True
    guest.http.post(f"{paths[1]}/enter")
    both[0].run(lambda: storage.database.rows(move, opens=now - 1, id=name))
    assert ada.http.get(paths[1]).json()["table"] is None
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda path: ada.http.post(f"{path}/play"), paths))
    (table,) = {answer.json()["id"] for answer in answers}
    assert [ada.http.get(path).json()["table"] for path in paths] == [table, table]
    ada.do(table, "resign")


@pytest.mark.slow
def test_a_node_whose_clock_is_late_lets_nobody_in_once_cards_were_seen(both: list[Server]) -> None:
    uno, late = (Guest(server.address, "Uno", is_program=True) for server in both)
    name = begun(both, uno)
    both[0].run(both[0].housekeeping.sweep)
    path = f"{both[0].address}/api/tournaments/{name}"
    wait_for(lambda: uno.http.get(path).json()["table"])
    both[1].clock.set_wall(-3600)
    answer = late.http.post(f"{both[1].address}/api/tournaments/{name}/enter")
    assert (answer.status_code, answer.json()["code"]) == (409, "entries-closed")
