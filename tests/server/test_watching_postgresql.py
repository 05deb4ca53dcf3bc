"""A room of people who are connected to different nodes."""

from __future__ import annotations

import pytest

from tests.server.clients import Guest
from tests.server.test_nodes_postgresql import Nodes, at, game_at, nodes, url, wait_for  # noqa: F401


@pytest.mark.slow
def test_people_at_two_nodes_watch_together(nodes: Nodes) -> None:  # noqa: F811
    one, two = nodes(2)
    (ada, bruno), (leading, following), table = game_at([one, two])
    leading.until("play")
    assert leading.ask(type="resign")["type"] == "accepted"
    leading.until_phase("ended")
    following.until_phase("ended")
    leading.ask(type="watch")
    assert leading.until("room")["leader"] is not None
    following.ask(type="watch")
    while len((room := following.until("room"))["people"]) < 2:
        pass
    assert room["leader"] != room["you"]
    leading.ask(type="play-out", variation=None, move=0, decisions=2)
    while not (room := following.until("room"))["variations"]:
        pass
    (variation,) = room["variations"]
    assert room["at"]["variation"] == variation["id"]
    frames = f"/api/tables/{table}/frames?perspective=open&variation={variation['id']}"
    assert [len(guest.http.get(frames).json()["frames"]) for guest in (ada, bruno)] == [3, 3]
    leading.ask(type="lead", at={"move": 0})
    while following.until("room")["at"]["move"]:
        pass
    following.ask(type="note", variation=None, move=0, text="Here?")
    while not (room := leading.until("room"))["notes"]:
        pass
    assert [note["text"] for note in room["notes"]] == ["Here?"]
    later = at(two, Guest(one.address, "Celina"), table)
    later.until("table")
    later.ask(type="watch")
    assert later.until("room")["notes"][0]["text"] == "Here?"
    following.close()
    later.close()
    wait_for(lambda: table not in two.registry.tables)
    again = at(two, bruno, table)
    again.until("table")
    again.ask(type="watch")
    while not (room := again.until("room"))["leader_is_here"]:
        pass
    assert (room["at"]["move"], len(room["variations"]), len(room["notes"])) == (0, 1, 1)
